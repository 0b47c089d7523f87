package io.albis.trino.metadata;

import com.google.common.collect.ImmutableList;
import io.albis.format.schema.AlbisColumn;
import io.albis.table.Warehouse;
import io.albis.table.model.ManifestEntry;
import io.albis.table.version.AlbisTable;
import io.albis.table.version.ManifestSelection;
import io.albis.table.version.RowGroupPieces;
import io.albis.trino.answer.AggregationPushdown;
import io.albis.trino.handle.AlbisTableHandle;
import io.albis.trino.handle.BucketPartitioning;
import io.albis.trino.partition.BucketPushdown;
import io.albis.trino.procedure.TableProcedures;
import io.albis.trino.pushdown.FilterPushdown;
import io.albis.trino.pushdown.LimitPushdown;
import io.albis.trino.relation.TableLoader;
import io.albis.trino.sample.SamplePushdown;
import io.albis.trino.topn.TopNPushdown;
import io.albis.trino.view.MaterializedViews;
import io.albis.trino.view.ViewOperations;
import io.albis.trino.write.TableWrites;
import io.albis.trino.write.WholeRowGroupDeletes;
import io.trino.spi.connector.AggregateFunction;
import io.trino.spi.connector.AggregationApplicationResult;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorPartitioningHandle;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.ConnectorTablePartitioning;
import io.trino.spi.connector.ConnectorTableProperties;
import io.trino.spi.connector.Constraint;
import io.trino.spi.connector.ConstraintApplicationResult;
import io.trino.spi.connector.LimitApplicationResult;
import io.trino.spi.connector.SampleApplicationResult;
import io.trino.spi.connector.SampleType;
import io.trino.spi.connector.SortItem;
import io.trino.spi.connector.TopNApplicationResult;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.statistics.TableStatistics;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static io.albis.trino.error.AlbisErrors.translate;
import static io.albis.trino.metadata.TableHandles.readable;
import static java.util.Objects.requireNonNull;

/**
 * What the engine asks about a scan while it plans a query, and what it pushes down into the scan.
 */
abstract class PushdownMetadata
        extends SchemaChangeMetadata
{
    private final TableLoader tables;
    private final TableEstimateCache estimates;
    private final AggregationPushdown aggregations;
    private final BucketPushdown buckets = new BucketPushdown();

    protected PushdownMetadata(Warehouse warehouse, TableLoader tables, TableWrites writes, WholeRowGroupDeletes deletes, TableProcedures procedures, SchemaOperations schemas, ViewOperations views, MaterializedViews materializedViews, RelationListing listing)
    {
        super(warehouse, tables, writes, deletes, procedures, schemas, views, materializedViews, listing);
        this.tables = requireNonNull(tables, "tables is null");
        this.estimates = new TableEstimateCache(tables);
        this.aggregations = new AggregationPushdown(tables);
    }

    @Override
    public TableStatistics getTableStatistics(ConnectorSession session, ConnectorTableHandle table)
    {
        return translate(() -> estimates.statistics(session, readable(table)));
    }

    @Override
    public ConnectorTableProperties getTableProperties(ConnectorSession session, ConnectorTableHandle table)
    {
        AlbisTableHandle handle = readable(table);
        // the row of an answer does not have the columns of the predicate
        TupleDomain<ColumnHandle> predicate = handle.answer().isPresent() ? TupleDomain.all() : handle.enforced().transformKeys(ColumnHandle.class::cast);
        Optional<ConnectorTablePartitioning> partitioning = handle.buckets()
                .map(buckets -> new ConnectorTablePartitioning(buckets.partitioning(), ImmutableList.copyOf(buckets.columns())));
        return new ConnectorTableProperties(predicate, partitioning, Optional.empty(), ImmutableList.of());
    }

    @Override
    public Optional<ConnectorTableHandle> applyPartitioning(ConnectorSession session, ConnectorTableHandle table, Optional<ConnectorPartitioningHandle> partitioning, List<ColumnHandle> columns)
    {
        if (!(table instanceof AlbisTableHandle handle)) {
            return Optional.empty();
        }
        return buckets.apply(session, tables.load(handle), handle, partitioning, columns)
                .map(ConnectorTableHandle.class::cast);
    }

    @Override
    public Optional<ConnectorPartitioningHandle> getCommonPartitioningHandle(ConnectorSession session, ConnectorPartitioningHandle left, ConnectorPartitioningHandle right)
    {
        if (left instanceof BucketPartitioning leftBuckets && right instanceof BucketPartitioning rightBuckets) {
            return leftBuckets.common(rightBuckets).map(ConnectorPartitioningHandle.class::cast);
        }
        return super.getCommonPartitioningHandle(session, left, right);
    }

    @Override
    public Optional<ConstraintApplicationResult<ConnectorTableHandle>> applyFilter(ConnectorSession session, ConnectorTableHandle table, Constraint constraint)
    {
        return FilterPushdown.applyFilter(session, readable(table), constraint, filtered -> estimates.get(session, filtered).filtered());
    }

    @Override
    public Optional<AggregationApplicationResult<ConnectorTableHandle>> applyAggregation(
            ConnectorSession session,
            ConnectorTableHandle table,
            List<AggregateFunction> aggregates,
            Map<String, ColumnHandle> assignments,
            List<List<ColumnHandle>> groupingSets)
    {
        return aggregations.apply(session, readable(table), aggregates, assignments, groupingSets);
    }

    @Override
    public Optional<LimitApplicationResult<ConnectorTableHandle>> applyLimit(ConnectorSession session, ConnectorTableHandle table, long limit)
    {
        return LimitPushdown.applyLimit(session, readable(table), limit);
    }

    @Override
    public Optional<TopNApplicationResult<ConnectorTableHandle>> applyTopN(ConnectorSession session, ConnectorTableHandle table, long topNCount, List<SortItem> sortItems, Map<String, ColumnHandle> assignments)
    {
        return TopNPushdown.apply(session, readable(table), topNCount, sortItems, assignments);
    }

    @Override
    public Optional<SampleApplicationResult<ConnectorTableHandle>> applySample(ConnectorSession session, ConnectorTableHandle table, SampleType sampleType, double sampleRatio)
    {
        return SamplePushdown.apply(session, readable(table), sampleType, sampleRatio);
    }

    /**
     * Returns false for a sample, because each subquery would read another one, and for a table in the row layout, in
     * which each subquery would read all columns of the same rows again.
     */
    @Override
    public boolean allowSplittingReadIntoMultipleSubQueries(ConnectorSession session, ConnectorTableHandle table)
    {
        return readable(table).sample().isEmpty() && load(table).version().columnGroups().stream()
                .allMatch(group -> switch (group.layout()) {
                    case BLOCK -> true;
                    case ROW -> false;
                });
    }

    /**
     * Returns the row groups of the version that the handle names, except for those of manifests that the predicate
     * prunes. The row groups of the other manifests are not pruned.
     */
    public ManifestSelection rowGroups(AlbisTableHandle table, TupleDomain<AlbisColumn> predicate)
    {
        tables.scan(table);
        return select(table, translate(() -> load(table).select(predicate)));
    }

    /**
     * Returns the row groups of a table piece by piece, as a scan that does not need all of them at once. Reads no
     * manifests yet.
     *
     * @param minRowGroups number of row groups for which a piece has as many manifests as they need
     */
    public RowGroupPieces scan(AlbisTableHandle table, long minRowGroups)
    {
        tables.scan(table);
        return select(table, translate(() -> load(table)).scan(minRowGroups));
    }

    /**
     * Returns the row groups of a table as {@link #scan(AlbisTableHandle, long)} does, but reads the manifests in
     * another order.
     */
    public RowGroupPieces scan(AlbisTableHandle table, long minRowGroups, Comparator<ManifestEntry> order)
    {
        tables.scan(table);
        return select(table, translate(() -> load(table).scan(minRowGroups, order)));
    }

    private AlbisTable load(ConnectorTableHandle table)
    {
        return tables.load(readable(table));
    }
}
