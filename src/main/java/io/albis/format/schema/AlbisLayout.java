package io.albis.format.schema;

/**
 * The arrangement of the values of a column group in its data file; see {@code docs/format.md}.
 */
public enum AlbisLayout
{
    /**
     * Values are stored row by row (Albis paper, section 3.1).
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
     * @throws IllegalArgumentException if no layout has the code
     */
    public static AlbisLayout ofCode(int code)
    {
        for (AlbisLayout layout : values()) {
            if (layout.code == code) {
                return layout;
            }
        }
        throw new IllegalArgumentException("unknown layout " + code);
    }
}
