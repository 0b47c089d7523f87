package io.albis.format.schema;

/**
 * How the values of a column group stand in its data file; see {@code docs/format.md}.
 */
public enum AlbisLayout
{
    /**
     * One row after the other (Albis paper, section 3.1).
     */
    ROW,
    /**
     * One column after the other, as Trino's blocks hold them.
     */
    BLOCK,
}
