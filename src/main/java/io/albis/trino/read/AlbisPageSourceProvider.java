package io.albis.trino.read;

import com.google.common.collect.ImmutableList;
import io.albis.format.filter.FilterCache;
import io.albis.format.filter.RowFilters;
import io.albis.format.run.SegmentShare;
import io.albis.format.scan.ReaderOptions;
import io.albis.format.scan.RowGroupReader;
import io.albis.format.scan.RowGroupScan;
import io.albis.format.scan.ScanHistory;
import io.albis.format.scan.SegmentOrder;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.search.SearchCache;
import io.albis.format.type.EqualValues;
import io.albis.trino.config.ThresholdSessionProperties;
import io.albis.trino.handle.AlbisColumnHandle;
import io.albis.trino.handle.AlbisSplit;
import io.albis.trino.handle.AlbisTableHandle;
import io.albis.trino.handle.AnswerSplit;
import io.albis.trino.handle.HiddenColumnHandle;
import io.albis.trino.handle.TopN;
import io.albis.trino.pushdown.DynamicPredicate;
import io.albis.trino.topn.BoundsOrder;
import io.albis.trino.topn.TopNPushdown;
import io.albis.trino.topn.TopNRows;
import io.albis.trino.topn.TopNThreshold;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.TrinoFileSystemFactory;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorExpressionEvaluator;
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

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import static io.albis.trino.config.AlbisSessionProperties.isDynamicRowFiltering;
import static io.albis.trino.config.AlbisSessionProperties.isIndexEnabled;
import static io.albis.trino.config.AlbisSessionProperties.isLazyReading;
import static io.albis.trino.config.AlbisSessionProperties.isRowFiltering;
import static io.albis.trino.config.AlbisSessionProperties.isSegmentPruning;
import static io.albis.trino.error.AlbisErrors.translate;
import static java.util.Objects.requireNonNull;

/**
 * Creates the page sources for the splits of one scan.
 */
class AlbisPageSourceProvider
        implements ConnectorPageSourceProvider
{
    private final TrinoFileSystemFactory fileSystemFactory;
    private final ReaderResourcesFactory resources;
    private final ScanStats stats;
    // shared by the splits of the scan, which learn from each other
    private final Map<List<ColumnHandle>, ScanHistory> histories = new ConcurrentHashMap<>();
    private final FilterCache filters = new FilterCache();
    private final SearchCache searches = new SearchCache();
    private final ExpressionTests expressions;
    private final Map<TopN, TopNThreshold> thresholds = new ConcurrentHashMap<>();

    public AlbisPageSourceProvider(TrinoFileSystemFactory fileSystemFactory, ReaderResourcesFactory resources, ScanStats stats, ConnectorExpressionEvaluator evaluator)
    {
        this.fileSystemFactory = requireNonNull(fileSystemFactory, "fileSystemFactory is null");
        this.resources = requireNonNull(resources, "resources is null");
        this.stats = requireNonNull(stats, "stats is null");
        this.expressions = new ExpressionTests(evaluator);
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
        if (split instanceof AnswerSplit answer) {
            return new AnswerPageSource(answer.rowGroups(), ((AlbisTableHandle) table).answer().orElseThrow().rows(), columns);
        }
        AlbisSplit albisSplit = (AlbisSplit) split;
        AlbisTableHandle handle = (AlbisTableHandle) table;
        // domains that the reader cannot evaluate were used to prune row groups, and are dropped here
        TupleDomain<AlbisColumn> predicate = handle.enforced()
                .intersect(handle.pruning().filter((column, domain) -> RowFilters.isEnforceable(column.type(), domain)))
                .transformKeys(AlbisColumnHandle::toColumn);
        SegmentShare share = albisSplit.share();
        DynamicPredicate dynamicPredicate = new DynamicPredicate(isDynamicRowFiltering(session) ? dynamicFilter : DynamicFilter.EMPTY);
        List<AlbisColumn> storedColumns = storedColumns(columns);
        // a row that the engine drops does not count as one of the first ones
        Optional<TopN> topN = handle.topN().filter(_ -> dynamicFilter.getColumnsCovered().isEmpty());
        Optional<int[]> keyChannels = topN.map(first -> channels(first, storedColumns)).filter(keys -> Arrays.stream(keys).allMatch(channel -> channel >= 0));
        Optional<TopNThreshold> threshold = keyChannels.map(_ -> thresholds.computeIfAbsent(topN.get(), first -> new TopNThreshold(first, TopNPushdown.mayBeNaN(handle, first))));
        if (dynamicPredicate.get().isNone() || threshold.map(limit -> limit.get().isNone()).orElse(false)) {
            return new EmptyPageSource();
        }
        // Only the reader knows how many rows a part of a row group has, so the first part counts all rows of the row
        // group. Then the dynamic filter must not be applied, because it may be complete for some parts only
        if (columns.isEmpty() && predicate.isAll() && (share.count() > 1 || dynamicPredicate.get().isAll())) {
            return new CountingPageSource(share.index() == 0 ? albisSplit.rowGroup().liveRows() : 0);
        }

        RowGroupScan scan = new RowGroupScan(storedColumns, predicate, threshold.<Supplier<TupleDomain<AlbisColumn>>>map(limit -> limit).orElse(dynamicPredicate), share)
                .withTests(expressions.of(session, handle))
                .withAlternatives(expressions.alternatives(session, handle))
                .withOrder(threshold.map(_ -> new SegmentOrder(topN.get().key().toColumn(), new BoundsOrder(topN.get(), TopNPushdown.mayBeNaN(handle, topN.get())))));
        TrinoFileSystem fileSystem = fileSystemFactory.create(session);
        Location tableFolder = Location.of(handle.folder());
        ScanHistory history = histories.computeIfAbsent(columns, _ -> keyChannels.map(keys -> ScanHistory.only(storedColumns.size(), keys[0])).orElseGet(() -> new ScanHistory(storedColumns.size())));
        RowGroupReader reader = translate(() -> RowGroupReader.open(
                fileSystem,
                tableFolder,
                albisSplit.rowGroup(),
                scan,
                readerOptions(session, handle, threshold.isPresent()),
                resources.create(session, tableFolder, history, filters, searches)));
        List<PageChannel> channels = channels(columns, new HiddenColumnReader(fileSystem, tableFolder, albisSplit.rowGroup()));
        return new AlbisPageSource(reader, stats, share.index() == 0, channels, keyChannels.map(keys -> new TopNRows(threshold.get(), keys)), memoryContext);
    }

    private static List<AlbisColumn> storedColumns(List<ColumnHandle> columns)
    {
        List<AlbisColumn> storedColumns = new ArrayList<>();
        for (ColumnHandle column : columns) {
            switch (column) {
                case AlbisColumnHandle stored -> storedColumns.add(stored.toColumn());
                case HiddenColumnHandle _ -> {}
                default -> throw new IllegalArgumentException("Unknown column: " + column);
            }
        }
        return storedColumns;
    }

    /**
     * Returns the channels of the sort keys, which are negative for columns that the scan does not have.
     */
    private static int[] channels(TopN topN, List<AlbisColumn> columns)
    {
        return topN.keys().stream()
                .mapToInt(key -> columns.indexOf(key.column().toColumn()))
                .toArray();
    }

    private static List<PageChannel> channels(List<ColumnHandle> columns, HiddenColumnReader hiddenColumns)
    {
        ImmutableList.Builder<PageChannel> channels = ImmutableList.builder();
        int stored = 0;
        for (ColumnHandle column : columns) {
            switch (column) {
                case HiddenColumnHandle hidden -> channels.add(batch -> hiddenColumns.read(hidden.column(), batch));
                case AlbisColumnHandle handle -> {
                    int channel = stored;
                    channels.add(batch -> EqualValues.protect(handle.type(), batch.block(channel)));
                    stored++;
                }
                default -> throw new IllegalArgumentException("Unknown column: " + column);
            }
        }
        return channels.build();
    }

    private static ReaderOptions readerOptions(ConnectorSession session, AlbisTableHandle table, boolean hasThreshold)
    {
        return new ReaderOptions(
                isSegmentPruning(session),
                // an enforced predicate must be evaluated here, because the engine no longer evaluates it
                isRowFiltering(session) || !table.enforced().isAll(),
                isDynamicRowFiltering(session) || hasThreshold,
                isLazyReading(session),
                isIndexEnabled(session),
                ThresholdSessionProperties.getThresholds(session));
    }
}
