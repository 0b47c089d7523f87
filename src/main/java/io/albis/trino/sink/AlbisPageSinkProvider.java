package io.albis.trino.sink;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Iterators;
import com.google.common.collect.Maps;
import com.google.inject.Inject;
import io.albis.format.delete.DeletesWriter;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.RowGroupSchema;
import io.albis.format.write.PageWriter;
import io.albis.format.write.RollingRowGroupWriter;
import io.albis.table.model.SortColumn;
import io.albis.table.partition.PartitionedWriter;
import io.albis.table.sketch.PageSketcher;
import io.albis.trino.handle.AlbisColumnHandle;
import io.albis.trino.handle.AlbisMergeTableHandle;
import io.albis.trino.handle.AlbisTableHandle;
import io.albis.trino.handle.AlbisWritableTableHandle;
import io.albis.trino.handle.ColumnRewriteHandle;
import io.albis.trino.handle.EarlierDeletes;
import io.albis.trino.pushdown.PruningPredicate;
import io.albis.trino.sort.RowSorter;
import io.albis.trino.sort.SpilledSequences;
import io.albis.trino.storage.ForAlbis;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.TrinoFileSystemFactory;
import io.trino.spi.PageSorter;
import io.trino.spi.connector.ConnectorInsertTableHandle;
import io.trino.spi.connector.ConnectorMergeSink;
import io.trino.spi.connector.ConnectorMergeTableHandle;
import io.trino.spi.connector.ConnectorOutputTableHandle;
import io.trino.spi.connector.ConnectorPageSink;
import io.trino.spi.connector.ConnectorPageSinkId;
import io.trino.spi.connector.ConnectorPageSinkProvider;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableCredentials;
import io.trino.spi.connector.ConnectorTableExecuteHandle;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.connector.SortOrder;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.type.Type;

import java.lang.ref.Cleaner;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.airlift.concurrent.Threads.daemonThreadsNamed;
import static io.albis.trino.config.AlbisSessionProperties.getPartitionBufferSize;
import static io.albis.trino.config.AlbisSessionProperties.getSortBufferSize;
import static io.albis.trino.error.AlbisErrors.translate;
import static java.util.Objects.requireNonNull;

/**
 * Creates the sinks of CREATE TABLE AS and INSERT, of DELETE, UPDATE, and MERGE, and of ALTER TABLE EXECUTE.
 */
public class AlbisPageSinkProvider
        implements ConnectorPageSinkProvider
{
    private final TrinoFileSystemFactory fileSystemFactory;
    private final WriteStats stats;
    private final TableVersions versions;
    private final PageSorter pageSorter;
    private final Cleaner cleaner = Cleaner.create(daemonThreadsNamed("albis-dropped-merge-sinks-%s"));

    @Inject
    public AlbisPageSinkProvider(@ForAlbis TrinoFileSystemFactory fileSystemFactory, WriteStats stats, TableVersions versions, PageSorter pageSorter)
    {
        this.fileSystemFactory = requireNonNull(fileSystemFactory, "fileSystemFactory is null");
        this.stats = requireNonNull(stats, "stats is null");
        this.versions = requireNonNull(versions, "versions is null");
        this.pageSorter = requireNonNull(pageSorter, "pageSorter is null");
    }

    @Override
    public ConnectorPageSink createPageSink(
            ConnectorTransactionHandle transactionHandle,
            ConnectorSession session,
            ConnectorOutputTableHandle outputTableHandle,
            Optional<ConnectorTableCredentials> tableCredentials,
            ConnectorPageSinkId pageSinkId)
    {
        return createPageSink(session, (AlbisWritableTableHandle) outputTableHandle);
    }

    @Override
    public ConnectorPageSink createPageSink(
            ConnectorTransactionHandle transactionHandle,
            ConnectorSession session,
            ConnectorInsertTableHandle insertTableHandle,
            Optional<ConnectorTableCredentials> tableCredentials,
            ConnectorPageSinkId pageSinkId)
    {
        return createPageSink(session, (AlbisWritableTableHandle) insertTableHandle);
    }

    /**
     * Creates a sink for new rows of a table.
     */
    public RowSink createPageSink(ConnectorSession session, AlbisWritableTableHandle handle)
    {
        return createPageSink(session, fileSystemFactory.create(session), handle);
    }

    /**
     * Creates a writer that writes columns of row groups again.
     */
    public UnitRewriter createRewriter(ConnectorSession session, ColumnRewriteHandle handle, List<RowGroup> rowGroups)
    {
        return new UnitRewriter(fileSystemFactory.create(session), handle, rowGroups, stats);
    }

    /**
     * Creates a sink for what the scan of a procedure has written.
     */
    @Override
    public ConnectorPageSink createPageSink(
            ConnectorTransactionHandle transactionHandle,
            ConnectorSession session,
            ConnectorTableExecuteHandle tableExecuteHandle,
            Optional<ConnectorTableCredentials> tableCredentials,
            ConnectorPageSinkId pageSinkId)
    {
        return new OptimizePageSink();
    }

    @Override
    public ConnectorMergeSink createMergeSink(
            ConnectorTransactionHandle transactionHandle,
            ConnectorSession session,
            ConnectorMergeTableHandle mergeHandle,
            Optional<ConnectorTableCredentials> tableCredentials,
            ConnectorPageSinkId pageSinkId)
    {
        AlbisMergeTableHandle handle = (AlbisMergeTableHandle) mergeHandle;
        AlbisWritableTableHandle target = handle.target();
        TrinoFileSystem fileSystem = fileSystemFactory.create(session);
        Location tableFolder = Location.of(target.folder());
        MergeSinkFiles files = new MergeSinkFiles(
                createPageSink(session, fileSystem, target),
                new DeletesWriter(fileSystem, tableFolder, target.writeId().newId()),
                new InPlaceUpdates(fileSystem, target, handle.updates(), () -> rowGroups(session, handle), stats));
        return new AlbisMergeSink(files, handle, fileSystem, rowGroupIds -> earlierDeletes(session, handle, rowGroupIds), cleaner);
    }

    /**
     * Returns the row groups that had deleted rows before a statement. If they are too many for the handle, those of
     * the given ids are read here, from the version that the statement reads. The others are not kept, because each
     * writer of a node reads the manifests.
     */
    private EarlierDeletes earlierDeletes(ConnectorSession session, AlbisMergeTableHandle handle, Set<UUID> rowGroupIds)
    {
        return handle.earlierDeletes().orElseGet(() -> translate(() -> {
            TupleDomain<AlbisColumn> predicate = PruningPredicate.of(handle.tableHandle().predicate());
            Iterator<RowGroup> changed = Iterators.filter(
                    versions.load(session, handle.tableHandle()).iterate(predicate),
                    rowGroup -> rowGroupIds.contains(rowGroup.id()));
            return EarlierDeletes.of(ImmutableList.copyOf(changed), predicate);
        }));
    }

    /**
     * Returns the row groups that a statement may update. They are read on the worker, because there may be too many of
     * them for the handle, which is sent with each task.
     */
    private Map<UUID, RowGroup> rowGroups(ConnectorSession session, AlbisMergeTableHandle handle)
    {
        AlbisTableHandle table = handle.tableHandle();
        List<RowGroup> rowGroups = translate(() -> versions.load(session, table).select(PruningPredicate.of(table.predicate())).rowGroups());
        return Maps.uniqueIndex(rowGroups, RowGroup::id);
    }

    private RowSink createPageSink(ConnectorSession session, TrinoFileSystem fileSystem, AlbisWritableTableHandle handle)
    {
        RowGroupSchema schema = handle.schema();
        Location tableFolder = Location.of(handle.folder());
        Supplier<RollingRowGroupWriter> writers = () -> new RollingRowGroupWriter(
                fileSystem,
                tableFolder,
                schema,
                handle.writerOptions(),
                handle.writeId()::newId);
        PageWriter writer = handle.partitionedBy().isEmpty() ? writers.get() : new PartitionedWriter(fileSystem, tableFolder, handle.partitionedBy(), schema, writers, getPartitionBufferSize(session).toBytes());
        AlbisPageSink sink = new AlbisPageSink(writer, new PageSketcher(schema.columns()), stats);
        if (handle.sortedBy().isEmpty()) {
            return sink;
        }
        RowSorter sorter = sorter(handle);
        long maxBytes = getSortBufferSize(session).toBytes();
        return new SortingPageSink(sink, sorter, new SpilledSequences(fileSystem, tableFolder, schema, handle.writeId()::newId, sorter, maxBytes), maxBytes);
    }

    private RowSorter sorter(AlbisWritableTableHandle handle)
    {
        List<Type> types = handle.columns().stream()
                .map(AlbisColumnHandle::type)
                .collect(toImmutableList());
        List<Integer> ids = handle.columns().stream()
                .map(AlbisColumnHandle::id)
                .collect(toImmutableList());
        List<Integer> channels = handle.sortedBy().stream()
                .map(column -> ids.indexOf(column.columnId()))
                .collect(toImmutableList());
        List<SortOrder> orders = handle.sortedBy().stream()
                .map(AlbisPageSinkProvider::order)
                .collect(toImmutableList());
        return new RowSorter(pageSorter, types, channels, orders);
    }

    private static SortOrder order(SortColumn column)
    {
        if (column.ascending()) {
            return column.nullsFirst() ? SortOrder.ASC_NULLS_FIRST : SortOrder.ASC_NULLS_LAST;
        }
        return column.nullsFirst() ? SortOrder.DESC_NULLS_FIRST : SortOrder.DESC_NULLS_LAST;
    }
}
