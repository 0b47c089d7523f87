package io.albis.format;

import com.google.common.collect.ImmutableList;
import io.albis.format.metadata.RowGroup;
import io.albis.format.scan.AlbisBatch;
import io.albis.format.scan.ReaderOptions;
import io.albis.format.scan.RowGroupReader;
import io.albis.format.scan.RowGroupScan;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.RowGroupSchema;
import io.albis.format.update.ColumnRewriter;
import io.albis.format.update.SegmentTooLargeException;
import io.albis.format.write.RollingRowGroupWriter;
import io.albis.format.write.WriterOptions;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.predicate.TupleDomain;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;

/**
 * Copies the row groups of a folder into another folder. The procedure {@code regroup} of a table rewrites its row
 * groups with the same {@link ColumnRewriter}, and {@code optimize} merges them with the same
 * {@link RollingRowGroupWriter}.
 */
final class FolderCopy
{
    private final TrinoFileSystem fileSystem;
    private final Location folder;
    private final List<AlbisColumn> columns;
    private final Location target;
    private final RowGroupSchema targetSchema;
    private final WriterOptions options;

    private final List<RowGroup> copies = new ArrayList<>();
    private final RollingRowGroupWriter merged;

    private FolderCopy(TrinoFileSystem fileSystem, Location folder, List<AlbisColumn> columns, Location target, RowGroupSchema targetSchema, WriterOptions options)
    {
        this.fileSystem = fileSystem;
        this.folder = folder;
        this.columns = columns;
        this.target = target;
        this.targetSchema = targetSchema;
        this.options = options;
        this.merged = new RollingRowGroupWriter(fileSystem, target, targetSchema, options);
    }

    /**
     * Copies the rows of all writers that have finished.
     *
     * @param merge whether the copy has full row groups instead of those of the folder
     */
    static void copy(TrinoFileSystem fileSystem, AlbisSchema schema, Location folder, AlbisSchema targetSchema, Location target, WriterOptions options, boolean merge)
            throws IOException
    {
        AlbisFolder source = new AlbisFolder(fileSystem, folder);
        source.check(schema.rowGroupSchema());
        AlbisFolder targetFolder = new AlbisFolder(fileSystem, target);
        List<AlbisColumn> columns = columns(schema, targetSchema);
        targetFolder.claim(targetSchema.rowGroupSchema());
        checkState(targetFolder.rowGroups().isEmpty(), "Folder %s already has rows", target);
        List<RowGroup> rowGroups = new FolderCopy(fileSystem, folder, columns, target, targetSchema.rowGroupSchema(), options).write(source.rowGroups(), merge);
        if (!rowGroups.isEmpty()) {
            targetFolder.publish(rowGroups);
        }
    }

    private static List<AlbisColumn> columns(AlbisSchema schema, AlbisSchema targetSchema)
    {
        ImmutableList.Builder<AlbisColumn> columns = ImmutableList.builder();
        for (AlbisColumn column : targetSchema.columns()) {
            AlbisColumn source = schema.column(column.name());
            checkArgument(source.type().equals(column.type()), "Column %s has type %s, but the copy has type %s", column.name(), source.type().getDisplayName(), column.type().getDisplayName());
            columns.add(source);
        }
        return columns.build();
    }

    private List<RowGroup> write(List<RowGroup> rowGroups, boolean merge)
            throws IOException
    {
        try {
            for (RowGroup rowGroup : rowGroups) {
                if (merge) {
                    merge(rowGroup);
                }
                else {
                    copy(rowGroup);
                }
            }
            copies.addAll(merged.finish());
            return ImmutableList.copyOf(copies);
        }
        catch (Throwable e) {
            abort(e);
            throw e;
        }
    }

    private void copy(RowGroup rowGroup)
            throws IOException
    {
        try {
            copies.add(ColumnRewriter.copy(fileSystem, folder, rowGroup, columns, target, targetSchema, options));
        }
        catch (SegmentTooLargeException _) {
            // The rows of one segment are too large for one of the new column groups
            merge(rowGroup);
        }
    }

    private void merge(RowGroup rowGroup)
            throws IOException
    {
        try (RowGroupReader reader = RowGroupReader.open(fileSystem, folder, rowGroup, RowGroupScan.of(columns, TupleDomain.all()), ReaderOptions.DEFAULTS)) {
            for (AlbisBatch batch = reader.next(); batch != null; batch = reader.next()) {
                Block[] blocks = new Block[columns.size()];
                for (int column = 0; column < blocks.length; column++) {
                    blocks[column] = batch.block(column);
                }
                merged.append(new Page(batch.positionCount(), blocks));
            }
        }
    }

    private void abort(Throwable reason)
    {
        try {
            merged.abort();
        }
        catch (IOException | RuntimeException e) {
            reason.addSuppressed(e);
        }
        try {
            fileSystem.deleteFiles(RollingRowGroupWriter.files(target, copies));
        }
        catch (IOException | RuntimeException e) {
            reason.addSuppressed(e);
        }
    }
}
