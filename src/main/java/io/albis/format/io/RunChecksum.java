package io.albis.format.io;

import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * Computes the checksum of a run: the CRC32C of the id of its data file and its bytes. Including the id detects a run
 * of another file even if the header of the file was not read.
 */
public final class RunChecksum
{
    private final CRC32C checksum = new CRC32C();
    private final byte[] id = new byte[2 * Long.BYTES];

    public RunChecksum(UUID id)
    {
        ByteBuffer.wrap(this.id)
                .putLong(id.getMostSignificantBits())
                .putLong(id.getLeastSignificantBits());
    }

    /**
     * Returns the checksum of a run. Not thread safe.
     */
    public int of(byte[] bytes, int offset, int length)
    {
        checksum.reset();
        checksum.update(id, 0, id.length);
        checksum.update(bytes, offset, length);
        return (int) checksum.getValue();
    }
}
