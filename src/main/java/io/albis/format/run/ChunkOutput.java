package io.albis.format.run;

import io.albis.format.io.FileFrame;
import io.albis.format.io.FileKind;
import io.albis.format.io.PageChecksum;
import io.albis.format.vector.NarrowValues;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.UUID;

import static com.google.common.base.Preconditions.checkState;
import static java.util.Objects.requireNonNull;

/**
 * Writes the runs of a data file with their padding, and computes the checksums of their pages.
 */
public final class ChunkOutput
{
    // Maximum number of bytes by which the buffer is oversized, so that slightly larger runs can reuse it.
    private static final int MAX_GROWTH = 1 << 18;

    private final OutputStream output;
    private final PageChecksum checksum;
    private final UUID id;
    private final RunCompressor compressor;
    private byte[] buffer = new byte[1 << 14];
    private long offset;

    /**
     * Creates an output that has not written anything yet.
     *
     * @param output output of the data file; closed by {@link #close}
     * @param id id of the data file
     */
    public ChunkOutput(OutputStream output, UUID id, Compression compression)
    {
        this.output = requireNonNull(output, "output is null");
        this.checksum = new PageChecksum(id);
        this.id = requireNonNull(id, "id is null");
        this.compressor = new RunCompressor(compression);
    }

    /**
     * Writes the file header. Must be called before anything else is written.
     */
    public void writeHeader()
            throws IOException
    {
        checkState(offset == 0, "the header is already written");
        output.write(FileFrame.header(FileKind.DATA, id).byteArray(), 0, FileFrame.HEADER_SIZE);
        offset = FileFrame.HEADER_SIZE;
    }

    /**
     * Returns the number of bytes written so far, including the header.
     */
    public long offset()
    {
        return offset;
    }

    /**
     * Returns a buffer for the next run. It has room for the padding and for {@link NarrowValues#SLACK} more bytes.
     *
     * @param size length of the run in bytes
     */
    public byte[] buffer(int size)
    {
        int needed = Run.padded(size) + NarrowValues.SLACK;
        if (buffer.length < needed) {
            buffer = new byte[needed + Math.min(needed / 4, MAX_GROWTH)];
        }
        return buffer;
    }

    /**
     * Writes the first {@code length} bytes of the buffer as a run or a dictionary.
     */
    public StoredBytes write(int length)
            throws IOException
    {
        Arrays.fill(buffer, length, Run.padded(length), (byte) 0);
        return write(buffer, 0, length);
    }

    /**
     * Writes a run from an array, compressed if that makes it smaller. The run must be followed by its padding.
     */
    public StoredBytes write(byte[] bytes, int begin, int length)
            throws IOException
    {
        int compressed = compressor.compress(bytes, begin, length);
        if (compressed == 0) {
            return StoredBytes.plain(length, writePages(bytes, begin, length));
        }
        Arrays.fill(compressor.buffer(), compressed, Run.padded(compressed), (byte) 0);
        return new StoredBytes(compressor.compression(), compressed, length, writePages(compressor.buffer(), 0, compressed));
    }

    /**
     * Writes bytes that are not part of a chunk, without compression.
     *
     * @param bytes the bytes, followed by their padding
     */
    public StoredBytes writePlain(byte[] bytes, int length)
            throws IOException
    {
        return StoredBytes.plain(length, writePages(bytes, 0, length));
    }

    private int[] writePages(byte[] bytes, int begin, int length)
            throws IOException
    {
        int padded = Run.padded(length);
        int[] checksums = new int[PageChecksum.pages(padded)];
        for (int page = 0; page < checksums.length; page++) {
            int position = page * PageChecksum.PAGE_SIZE;
            checksums[page] = checksum.of(offset + position, bytes, begin + position, PageChecksum.pageLength(padded, page));
        }
        output.write(bytes, begin, padded);
        offset += padded;
        return checksums;
    }

    /**
     * Writes the zeros at the end of the file. Nothing is written after them.
     */
    public void writeEnd()
            throws IOException
    {
        output.write(new byte[Segment.END_SLACK]);
        offset += Segment.END_SLACK;
    }

    public long retainedSize()
    {
        return buffer.length + compressor.retainedSize();
    }

    public void close()
            throws IOException
    {
        output.close();
    }
}
