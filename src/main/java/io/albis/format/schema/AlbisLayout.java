package io.albis.format.schema;

/**
 * The arrangement of the values of a column group in its data file; see {@code docs/format.md}.
 */
public enum AlbisLayout
{
    /**
     * Values are stored row by row (Albis paper, section 3.1).
     */
    ROW,
    /**
     * Values are stored column by column, as in Trino's blocks.
     */
    BLOCK,
}
