package io.albis.format.schema;

import java.util.Optional;

/**
 * The arrangement of the values of a column group in its data file; see {@code docs/format.md}.
 */
public enum AlbisLayout
{
    /**
     * Values of scalar types are stored row by row (Albis paper, section 3.1), and those of nested types as in
     * {@link #BLOCK}.
     */
    ROW(0),
    /**
     * Values are stored column by column, as in Trino's blocks.
     */
    BLOCK(1);

    private final int code;

    AlbisLayout(int code)
    {
        this.code = code;
    }

    /**
     * Returns the code of this layout in files.
     */
    public int code()
    {
        return code;
    }

    /**
     * Returns the layout with a code, or empty if this version of Albis knows none.
     */
    public static Optional<AlbisLayout> find(int code)
    {
        for (AlbisLayout layout : values()) {
            if (layout.code == code) {
                return Optional.of(layout);
            }
        }
        return Optional.empty();
    }
}
