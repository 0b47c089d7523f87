package io.albis.trino;

import com.google.inject.Inject;
import io.albis.format.AlbisColumn;
import io.albis.format.filter.RowFilters;
import io.albis.format.reader.MetadataSource;
import io.albis.format.reader.ReaderOptions;
import io.albis.format.reader.ReaderResources;
import io.albis.format.reader.RowGroupReader;
import io.albis.format.reader.RowGroupScan;
import io.albis.format.reader.SegmentShare;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystemFactory;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.ConnectorPageSourceProvider;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorSplit;
import io.trino.spi.connector.ConnectorTableCredentials;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.connector.DynamicFilter;
import io.trino.spi.connector.EmptyPageSource;
import io.trino.spi.connector.MemoryContext;
import io.trino.spi.predicate.TupleDomain;

import java.util.List;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.trino.AlbisErrors.translate;
import static io.albis.trino.AlbisSessionProperties.isDynamicRowFiltering;
import static io.albis.trino.AlbisSessionProperties.isLazyReading;
import static io.albis.trino.AlbisSessionProperties.isRowFiltering;
import static io.albis.trino.AlbisSessionProperties.isSegmentPruning;
import static java.util.Objects.requireNonNull;

class AlbisPageSourceProvider
        implements ConnectorPageSourceProvider
{
    private final TrinoFileSystemFactory fileSystemFactory;
    private final ReaderResources resources;

    @Inject
    public AlbisPageSourceProvider(TrinoFileSystemFactory fileSystemFactory, MetadataSource metadata)
    {
        this.fileSystemFactory = requireNonNull(fileSystemFactory, "fileSystemFactory is null");
        this.resources = new ReaderResources(metadata);
    }

    @Override
    public ConnectorPageSource createPageSource(
            ConnectorTransactionHandle transaction,
            ConnectorSession session,
            ConnectorSplit split,
            ConnectorTableHandle table,
            Optional<ConnectorTableCredentials> tableCredentials,
            List<ColumnHandle> columns,
            DynamicFilter dynamicFilter,
            MemoryContext memoryContext)
    {
        AlbisSplit albisSplit = (AlbisSplit) split;
        AlbisTableHandle handle = (AlbisTableHandle) table;
        // what the reader cannot evaluate has done its work when row groups were left out
        TupleDomain<AlbisColumn> predicate = handle.enforced()
                .intersect(handle.pruning().filter((column, domain) -> RowFilters.isEnforceable(column.type(), domain)))
                .transformKeys(AlbisColumnHandle::toColumn);
        SegmentShare share = albisSplit.share();
        DynamicPredicate dynamicPredicate = new DynamicPredicate(isDynamicRowFiltering(session) ? dynamicFilter : DynamicFilter.EMPTY);
        if (dynamicPredicate.get().isNone()) {
            return new EmptyPageSource();
        }
        // Which rows a part has is known to the reader only: the first part counts all of them. The dynamic filter has no say in
        // that, as it may be there for some parts and not yet for others
        if (columns.isEmpty() && predicate.isAll() && (share.count() > 1 || dynamicPredicate.get().isAll())) {
            return new CountingPageSource(share.index() == 0 ? albisSplit.rowGroup().rows() : 0);
        }

        List<AlbisColumn> albisColumns = columns.stream()
                .map(AlbisColumnHandle.class::cast)
                .map(AlbisColumnHandle::toColumn)
                .collect(toImmutableList());
        RowGroupReader reader = translate(() -> RowGroupReader.open(
                fileSystemFactory.create(session),
                Location.of(handle.folder()),
                albisSplit.rowGroup(),
                new RowGroupScan(albisColumns, predicate, dynamicPredicate, share),
                readerOptions(session, handle),
                resources));
        return new AlbisPageSource(reader, share.index() == 0, albisColumns.size(), memoryContext);
    }

    private static ReaderOptions readerOptions(ConnectorSession session, AlbisTableHandle table)
    {
        return new ReaderOptions(
                isSegmentPruning(session),
                // once the engine leaves a predicate to the connector, nobody else evaluates it
                isRowFiltering(session) || !table.enforced().isAll(),
                isDynamicRowFiltering(session),
                isLazyReading(session));
    }
}
