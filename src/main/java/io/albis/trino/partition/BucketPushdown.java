package io.albis.trino.partition;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Iterators;
import io.albis.format.schema.AlbisColumn;
import io.albis.table.model.PartitionField;
import io.albis.table.model.PartitionFields;
import io.albis.table.model.PartitionTransform;
import io.albis.table.partition.RowGroupPredicate;
import io.albis.table.version.AlbisTable;
import io.albis.trino.handle.AlbisColumnHandle;
import io.albis.trino.handle.AlbisTableHandle;
import io.albis.trino.handle.BucketPartitioning;
import io.albis.trino.handle.BucketPartitioning.Buckets;
import io.albis.trino.handle.ScanBuckets;
import io.albis.trino.pushdown.PruningPredicate;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorPartitioningHandle;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.predicate.TupleDomain;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.trino.config.AlbisSessionProperties.isBucketExecutionEnabled;
import static io.albis.trino.config.AlbisSessionProperties.isRowGroupPruning;
import static io.albis.trino.config.PlanningLimits.MAX_ROW_GROUPS;
import static io.albis.trino.error.AlbisErrors.translate;

/**
 * Accepts that the engine distributes a scan by the buckets of some columns. Joins and aggregations by these columns
 * then need no exchange of rows between nodes.
 * <p>
 * This reads the manifests that the scan would read otherwise, because the buckets of a row group are unknown if it was
 * written before the table was partitioned by them. It stops at the first such row group. The table retains the
 * manifests for the scan.
 */
public class BucketPushdown
{
    private final long maxRowGroups;
    // the optimizer asks several times, also after buckets were not known
    private final ConcurrentMap<Question, Boolean> known = new ConcurrentHashMap<>();

    private record Question(UUID tableId, long version, TupleDomain<AlbisColumn> predicate, List<PartitionField> fields) {}

    public BucketPushdown()
    {
        this(MAX_ROW_GROUPS);
    }

    BucketPushdown(long maxRowGroups)
    {
        this.maxRowGroups = maxRowGroups;
    }

    /**
     * Applies the preferred partitioning of a scan to a table handle.
     *
     * @param required partitioning of the rows with which the scan is joined, for exactly these columns; empty for any
     *         partitioning by some of the columns
     * @return empty if the scan cannot be distributed in this way
     */
    public Optional<AlbisTableHandle> apply(
            ConnectorSession session,
            AlbisTable table,
            AlbisTableHandle handle,
            Optional<ConnectorPartitioningHandle> required,
            List<ColumnHandle> columns)
    {
        if (!isBucketExecutionEnabled(session) || handle.answer().isPresent()) {
            return Optional.empty();
        }
        List<PartitionField> fields = translate(() -> PartitionFields.of(table.version().properties())).stream()
                .filter(field -> field.transform() == PartitionTransform.BUCKET)
                .collect(toImmutableList());
        Optional<ScanBuckets> buckets = required.isPresent() ? required(fields, required.get(), columns) : preferred(fields, columns);
        if (buckets.isPresent() && handle.buckets().equals(buckets)) {
            return Optional.of(handle);
        }
        return buckets
                .filter(found -> areKnown(session, table, handle, found))
                .map(found -> handle.withBuckets(Optional.of(found)));
    }

    private static Optional<ScanBuckets> preferred(List<PartitionField> fields, List<ColumnHandle> columns)
    {
        ImmutableList.Builder<AlbisColumnHandle> bucketed = ImmutableList.builder();
        ImmutableList.Builder<PartitionField> used = ImmutableList.builder();
        ImmutableList.Builder<Buckets> functions = ImmutableList.builder();
        for (ColumnHandle column : columns) {
            Optional<PartitionField> field = find(fields, column);
            if (field.isPresent()) {
                AlbisColumnHandle stored = (AlbisColumnHandle) column;
                bucketed.add(stored);
                used.add(field.get());
                functions.add(new Buckets(stored.type(), field.get().parameter()));
            }
        }
        List<AlbisColumnHandle> partitioned = bucketed.build();
        if (partitioned.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new ScanBuckets(new BucketPartitioning(functions.build()), partitioned, used.build()));
    }

    private static Optional<ScanBuckets> required(List<PartitionField> fields, ConnectorPartitioningHandle partitioning, List<ColumnHandle> columns)
    {
        if (!(partitioning instanceof BucketPartitioning buckets) || buckets.functions().size() != columns.size()) {
            return Optional.empty();
        }
        Optional<ScanBuckets> own = preferred(fields, columns);
        if (own.isEmpty() || own.get().columns().size() != columns.size()) {
            return Optional.empty();
        }
        return own.get().partitioning().common(buckets)
                .map(common -> new ScanBuckets(common, own.get().columns(), own.get().fields()));
    }

    private static Optional<PartitionField> find(List<PartitionField> fields, ColumnHandle column)
    {
        if (!(column instanceof AlbisColumnHandle stored) || stored.isPart()) {
            return Optional.empty();
        }
        return fields.stream()
                .filter(field -> field.columnId() == stored.id())
                .findFirst();
    }

    private boolean areKnown(ConnectorSession session, AlbisTable table, AlbisTableHandle handle, ScanBuckets buckets)
    {
        // a scan without pruning reads all row groups
        TupleDomain<AlbisColumn> predicate = isRowGroupPruning(session) ? PruningPredicate.of(handle.predicate()) : TupleDomain.all();
        Question question = new Question(handle.tableId(), handle.version(), predicate, buckets.fields());
        Boolean answer = known.get(question);
        if (answer == null) {
            // not within computeIfAbsent, which could block other questions while this one reads storage
            answer = translate(() -> areKnown(table, predicate, new RowGroupBuckets(buckets)));
            known.put(question, answer);
        }
        return answer;
    }

    private boolean areKnown(AlbisTable table, TupleDomain<AlbisColumn> predicate, RowGroupBuckets buckets)
    {
        RowGroupPredicate matching = new RowGroupPredicate(predicate);
        return table.rowGroupCount(predicate) <= maxRowGroups && Iterators.all(
                table.iterate(predicate),
                rowGroup -> buckets.contains(rowGroup) || !matching.overlaps(rowGroup));
    }
}
