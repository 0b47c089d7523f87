package io.albis.format.io;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * The binary files of an Albis table, told apart by the first eight bytes.
 */
public enum FileKind
{
    /**
     * Segments of a column group.
     */
    DATA("ALBISDAT"),
    /**
     * Where the segments of a column group are and what is in them.
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
     * The row groups of one writer in such a folder.
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
