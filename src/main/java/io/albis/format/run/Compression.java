package io.albis.format.run;

import io.albis.format.io.TooNewException;

/**
 * How the bytes of a run or of a dictionary are compressed.
 */
public enum Compression
{
    NONE(0);

    private final int code;

    Compression(int code)
    {
        this.code = code;
    }

    /**
     * Returns the code of this compression in files.
     */
    public int code()
    {
        return code;
    }

    /**
     * @throws TooNewException if no compression has the code
     */
    public static Compression ofCode(int code)
    {
        for (Compression compression : values()) {
            if (compression.code == code) {
                return compression;
            }
        }
        throw new TooNewException("unknown compression %s", code);
    }
}
