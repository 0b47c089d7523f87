package io.albis.format.layout.block;

/**
 * Encodings that a writer may use in the block layout.
 *
 * @param narrowWidths whether integers may be stored in fewer bytes than in memory
 * @param outliers whether a few values of a run may be stored separately, so that the others are narrower; only with
 *         narrow widths
 * @param bits whether booleans may be stored as bits
 * @param dictionaries whether values may be stored as ids of dictionary entries
 */
public record BlockEncoding(boolean narrowWidths, boolean outliers, boolean bits, boolean dictionaries)
{
    public static final BlockEncoding ALL = new BlockEncoding(true, true, true, true);

    public BlockEncoding withNarrowWidths(boolean narrowWidths)
    {
        return new BlockEncoding(narrowWidths, outliers, bits, dictionaries);
    }

    public BlockEncoding withDictionaries(boolean dictionaries)
    {
        return new BlockEncoding(narrowWidths, outliers, bits, dictionaries);
    }
}
