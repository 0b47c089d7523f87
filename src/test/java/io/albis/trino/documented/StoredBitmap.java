package io.albis.trino.documented;

import org.roaringbitmap.RoaringBitmap;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.zip.CRC32C;

import static java.lang.Math.toIntExact;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the entry of a row group says about the bitmap of its deleted rows.
 *
 * @param file id of the deletes file
 * @param offset offset of the bitmap in the file
 * @param length length of the bitmap in bytes
 * @param checksum checksum of the bitmap
 * @param count number of deleted rows
 */
record StoredBitmap(UUID file, long offset, int length, int checksum, long count)
{
    /**
     * Reads the bitmap as docs/format.md describes it, and checks what the entry says about it.
     *
     * @param folder folder of the table
     */
    void check(Path folder)
            throws IOException
    {
        String name = file.toString();
        String fanOut = name.substring(0, 1) + name.charAt(name.length() - 1);
        byte[] bytes = Files.readAllBytes(folder.resolve("deletes").resolve(fanOut).resolve(name));
        byte[] id = ByteBuffer.allocate(16).putLong(file.getMostSignificantBits()).putLong(file.getLeastSignificantBits()).array();
        assertThat(bytes).startsWith("ALBISDEL".getBytes(US_ASCII));
        assertThat(ByteBuffer.wrap(bytes, 16, 16)).isEqualTo(ByteBuffer.wrap(id));

        CRC32C crc = new CRC32C();
        crc.update(id);
        crc.update(ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(offset).flip());
        crc.update(bytes, toIntExact(offset), length);
        assertThat((int) crc.getValue()).isEqualTo(checksum);

        RoaringBitmap positions = new RoaringBitmap();
        positions.deserialize(ByteBuffer.wrap(bytes, toIntExact(offset), length));
        assertThat(positions.getLongCardinality()).isEqualTo(count);
    }
}
