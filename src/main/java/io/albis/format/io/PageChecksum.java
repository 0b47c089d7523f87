package io.albis.format.io;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * Computes the checksum of a page of a data file, or of a bitmap of a deletes file: the CRC32C of the id of the file,
 * the offset of the bytes, and the bytes. The id and the offset detect bytes of another file or of another place, even
 * if nothing else of the file was read. Not thread safe.
 */
public final class PageChecksum
{
    /**
     * Maximum size of a page. A reader can therefore verify a few values without reading a whole run.
     */
    public static final int PAGE_SIZE = 4096;

    private static final int ID_SIZE = 2 * Long.BYTES;

    private final CRC32C checksum = new CRC32C();
    private final byte[] place = new byte[ID_SIZE + Long.BYTES];
    private final ByteBuffer offset = ByteBuffer.wrap(place).order(ByteOrder.LITTLE_ENDIAN);

    public PageChecksum(UUID id)
    {
        ByteBuffer.wrap(place)
                .putLong(id.getMostSignificantBits())
                .putLong(id.getLeastSignificantBits());
    }

    /**
     * Returns the number of pages that a number of bytes takes.
     */
    public static int pages(int length)
    {
        return (int) (((long) length + PAGE_SIZE - 1) / PAGE_SIZE);
    }

    /**
     * Returns the number of bytes of a page.
     *
     * @param length number of bytes of all pages
     */
    public static int pageLength(int length, int page)
    {
        return Math.min(PAGE_SIZE, length - page * PAGE_SIZE);
    }

    /**
     * Returns the checksum of a page or a bitmap.
     *
     * @param fileOffset offset of the bytes in their file
     */
    public int of(long fileOffset, byte[] bytes, int begin, int length)
    {
        offset.putLong(ID_SIZE, fileOffset);
        checksum.reset();
        checksum.update(place, 0, place.length);
        checksum.update(bytes, begin, length);
        return (int) checksum.getValue();
    }
}
