package io.albis.format.run;

import io.albis.format.io.TooNewException;

import java.util.Arrays;
import java.util.Optional;

import static java.util.Locale.ENGLISH;

/**
 * How the bytes of a run or of a dictionary are compressed.
 */
public enum Compression
{
    NONE(0),
    /**
     * One block of LZ4, without a frame.
     */
    LZ4(1),
    /**
     * Frames of Zstandard, without a dictionary.
     */
    ZSTD(2);

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
     * Returns the compression with a name, ignoring case.
     */
    public static Optional<Compression> find(String name)
    {
        return Arrays.stream(values())
                .filter(compression -> compression.name().equalsIgnoreCase(name))
                .findFirst();
    }

    /**
     * Returns the name of this compression in SQL and in versions.
     */
    @Override
    public String toString()
    {
        return name().toLowerCase(ENGLISH);
    }

    /**
     * Returns the compression that a code identifies in storage.
     *
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
