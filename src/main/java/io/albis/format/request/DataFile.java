package io.albis.format.request;

import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.albis.format.io.AlbisDataException;
import io.albis.format.io.FileFrame;
import io.albis.format.io.FileKind;
import io.albis.format.io.PageChecksum;
import io.albis.format.io.StorageInput;
import io.albis.format.run.RunDecompressor;
import io.albis.format.run.StoredBytes;
import jakarta.annotation.Nullable;

import java.io.Closeable;
import java.io.IOException;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

import static io.albis.format.io.AlbisDataException.damaged;
import static java.lang.Math.min;
import static java.util.Objects.requireNonNull;

/**
 * The data file of a column group. Reads ranges of the file, keeps track of planned reads, and verifies checksums. Not
 * thread safe, except for {@link #request}.
 */
public final class DataFile
        implements Closeable
{
    /**
     * Stands for the segment in the error messages of bytes that belong to none.
     */
    public static final int NO_SEGMENT = -1;

    private final UUID id;
    private final StorageInput input;
    private final PageChecksum checksum;
    private final RunDecompressor decompressor = new RunDecompressor();
    // by the offset of the first byte; they do not overlap
    private final NavigableMap<Long, PlannedRead> planned = new TreeMap<>();
    // The last result of a lookup, which is tried first because the runs of a column follow each other
    @Nullable
    private PlannedRead lastFound;
    private boolean headerChecked;

    public DataFile(UUID id, StorageInput input)
    {
        this.id = requireNonNull(id, "id is null");
        this.input = requireNonNull(input, "input is null");
        this.checksum = new PageChecksum(id);
    }

    /**
     * Returns a reader of the same file that another thread may use. It is closed with this one.
     */
    public DataFile forOtherThread()
    {
        return new DataFile(id, input);
    }

    /**
     * Returns the offset at which a read of the bytes at {@code offset} begins. The first read of the bytes after the
     * header includes the header. Reads of other bytes need no header, because the checksums bind the bytes to the
     * file.
     */
    long readBegin(long offset)
    {
        return offset == FileFrame.HEADER_SIZE && !headerChecked ? 0 : offset;
    }

    /**
     * Reads a range, and checks the header if the range begins with it.
     *
     * @param offset where the range begins in the buffer; 0 if the range begins with the header
     */
    void read(long begin, byte[] buffer, int offset, int length, int segment)
            throws IOException
    {
        try {
            input.readFully(begin, buffer, offset, length);
        }
        catch (AlbisDataException e) {
            throw e.at(place(segment));
        }
        checkHeader(begin, buffer, segment);
    }

    /**
     * Checks that the file has a range before memory is allocated for it, if the range is large.
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
     * Reads a range without checks. Thread safe.
     */
    void request(long begin, byte[] buffer, int length)
            throws IOException
    {
        input.readFully(begin, buffer, length);
    }

    /**
     * Checks the header if a range that was read begins with it.
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

    /**
     * Records a planned read until {@link #forget}.
     */
    void plan(PlannedRead read)
    {
        planned.put(read.begin(), read);
    }

    void forget(PlannedRead read)
    {
        planned.remove(read.begin(), read);
        if (lastFound == read) {
            lastFound = null;
        }
    }

    /**
     * Returns the planned read that contains at least a part of a range, or null.
     */
    @Nullable
    PlannedRead findPlanned(long begin, long end)
    {
        // called for each run of each column, so it avoids the lookup if it can
        if (planned.isEmpty()) {
            return null;
        }
        if (lastFound != null && lastFound.begin() <= begin && end <= lastFound.end()) {
            return lastFound;
        }
        Map.Entry<Long, PlannedRead> last = planned.lowerEntry(end);
        if (last == null || last.getValue().end() <= begin) {
            return null;
        }
        lastFound = last.getValue();
        return lastFound;
    }

    /**
     * Reads and verifies a part of a range that belongs to no chunk. The pages that contain it are read.
     *
     * @param offset offset of the range in the file
     * @param begin where the part begins in the range
     * @param end where the part ends in the range
     * @param part name of the part, for the error message
     */
    public Slice readPart(StoredBytes range, long offset, int begin, int end, String part)
            throws IOException
    {
        if (begin == end) {
            return Slices.EMPTY_SLICE;
        }
        int firstPage = begin / PageChecksum.PAGE_SIZE;
        int endPage = PageChecksum.pages(end);
        int readBegin = firstPage * PageChecksum.PAGE_SIZE;
        int readEnd = (int) min((long) endPage * PageChecksum.PAGE_SIZE, range.paddedLength());
        checkSize(offset + readBegin, readEnd - readBegin, NO_SEGMENT);
        byte[] buffer = new byte[readEnd - readBegin];
        read(offset + readBegin, buffer, 0, buffer.length, NO_SEGMENT);
        check(buffer, -readBegin, range, firstPage, endPage, offset, NO_SEGMENT, part);
        return Slices.wrappedBuffer(buffer, begin - readBegin, end - begin);
    }

    /**
     * Verifies the checksums of a part of a chunk.
     *
     * @param buffer array that contains the part at {@code begin}
     * @param offset offset of the part in the file
     * @param part name of the part, for the error message
     */
    void check(byte[] buffer, int begin, StoredBytes stored, long offset, int segment, String part)
            throws AlbisDataException
    {
        check(buffer, begin, stored, 0, stored.checksums().length, offset, segment, part);
    }

    /**
     * Verifies the checksums of some pages of a part of a chunk.
     *
     * @param buffer array that contains the part at {@code begin}, of which only the pages need to have been read
     * @param endPage index after the last page
     * @param offset offset of the part in the file
     * @param part name of the part, for the error message
     */
    void check(byte[] buffer, int begin, StoredBytes stored, int firstPage, int endPage, long offset, int segment, String part)
            throws AlbisDataException
    {
        int length = stored.paddedLength();
        int[] checksums = stored.checksums();
        for (int page = firstPage; page < endPage; page++) {
            int position = page * PageChecksum.PAGE_SIZE;
            int pageLength = PageChecksum.pageLength(length, page);
            if (checksum.of(offset + position, buffer, begin + position, pageLength) != checksums[page]) {
                throw damaged("Damaged Albis file %s: %s, %s: the checksum of the %s bytes at %s does not match", input.location(), place(segment), part, pageLength, offset + position);
            }
        }
    }

    /**
     * Decompresses a part of a chunk whose checksums have been verified.
     *
     * @param output receives the bytes at its beginning
     * @param part name of the part, for the error message
     * @return the output
     */
    byte[] decompress(StoredBytes stored, byte[] buffer, int begin, byte[] output, int segment, String part)
            throws AlbisDataException
    {
        try {
            decompressor.decompress(stored, buffer, begin, output);
            return output;
        }
        catch (IllegalArgumentException e) {
            throw invalid(segment, new IllegalArgumentException(part + ": " + e.getMessage(), e));
        }
    }

    /**
     * Creates the exception for bytes whose checksum matches and whose content is invalid.
     */
    public AlbisDataException invalid(int segment, Exception cause)
    {
        AlbisDataException exception = damaged("Damaged Albis file %s: %s: %s", input.location(), place(segment), cause.getMessage());
        exception.initCause(cause);
        return exception;
    }

    private String place(int segment)
    {
        return segment == NO_SEGMENT ? "column group %s".formatted(id) : "column group %s, segment %s".formatted(id, segment);
    }

    @Override
    public void close()
            throws IOException
    {
        input.close();
    }
}
