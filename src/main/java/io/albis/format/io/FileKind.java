package io.albis.format.io;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * The kinds of binary files of an Albis table. The first eight bytes of a file identify its kind. Each kind has its own
 * format version, so that one kind can change while readers of the others still work.
 */
public enum FileKind
{
    /**
     * The segments of a column group.
     */
    DATA("ALBISDAT", 3, 3),
    /**
     * The locations, encodings, and statistics of the segments of a column group.
     */
    METADATA("ALBISMET", 3, 3),
    /**
     * Row groups of a table.
     */
    MANIFEST("ALBISMAN", 3, 3),
    /**
     * The schema of a folder of row groups that belongs to no table.
     */
    SCHEMA("ALBISSCH", 3, 3),
    /**
     * The row groups of one writer in a folder that belongs to no table.
     */
    ROWS("ALBISROW", 3, 3),
    /**
     * The deleted rows of row groups.
     */
    DELETES("ALBISDEL", 3, 3);

    private final byte[] magic;
    private final int minFormatVersion;
    private final int formatVersion;

    /**
     * Defines a kind of files.
     *
     * @param minFormatVersion the oldest format version that this reader accepts
     * @param formatVersion the format version that this writer writes, and the newest that this reader accepts
     */
    FileKind(String magic, int minFormatVersion, int formatVersion)
    {
        this.magic = magic.getBytes(US_ASCII);
        this.minFormatVersion = minFormatVersion;
        this.formatVersion = formatVersion;
    }

    byte[] magic()
    {
        return magic;
    }

    int minFormatVersion()
    {
        return minFormatVersion;
    }

    public int formatVersion()
    {
        return formatVersion;
    }

    /**
     * Returns the features that this reader supports, one bit for each. A file of this kind states the features that
     * its readers must support in the first 8 bytes of its body. There are none yet.
     */
    long knownFeatures()
    {
        return 0;
    }
}
