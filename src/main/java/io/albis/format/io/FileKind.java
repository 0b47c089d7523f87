package io.albis.format.io;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * The kinds of binary files of an Albis table. The first eight bytes of a file identify its kind.
 */
public enum FileKind
{
    /**
     * The segments of a column group.
     */
    DATA("ALBISDAT"),
    /**
     * The locations, encodings, and statistics of the segments of a column group.
     */
    METADATA("ALBISMET"),
    /**
     * Row groups of a table.
     */
    MANIFEST("ALBISMAN"),
    /**
     * The schema of a folder of row groups that belongs to no table.
     */
    SCHEMA("ALBISSCH"),
    /**
     * The row groups of one writer in a folder that belongs to no table.
     */
    ROWS("ALBISROW");

    private final byte[] magic;

    FileKind(String magic)
    {
        this.magic = magic.getBytes(US_ASCII);
    }

    byte[] magic()
    {
        return magic;
    }
}
