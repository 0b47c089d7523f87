package io.albis.format.delete;

import io.airlift.slice.Slices;
import io.albis.format.io.AlbisDataException;
import io.albis.format.io.FileFrame;
import io.albis.format.io.FileKind;
import io.albis.format.io.PageChecksum;
import io.albis.format.io.ReadCounter;
import io.albis.format.io.StorageInput;
import io.albis.format.metadata.DeletedRows;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import org.roaringbitmap.ContainerPointer;
import org.roaringbitmap.RoaringBitmap;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

import static io.albis.format.io.AlbisDataException.damaged;

/**
 * Reads and verifies bitmaps of deletes files.
 */
public final class DeletesReader
{
    private static final int CONTAINER_POSITIONS = 1 << 16;

    private DeletesReader() {}

    /**
     * Reads the deleted rows of a row group.
     *
     * @param rows number of rows of the row group
     * @throws AlbisDataException if the file is missing or damaged
     */
    public static DeletedPositions read(TrinoFileSystem fileSystem, Location tableFolder, DeletedRows deletedRows, long rows)
            throws IOException
    {
        return read(fileSystem, tableFolder, deletedRows, rows, new ReadCounter());
    }

    /**
     * Reads the deleted rows of a row group.
     *
     * @param counter counts the read
     */
    public static DeletedPositions read(TrinoFileSystem fileSystem, Location tableFolder, DeletedRows deletedRows, long rows, ReadCounter counter)
            throws IOException
    {
        Location location = deletedRows.location(tableFolder);
        checkLength(location, deletedRows, rows);
        // The first bitmap is read together with the header. The others need no header, because their checksum
        // includes the id of the file.
        int header = deletedRows.offset() == FileFrame.HEADER_SIZE ? FileFrame.HEADER_SIZE : 0;
        long begin = deletedRows.offset() - header;
        int length = header + deletedRows.length();
        byte[] bytes;
        try (StorageInput input = new StorageInput(fileSystem, location, deletedRows.offset() + deletedRows.length(), counter)) {
            input.checkSize(begin, length);
            bytes = new byte[length];
            input.readFully(begin, bytes, length);
        }
        if (header > 0) {
            FileFrame.checkHeader(location, FileKind.DELETES, Optional.of(deletedRows.file()), Slices.wrappedBuffer(bytes, 0, header));
        }
        if (new PageChecksum(deletedRows.file()).of(deletedRows.offset(), bytes, header, deletedRows.length()) != deletedRows.checksum()) {
            throw damaged("Damaged Albis file %s: the checksum of the %s bytes at offset %s does not match", location, deletedRows.length(), deletedRows.offset());
        }
        return DeletedPositions.ofVerified(decode(location, deletedRows, rows, ByteBuffer.wrap(bytes, header, deletedRows.length())));
    }

    /**
     * Checks the length, which another file states, before memory is allocated.
     */
    private static void checkLength(Location location, DeletedRows deletedRows, long rows)
            throws AlbisDataException
    {
        long maxLength = RoaringBitmap.maximumSerializedSize(deletedRows.count(), rows);
        if (deletedRows.length() > maxLength) {
            throw damaged("Damaged Albis table: the bitmap of %s deleted rows of %s at offset %s of file %s has %s bytes, but at most %s are possible", deletedRows.count(), rows, deletedRows.offset(), location, deletedRows.length(), maxLength);
        }
    }

    private static RoaringBitmap decode(Location location, DeletedRows deletedRows, long rows, ByteBuffer bytes)
            throws AlbisDataException
    {
        RoaringBitmap bitmap = new RoaringBitmap();
        boolean valid;
        try {
            bitmap.deserialize(bytes);
            valid = isValid(bitmap) && bitmap.serializedSizeInBytes() == deletedRows.length();
        }
        catch (IOException | RuntimeException e) {
            // the library reports invalid bytes with many kinds of exceptions
            AlbisDataException exception = damaged("Damaged Albis file %s: the bitmap at offset %s is invalid: %s", location, deletedRows.offset(), e.getMessage());
            exception.initCause(e);
            throw exception;
        }
        if (!valid) {
            throw damaged("Damaged Albis file %s: the bitmap at offset %s is invalid", location, deletedRows.offset());
        }
        long count = bitmap.getLongCardinality();
        if (count != deletedRows.count()) {
            throw damaged("Damaged Albis file %s: the bitmap at offset %s has %s positions instead of %s", location, deletedRows.offset(), count, deletedRows.count());
        }
        // the greatest position, which is unsigned
        long last = Integer.toUnsignedLong(bitmap.last());
        if (last >= rows) {
            throw damaged("Damaged Albis file %s: the bitmap at offset %s has the position %s of a row group with %s rows", location, deletedRows.offset(), last, rows);
        }
        return bitmap;
    }

    private static boolean isValid(RoaringBitmap bitmap)
    {
        if (bitmap.isEmpty() || !bitmap.validate()) {
            return false;
        }
        // validate() does not check the end of the last range of a container
        for (ContainerPointer pointer = bitmap.getContainerPointer(); pointer.getContainer() != null; pointer.advance()) {
            if (pointer.getContainer().last() >= CONTAINER_POSITIONS) {
                return false;
            }
        }
        return true;
    }
}
