package io.albis.format.io;

import io.trino.filesystem.Location;

import static io.albis.format.io.AlbisDataException.damaged;

/**
 * Names the file in the errors of decoders, which know only bytes.
 */
public final class Decoding
{
    private Decoding() {}

    /**
     * Decodes the content of a file.
     */
    @FunctionalInterface
    public interface Decoder<T>
    {
        /**
         * Returns the content.
         *
         * @throws TooNewException if this reader does not know a part of it
         * @throws IllegalArgumentException if it is damaged
         * @throws IndexOutOfBoundsException if it is damaged
         */
        T decode()
                throws AlbisDataException;
    }

    /**
     * Decodes the content of a file.
     *
     * @throws AlbisDataException if the content is damaged or too new
     */
    public static <T> T decode(Location location, Decoder<T> decoder)
            throws AlbisDataException
    {
        try {
            return decoder.decode();
        }
        catch (TooNewException e) {
            throw AlbisDataException.tooNew(location, e);
        }
        catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw damaged("Damaged Albis file %s: %s", location, e.getMessage());
        }
    }
}
