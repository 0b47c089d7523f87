package io.albis.format.scan;

import io.airlift.slice.Slices;
import io.albis.format.io.AlbisDataException;
import io.albis.format.io.FileFrame;
import io.albis.format.io.FileKind;
import io.albis.format.io.RunChecksum;
import io.albis.format.io.StorageInput;
import jakarta.annotation.Nullable;

import java.io.Closeable;
import java.io.IOException;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

import static io.albis.format.io.AlbisDataException.damaged;
import static java.util.Objects.requireNonNull;

/**
 * The data file of a column group: reads ranges of it, knows which were read ahead, and checks what was read. Not thread
 * safe, but for {@link #request}.
 */
final class DataFile
        implements Closeable
{
    private final UUID id;
    private final StorageInput input;
    private final RunChecksum checksum;
    // by where they begin; they do not overlap
    private final NavigableMap<Long, PlannedRead> planned = new TreeMap<>();
    private boolean headerChecked;

    DataFile(UUID id, StorageInput input)
    {
        this.id = requireNonNull(id, "id is null");
        this.input = requireNonNull(input, "input is null");
        this.checksum = new RunChecksum(id);
    }

    /**
     * Where a read of what stands at an offset begins. The header is read with what stands behind it; what is read elsewhere
     * is bound to the file by its checksums.
     */
    long readBegin(long offset)
    {
        return offset == FileFrame.HEADER_SIZE && !headerChecked ? 0 : offset;
    }

    /**
     * Reads and checks the header if the range begins with it.
     */
    void read(long begin, byte[] buffer, int length, int segment)
            throws IOException
    {
        try {
            request(begin, buffer, length);
        }
        catch (AlbisDataException e) {
            throw e.at(place(segment));
        }
        checkHeader(begin, buffer, segment);
    }

    /**
     * Looks whether the file has a range before memory is taken for it, if that is much.
     */
    void checkSize(long begin, long length, int segment)
            throws IOException
    {
        try {
            input.checkSize(begin, length);
        }
        catch (AlbisDataException e) {
            throw e.at(place(segment));
        }
    }

    /**
     * Reads and checks nothing. Any thread may do that.
     */
    void request(long begin, byte[] buffer, int length)
            throws IOException
    {
        input.readFully(begin, buffer, length);
    }

    /**
     * Checks the header if what was read begins with it.
     */
    void checkHeader(long begin, byte[] buffer, int segment)
            throws AlbisDataException
    {
        if (begin > 0 || headerChecked) {
            return;
        }
        try {
            FileFrame.checkHeader(input.location(), FileKind.DATA, Optional.of(id), Slices.wrappedBuffer(buffer, 0, FileFrame.HEADER_SIZE));
        }
        catch (AlbisDataException e) {
            throw e.at(place(segment));
        }
        headerChecked = true;
    }

    void plan(PlannedRead read)
    {
        planned.put(read.begin(), read);
    }

    void forget(PlannedRead read)
    {
        planned.remove(read.begin(), read);
    }

    /**
     * The planned read that has at least a part of a range.
     */
    @Nullable
    PlannedRead findPlanned(long begin, long end)
    {
        Map.Entry<Long, PlannedRead> last = planned.lowerEntry(end);
        return last == null || last.getValue().end() <= begin ? null : last.getValue();
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
