package io.albis.fuzz;

import java.io.IOException;
import java.util.Map;

/**
 * Reads files of one kind, whose content is any bytes. The target makes the frames and the checksums of the files valid
 * before it reads them, because a reader refuses nearly all other files before it looks at their content.
 */
interface FuzzTarget
{
    /**
     * Reads an input as a whole. Each call is independent of all others.
     *
     * @throws IOException only an {@link io.albis.format.io.AlbisDataException}, if the input is not valid
     * @throws java.io.UncheckedIOException with such a cause, if the input is not valid
     */
    void read(byte[] input)
            throws IOException;

    /**
     * Writes valid inputs with the writer of this version of Albis, by name.
     */
    Map<String, byte[]> writeSeeds()
            throws IOException;

    /**
     * Returns whether the reader can do without the content of the file, so that nearly every input is accepted.
     */
    default boolean isContentOptional()
    {
        return false;
    }
}
