package io.albis.format.reader;

import io.airlift.slice.Slices;
import io.albis.format.AlbisDataException;
import io.albis.format.metadata.FileFrame;
import io.albis.format.metadata.FileKind;
import io.albis.format.metadata.RunChecksum;

import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import java.util.UUID;

import static io.albis.format.AlbisDataException.damaged;
import static java.util.Objects.requireNonNull;

/**
 * The data file of a column group: reads ranges of it and checks runs.
 */
final class DataFile
        implements Closeable
{
    private final UUID id;
    private final StorageInput input;
    private final RunChecksum checksum;
    private boolean headerChecked;

    DataFile(UUID id, StorageInput input)
    {
        this.id = requireNonNull(id, "id is null");
        this.input = requireNonNull(input, "input is null");
        this.checksum = new RunChecksum(id);
    }

    /**
     * Bytes to leave free before those that are read from an offset. The header is read and checked with what stands behind
     * it; what is read elsewhere is bound to the file by its checksums.
     */
    int headroom(long offset)
    {
        return offset == FileFrame.HEADER_SIZE && !headerChecked ? FileFrame.HEADER_SIZE : 0;
    }

    /**
     * Reads to {@code buffer} from {@code headroom} on.
     *
     * @param headroom what {@link #headroom} said
     */
    void read(long offset, byte[] buffer, int headroom, int length, int segment)
            throws IOException
    {
        input.readFully(offset - headroom, buffer, headroom + length, place(segment));
        if (headroom > 0) {
            try {
                FileFrame.checkHeader(input.location(), FileKind.DATA, Optional.of(id), Slices.wrappedBuffer(buffer, 0, headroom));
            }
            catch (AlbisDataException e) {
                throw e.at(place(segment));
            }
            headerChecked = true;
        }
    }

    /**
     * @param length with padding
     * @param part what the bytes are, for the message if they are damaged
     */
    void check(byte[] buffer, int begin, int length, int expectedChecksum, long offset, int segment, String part)
            throws AlbisDataException
    {
        if (checksum.of(buffer, begin, length) != expectedChecksum) {
            throw damaged("Damaged Albis file %s: %s, %s: the checksum of its %s bytes at %s does not match", input.location(), place(segment), part, length, offset);
        }
    }

    /**
     * What is wrong with bytes whose checksum matches.
     */
    AlbisDataException invalid(int segment, Exception cause)
    {
        AlbisDataException exception = damaged("Damaged Albis file %s: %s: %s", input.location(), place(segment), cause.getMessage());
        exception.initCause(cause);
        return exception;
    }

    private String place(int segment)
    {
        return "column group %s, segment %s".formatted(id, segment);
    }

    @Override
    public void close()
            throws IOException
    {
        input.close();
    }
}
