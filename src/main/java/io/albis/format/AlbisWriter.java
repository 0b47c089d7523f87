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
 * Writes rows into a folder (Albis paper, section 3.2 and Table 4). Any number of writers may write into one folder. Rows
 * can be read once the writer is closed; all at once; those of a writer that dies before are never seen. Not thread safe.
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
    // or in the middle of what may
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
     * @param index of the column in {@link AlbisSchema#columns}
     * @param value in the form of {@link JavaValues}; may be null
     * @throws IllegalArgumentException if this is no value of the type of the column
     */
    public void setValue(int index, @Nullable Object value)
    {
        row[index] = JavaValues.toNative(schema.columns().get(index).type(), value);
    }

    /**
     * Ends the current row.
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
     * Writes many rows: the vector interface.
     *
     * @param page a channel for each column of the schema
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
     * Writes what is left, and shows all rows to readers at once. After a write that failed, removes what was written instead.
     *
     * @throws IOException if rows could not be written, and none are seen; or if only the answer of storage to the last step was
     *         lost, in which case it is not known whether they are seen
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
