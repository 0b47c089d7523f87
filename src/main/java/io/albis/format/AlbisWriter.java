package io.albis.format;

import io.airlift.slice.Slice;
import io.albis.format.metadata.RowGroup;
import io.albis.format.metadata.SchemaFile;
import io.albis.format.type.JavaValues;
import io.albis.format.type.ScalarTypes;
import io.albis.format.writer.OutputFiles;
import io.albis.format.writer.RowGroupsWriter;
import io.albis.format.writer.WriterOptions;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.TrinoInputFile;
import io.trino.spi.Page;
import io.trino.spi.PageBuilder;
import io.trino.spi.type.TypeUtils;
import jakarta.annotation.Nullable;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;
import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * Writes rows into a folder (Albis paper, section 3.2 and Table 4). Any number of writers may write into one folder. Rows
 * can be read once the writer is closed; those of a writer that dies before are never seen. Not thread safe.
 */
public final class AlbisWriter
        implements Closeable
{
    private final AlbisSchema schema;
    private final RowGroupsWriter writer;
    private final PageBuilder pageBuilder;
    private final Object[] row;
    @Nullable
    private List<RowGroup> rowGroups;
    private boolean failed;

    static AlbisWriter open(TrinoFileSystem fileSystem, Location folder, AlbisSchema schema, WriterOptions options)
            throws IOException
    {
        Location schemaFile = folder.appendPath(SchemaFile.NAME);
        TrinoInputFile existing = fileSystem.newInputFile(schemaFile);
        if (existing.exists()) {
            AlbisSchema existingSchema = AlbisReader.readSchema(fileSystem, folder, new ScalarTypes());
            checkArgument(existingSchema.equals(schema), "%s has another schema: %s", folder, existingSchema);
        }
        else {
            Slice file = SchemaFile.encode(schema);
            try (OutputStream output = OutputFiles.create(fileSystem, schemaFile)) {
                output.write(file.byteArray(), file.byteArrayOffset(), file.length());
            }
        }
        return new AlbisWriter(schema, new RowGroupsWriter(fileSystem, folder, schema, options));
    }

    private AlbisWriter(AlbisSchema schema, RowGroupsWriter writer)
    {
        this.schema = schema;
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
        checkState(rowGroups == null, "the writer is closed");
        pageBuilder.declarePosition();
        for (int column = 0; column < row.length; column++) {
            TypeUtils.writeNativeValue(schema.columns().get(column).type(), pageBuilder.getBlockBuilder(column), row[column]);
            row[column] = null;
        }
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
        checkState(rowGroups == null, "the writer is closed");
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
        try {
            writer.append(page);
        }
        catch (IOException | RuntimeException e) {
            failed = true;
            throw e;
        }
    }

    /**
     * Writes what is left. After a write that failed, removes what was written instead.
     */
    @Override
    public void close()
            throws IOException
    {
        if (rowGroups != null) {
            return;
        }
        if (failed) {
            rowGroups = List.of();
            writer.abort();
            return;
        }
        flush();
        rowGroups = writer.finish();
    }
}
