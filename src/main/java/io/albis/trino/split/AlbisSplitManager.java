package io.albis.trino.split;

import com.google.common.collect.ImmutableList;
import com.google.inject.Inject;
import io.albis.trino.changes.ChangedVersions;
import io.albis.trino.changes.TableChangesHandle;
import io.albis.trino.handle.AlbisColumnHandle;
import io.albis.trino.handle.AlbisTableHandle;
import io.albis.trino.handle.AnswerSplit;
import io.albis.trino.handle.RewriteHandle;
import io.albis.trino.maintenance.MaintenanceFunctionHandle;
import io.albis.trino.maintenance.MaintenanceFunctions;
import io.albis.trino.metadata.AlbisMetadata;
import io.albis.trino.metadata.AlbisTransactionManager;
import io.albis.trino.partition.RowGroupBuckets;
import io.albis.trino.pushdown.PruningPredicate;
import io.albis.trino.pushdown.ScannedColumns;
import io.albis.trino.storage.ForAlbis;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystemFactory;
import io.trino.plugin.base.classloader.ClassLoaderSafeConnectorSplitSource;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorSplit;
import io.trino.spi.connector.ConnectorSplitManager;
import io.trino.spi.connector.ConnectorSplitSource;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.connector.Constraint;
import io.trino.spi.connector.FixedSplitSource;
import io.trino.spi.function.table.ConnectorTableFunctionHandle;
import io.trino.spi.predicate.TupleDomain;

import java.util.Optional;
import java.util.Set;

import static io.albis.trino.config.AlbisSessionProperties.getDynamicFilteringWaitTimeout;
import static io.albis.trino.config.AlbisSessionProperties.getMaxSplitSize;
import static io.albis.trino.config.AlbisSessionProperties.getSplitLocality;
import static io.albis.trino.config.AlbisSessionProperties.isDynamicRowFiltering;
import static io.albis.trino.config.AlbisSessionProperties.isRowGroupPruning;
import static java.util.Objects.requireNonNull;

/**
 * Creates the split source of each scan and of each call of a table function.
 */
public class AlbisSplitManager
        implements ConnectorSplitManager
{
    private final AlbisTransactionManager transactionManager;
    private final TrinoFileSystemFactory fileSystemFactory;
    private final SplitSourceExecutor executor;
    private final MaintenanceFunctions functions;
    private final ChangedVersions changes;

    @Inject
    public AlbisSplitManager(AlbisTransactionManager transactionManager, @ForAlbis TrinoFileSystemFactory fileSystemFactory, SplitSourceExecutor executor, MaintenanceFunctions functions, ChangedVersions changes)
    {
        this.transactionManager = requireNonNull(transactionManager, "transactionManager is null");
        this.fileSystemFactory = requireNonNull(fileSystemFactory, "fileSystemFactory is null");
        this.executor = requireNonNull(executor, "executor is null");
        this.functions = requireNonNull(functions, "functions is null");
        this.changes = requireNonNull(changes, "changes is null");
    }

    @Override
    public ConnectorSplitSource getSplits(
            ConnectorTransactionHandle transaction,
            ConnectorSession session,
            ConnectorTableHandle table,
            Set<ColumnHandle> dynamicFilterColumns,
            Constraint constraint)
    {
        AlbisMetadata metadata = transactionManager.get(transaction, session);
        if (table instanceof RewriteHandle rewrite) {
            return new ClassLoaderSafeConnectorSplitSource(new OptimizeSplitSource(() -> metadata.rewritePlan(rewrite), executor), AlbisSplitManager.class.getClassLoader());
        }
        AlbisTableHandle handle = (AlbisTableHandle) table;
        if (handle.answer().isPresent()) {
            return new FixedSplitSource(new AnswerSplit(handle.answer().get().rowGroups()));
        }
        if (!handle.predicate().isNone()) {
            Set<Integer> filtered = ScannedColumns.filtered(handle, constraint, dynamicFilterColumns);
            handle.columns().ifPresent(columns -> metadata.recordUsage(session, handle, columns, filtered));
        }
        boolean pruning = isRowGroupPruning(session);
        // the constraint applies to all rows that the query needs, and may be narrower than the handle
        TupleDomain<AlbisColumnHandle> narrower = constraint.getSummary()
                .filter((column, _) -> column instanceof AlbisColumnHandle)
                .transformKeys(AlbisColumnHandle.class::cast);
        TupleDomain<AlbisColumnHandle> predicate = handle.predicate().intersect(narrower);

        NeededRowGroups scan = new NeededRowGroups(metadata, handle, predicate, pruning ? PruningPredicate.of(handle.tests()) : ImmutableList.of(), !dynamicFilterColumns.isEmpty());
        AlbisSplitSource splitSource = new AlbisSplitSource(
                scan,
                // no wider than that of the handle, also if the intersection has too many ranges
                PruningPredicate.of(handle.predicate()).intersect(PruningPredicate.of(narrower)),
                pruning,
                scan.maxSplitBytes(getMaxSplitSize(session)),
                hostLookup(session, handle),
                handle.buckets().map(RowGroupBuckets::new),
                dynamicFilterColumns.stream().noneMatch(AlbisSplitManager::mayHaveBounds) || !usesDynamicFilters(session) ? 0 : getDynamicFilteringWaitTimeout(session).toMillis(),
                executor);
        return new ClassLoaderSafeConnectorSplitSource(splitSource, AlbisSplitManager.class.getClassLoader());
    }

    /**
     * Returns whether a dynamic filter on the column may skip row groups.
     */
    private static boolean mayHaveBounds(ColumnHandle column)
    {
        return column instanceof AlbisColumnHandle stored && stored.container().isEmpty();
    }

    @Override
    public ConnectorSplitSource getSplits(ConnectorTransactionHandle transaction, ConnectorSession session, ConnectorTableFunctionHandle function)
    {
        LoadedSplitSource splitSource = new LoadedSplitSource(() -> splits(session, function), executor);
        return new ClassLoaderSafeConnectorSplitSource(splitSource, AlbisSplitManager.class.getClassLoader());
    }

    private Iterable<ConnectorSplit> splits(ConnectorSession session, ConnectorTableFunctionHandle function)
    {
        if (function instanceof TableChangesHandle changed) {
            return new ChangeSplits(changes.versions(session, changed), getMaxSplitSize(session).toBytes());
        }
        return functions.splits(session, (MaintenanceFunctionHandle) function);
    }

    private Optional<HostLookup> hostLookup(ConnectorSession session, AlbisTableHandle table)
    {
        return switch (getSplitLocality(session)) {
            case OFF -> Optional.empty();
            case PREFER -> Optional.of(new HostLookup(fileSystemFactory.create(session), Location.of(table.folder())));
        };
    }

    private static boolean usesDynamicFilters(ConnectorSession session)
    {
        return isRowGroupPruning(session) || isDynamicRowFiltering(session);
    }
}
