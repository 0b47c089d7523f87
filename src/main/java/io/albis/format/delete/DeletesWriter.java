package io.albis.format.delete;

import io.airlift.slice.Slice;
import io.albis.format.io.FileFrame;
import io.albis.format.io.FileKind;
import io.albis.format.io.OutputFiles;
import io.albis.format.io.PageChecksum;
import io.albis.format.metadata.DeletedRows;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.memory.context.AggregatedMemoryContext;
import jakarta.annotation.Nullable;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.UUID;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;
import static io.trino.memory.context.AggregatedMemoryContext.newSimpleAggregatedMemoryContext;
import static java.util.Objects.requireNonNull;

/**
 * Writes one deletes file, which contains the deleted rows of any number of row groups. The file is created with its
 * first bitmap. The references are valid once {@link #close} has succeeded.
 */
public final class DeletesWriter
{
    private final TrinoFileSystem fileSystem;
    private final Location location;
    private final UUID file;
    private final AggregatedMemoryContext outputMemory = newSimpleAggregatedMemoryContext();
    private final PageChecksum checksum;
    // null until the file is created
    @Nullable
    private OutputStream output;
    private long offset = FileFrame.HEADER_SIZE;
    private boolean closed;

    /**
     * @param file id of the file, which is never used again
     */
    public DeletesWriter(TrinoFileSystem fileSystem, Location tableFolder, UUID file)
    {
        this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
        this.location = DeletedRows.location(tableFolder, file);
        this.file = file;
        this.checksum = new PageChecksum(file);
    }

    /**
     * Writes all deleted rows of one row group, including those that were deleted before.
     */
    public DeletedRows add(DeletedPositions positions)
            throws IOException
    {
        checkState(!closed, "the writer is closed");
        checkArgument(!positions.isEmpty(), "no rows are deleted");
        if (output == null) {
            output = OutputFiles.create(fileSystem, location, outputMemory);
            Slice header = FileFrame.header(FileKind.DELETES, file);
            output.write(header.byteArray(), header.byteArrayOffset(), header.length());
        }
        byte[] bytes = new byte[positions.bitmap().serializedSizeInBytes()];
        positions.bitmap().serialize(ByteBuffer.wrap(bytes));
        DeletedRows deletedRows = new DeletedRows(file, offset, bytes.length, checksum.of(offset, bytes, 0, bytes.length), positions.cardinality());
        output.write(bytes);
        offset += bytes.length;
        return deletedRows;
    }

    /**
     * Completes the file. Without a bitmap, there is no file.
     */
    public void close()
            throws IOException
    {
        if (!closed) {
            closed = true;
            if (output != null) {
                output.close();
            }
        }
    }

    /**
     * Deletes the file, whether or not it is complete.
     *
     * @throws IOException if the file may remain; it belongs to no table
     */
    public void abort()
            throws IOException
    {
        if (output == null) {
            closed = true;
            return;
        }
        IOException failure = new IOException("Failed to delete file " + location);
        try {
            close();
        }
        catch (IOException | RuntimeException e) {
            failure.addSuppressed(e);
        }
        try {
            fileSystem.deleteFile(location);
        }
        catch (IOException | RuntimeException e) {
            failure.addSuppressed(e);
            throw failure;
        }
    }

    /**
     * Returns the number of bytes that were written.
     */
    public long writtenBytes()
    {
        return output == null ? 0 : offset;
    }

    /**
     * Returns the memory of the buffers of the file in bytes.
     */
    public long memoryUsage()
    {
        return outputMemory.getBytes();
    }
}
