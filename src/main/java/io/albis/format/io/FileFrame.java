package io.albis.format.io;

import io.airlift.slice.Slice;
import io.airlift.slice.SliceInput;
import io.airlift.slice.SliceOutput;
import io.airlift.slice.Slices;
import io.trino.filesystem.Location;

import java.util.Optional;
import java.util.UUID;
import java.util.zip.CRC32C;

import static io.albis.format.io.AlbisDataException.Reason.TOO_NEW;
import static io.albis.format.io.AlbisDataException.Reason.TOO_OLD;
import static io.albis.format.io.AlbisDataException.damaged;

/**
 * The header of every binary file, and the trailing checksum of every binary file except data files and deletes files;
 * see {@code docs/format.md}. A data file has one checksum for each page of a run instead, and a deletes file one for
 * each bitmap. They include the id of the file.
 */
public final class FileFrame
{
    /**
     * Size of the header in bytes: magic (8), format version (4), checksum of the other 28 bytes (4), and id (16).
     */
    public static final int HEADER_SIZE = 32;

    private static final int MAGIC_SIZE = 8;
    private static final int VERSION_OFFSET = 8;
    private static final int CHECKSUM_OFFSET = 12;
    private static final int ID_OFFSET = 16;
    private static final int TRAILER_SIZE = Integer.BYTES;

    private FileFrame() {}

    /**
     * Returns the header of a file.
     */
    public static Slice header(FileKind kind, UUID id)
    {
        return header(kind, id, kind.formatVersion());
    }

    static Slice header(FileKind kind, UUID id, int version)
    {
        Slice header = Slices.allocate(HEADER_SIZE);
        header.setBytes(0, kind.magic());
        header.setInt(VERSION_OFFSET, version);
        // most significant byte first, so that a dump shows the id in its printed form
        header.setLong(ID_OFFSET, Long.reverseBytes(id.getMostSignificantBits()));
        header.setLong(ID_OFFSET + Long.BYTES, Long.reverseBytes(id.getLeastSignificantBits()));
        header.setInt(CHECKSUM_OFFSET, headerChecksum(header));
        return header;
    }

    /**
     * Verifies the header of {@link #HEADER_SIZE} bytes at the beginning of {@code bytes}.
     *
     * @param expectedId id in the reference to this file, if the reference contains one
     * @throws AlbisDataException if the header is damaged, belongs to another file, or has an unsupported version
     */
    public static void checkHeader(Location location, FileKind kind, Optional<UUID> expectedId, Slice bytes)
            throws AlbisDataException
    {
        if (bytes.length() < HEADER_SIZE) {
            throw damaged("Damaged Albis file %s: it ends within its header, after %s bytes", location, bytes.length());
        }
        if (!bytes.equals(0, MAGIC_SIZE, Slices.wrappedBuffer(kind.magic()), 0, MAGIC_SIZE)) {
            throw damaged("Damaged Albis file %s: it does not have the magic of a %s file", location, kind);
        }
        if (bytes.getInt(CHECKSUM_OFFSET) != headerChecksum(bytes)) {
            throw damaged("Damaged Albis file %s: the checksum of its header does not match", location);
        }
        int version = bytes.getInt(VERSION_OFFSET);
        if (version > kind.formatVersion()) {
            throw new AlbisDataException(TOO_NEW, "Albis file %s has format version %s, but this reader only supports versions up to %s. Upgrade the Albis plugin", location, version, kind.formatVersion());
        }
        if (version < kind.minFormatVersion()) {
            throw new AlbisDataException(TOO_OLD, "Albis file %s has format version %s, which is no longer supported", location, version);
        }
        UUID id = id(bytes);
        if (expectedId.isPresent() && !expectedId.get().equals(id)) {
            throw damaged("Damaged Albis file %s: its id is %s instead of %s, so it is another file", location, id, expectedId.get());
        }
    }

    /**
     * Returns the number of bytes by which a file is larger than its body.
     */
    public static int frameSize()
    {
        return HEADER_SIZE + TRAILER_SIZE;
    }

    /**
     * Returns the content of a file with the given body.
     */
    public static Slice frame(FileKind kind, UUID id, Slice body)
    {
        Slice file = Slices.allocate(HEADER_SIZE + body.length() + TRAILER_SIZE);
        file.setBytes(0, header(kind, id));
        file.setBytes(HEADER_SIZE, body);
        int trailerOffset = HEADER_SIZE + body.length();
        file.setInt(trailerOffset, checksum(file, 0, trailerOffset));
        return file;
    }

    /**
     * Verifies the header and the checksum of a file, and returns its body.
     *
     * @throws AlbisDataException if the file is damaged, is another file, or has an unsupported version
     */
    public static Slice unframe(Location location, FileKind kind, Optional<UUID> expectedId, Slice file)
            throws AlbisDataException
    {
        checkHeader(location, kind, expectedId, file);
        int trailerOffset = file.length() - TRAILER_SIZE;
        if (trailerOffset < HEADER_SIZE || file.getInt(trailerOffset) != checksum(file, 0, trailerOffset)) {
            throw damaged("Damaged Albis file %s: the checksum of its %s bytes does not match", location, file.length());
        }
        return file.slice(HEADER_SIZE, trailerOffset - HEADER_SIZE);
    }

    /**
     * Writes the features that a reader of a file must support, which are the first 8 bytes of its body.
     */
    public static void writeFeatures(SliceOutput body)
    {
        body.writeLong(0);
    }

    /**
     * Reads the features at the beginning of a body, and checks that this reader supports all of them.
     *
     * @throws AlbisDataException TOO_NEW if it does not
     * @throws IndexOutOfBoundsException if the body is too short
     */
    public static void checkFeatures(Location location, FileKind kind, SliceInput body)
            throws AlbisDataException
    {
        long unknown = body.readLong() & ~kind.knownFeatures();
        if (unknown != 0) {
            throw new AlbisDataException(TOO_NEW, "Albis file %s uses feature %s, which this reader does not support. Upgrade the Albis plugin", location, Long.numberOfTrailingZeros(unknown));
        }
    }

    static UUID id(Slice header)
    {
        return new UUID(Long.reverseBytes(header.getLong(ID_OFFSET)), Long.reverseBytes(header.getLong(ID_OFFSET + Long.BYTES)));
    }

    private static int headerChecksum(Slice header)
    {
        CRC32C checksum = new CRC32C();
        checksum.update(header.byteArray(), header.byteArrayOffset(), CHECKSUM_OFFSET);
        checksum.update(header.byteArray(), header.byteArrayOffset() + ID_OFFSET, HEADER_SIZE - ID_OFFSET);
        return (int) checksum.getValue();
    }

    private static int checksum(Slice slice, int offset, int length)
    {
        CRC32C checksum = new CRC32C();
        checksum.update(slice.byteArray(), slice.byteArrayOffset() + offset, length);
        return (int) checksum.getValue();
    }
}
