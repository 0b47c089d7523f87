package io.albis.format;

import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.type.JavaValues;
import io.albis.format.write.RollingRowGroupWriter;
import io.albis.format.write.WriterOptions;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.spi.Page;
import io.trino.spi.PageBuilder;
import io.trino.spi.type.TypeUtils;
import jakarta.annotation.Nullable;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;

import static com.google.common.base.Preconditions.checkState;
import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * Writes rows into a folder (Albis paper, section 3.2 and Table 4). Any number of writers can write into the same
 * folder at the same time. The rows of a writer become visible atomically when the writer is closed. The rows of a
 * writer that fails before that are never visible. Not thread safe.
 */
public final class AlbisWriter
        implements Closeable
{
    private final AlbisSchema schema;
    private final AlbisFolder folder;
    private final RollingRowGroupWriter writer;
    private final PageBuilder pageBuilder;
    private final Object[] row;
    private boolean closed;
    // also true while an operation that can fail is in progress
    private boolean failed;

    static AlbisWriter open(TrinoFileSystem fileSystem, Location folder, AlbisSchema schema, WriterOptions options)
            throws IOException
    {
        AlbisFolder target = new AlbisFolder(fileSystem, folder);
        target.claim(schema.rowGroupSchema());
        return new AlbisWriter(schema, target, new RollingRowGroupWriter(fileSystem, folder, schema.rowGroupSchema(), options));
    }

    private AlbisWriter(AlbisSchema schema, AlbisFolder folder, RollingRowGroupWriter writer)
    {
        this.schema = schema;
        this.folder = folder;
        this.writer = writer;
        this.row = new Object[schema.columns().size()];
        this.pageBuilder = new PageBuilder(schema.columns().stream()
                .map(AlbisColumn::type)
                .collect(toImmutableList()));
    }

    /**
     * Sets a value of the current row. Columns that are not set are null.
     *
     * @param index position of the column in {@link AlbisSchema#columns}
     * @param value value in the form that {@link JavaValues} describes, or null
     * @throws IllegalArgumentException if the value is not valid for the type of the column
     */
    public void setValue(int index, @Nullable Object value)
    {
        row[index] = JavaValues.toNative(schema.columns().get(index).type(), value);
    }

    /**
     * Finishes the current row and starts the next one.
     *
     * @throws IllegalStateException if the writer is closed, or if a previous write has failed
     */
    public void nextRow()
            throws IOException
    {
        checkState(!closed, "the writer is closed");
        checkState(!failed, "the writer has failed before");
        failed = true;
        pageBuilder.declarePosition();
        for (int column = 0; column < row.length; column++) {
            TypeUtils.writeNativeValue(schema.columns().get(column).type(), pageBuilder.getBlockBuilder(column), row[column]);
            row[column] = null;
        }
        failed = false;
        if (pageBuilder.isFull()) {
            flush();
        }
    }

    /**
     * Writes many rows at once. This is the vector interface.
     *
     * @param page page with one channel for each column of the schema
     * @throws IllegalStateException if the writer is closed, or if a previous write has failed
     */
    public void append(Page page)
            throws IOException
    {
        checkState(!closed, "the writer is closed");
        flush();
        write(page);
    }

    private void flush()
            throws IOException
    {
        if (!pageBuilder.isEmpty()) {
            write(pageBuilder.build());
            pageBuilder.reset();
        }
    }

    private void write(Page page)
            throws IOException
    {
        checkState(!failed, "the writer has failed before");
        failed = true;
        writer.append(page);
        failed = false;
    }

    /**
     * Writes the remaining rows and makes all rows visible to readers atomically. If a previous write has failed, this
     * method removes the files of this writer instead.
     *
     * @throws IOException if the rows could not be written, in which case none of them are visible, or if the
     *         acknowledgement of the last step was lost, in which case it is unknown whether they are visible
     */
    @Override
    public void close()
            throws IOException
    {
        if (closed) {
            return;
        }
        closed = true;
        if (failed) {
            writer.abort();
            return;
        }
        List<RowGroup> rowGroups;
        try {
            flush();
            rowGroups = writer.finish();
        }
        catch (Throwable e) {
            abort(e);
            throw e;
        }
        if (!rowGroups.isEmpty()) {
            folder.publish(rowGroups);
        }
    }

    private void abort(Throwable reason)
    {
        try {
            writer.abort();
        }
        catch (IOException | RuntimeException e) {
            reason.addSuppressed(e);
        }
    }
}
