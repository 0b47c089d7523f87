package io.albis.format.run;

import io.albis.format.io.FileFrame;
import io.albis.format.io.FileKind;
import io.albis.format.io.RunChecksum;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.UUID;

import static com.google.common.base.Preconditions.checkState;
import static java.util.Objects.requireNonNull;

/**
 * The data file of a column group that is being written: runs with their padding and checksums.
 */
public final class ChunkOutput
{
    // of the buffer, for a next run that is a little larger
    private static final int MAX_GROWTH = 1 << 18;

    private final OutputStream output;
    private final RunChecksum checksum;
    private final UUID id;
    private byte[] buffer = new byte[1 << 14];
    private long offset;

    /**
     * @param output is closed by this
     */
    public ChunkOutput(OutputStream output, UUID id)
    {
        this.output = requireNonNull(output, "output is null");
        this.checksum = new RunChecksum(id);
        this.id = requireNonNull(id, "id is null");
    }

    /**
     * Comes first.
     */
    public void writeHeader()
            throws IOException
    {
        checkState(offset == 0, "the header is there");
        output.write(FileFrame.header(FileKind.DATA, id).byteArray(), 0, FileFrame.HEADER_SIZE);
        offset = FileFrame.HEADER_SIZE;
    }

    /**
     * Bytes that were written so far, with the header.
     */
    public long offset()
    {
        return offset;
    }

    /**
     * Room for the next run, with some bytes to spare behind it.
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
     * Writes what is in the buffer.
     */
    public Run write(int length, int nulls)
            throws IOException
    {
        Arrays.fill(buffer, length, Run.padded(length), (byte) 0);
        return write(buffer, 0, length, nulls);
    }

    /**
     * @param bytes has the padding of the run behind it
     */
    public Run write(byte[] bytes, int begin, int length, int nulls)
            throws IOException
    {
        int padded = Run.padded(length);
        output.write(bytes, begin, padded);
        offset += padded;
        return new Run(length, checksum.of(bytes, begin, padded), nulls);
    }

    public long retainedSize()
    {
        return buffer.length;
    }

    public void close()
            throws IOException
    {
        output.close();
    }
}
