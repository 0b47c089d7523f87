package io.albis.trino.answer;

import com.google.common.collect.ImmutableList;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisColumn;
import io.albis.table.model.ManifestEntry;
import io.albis.table.version.AlbisTable;
import io.albis.trino.handle.AlbisColumnHandle;
import io.albis.trino.pushdown.PruningPredicate;
import io.trino.spi.expression.ConnectorExpression;
import io.trino.spi.expression.Constant;
import io.trino.spi.predicate.TupleDomain;

import java.util.List;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.spi.type.BigintType.BIGINT;

/**
 * The results of aggregate functions over the rows of a scan.
 *
 * @param values the results, in the order of the functions
 * @param rowGroups number of row groups of which a row may match
 */
record Answers(List<ConnectorExpression> values, long rowGroups)
{
    /**
     * The number of row groups up to which their statistics are examined. A query of a larger table is planned without
     * looking at all of them.
     */
    static final long MAX_ROW_GROUPS = 100_000;

    Answers
    {
        values = ImmutableList.copyOf(values);
    }

    /**
     * Finds the results in the metadata of a table.
     *
     * @param predicate predicate that all rows of the scan match
     * @return empty if the metadata does not give the exact result of one of the functions
     */
    static Optional<Answers> find(AlbisTable table, TupleDomain<AlbisColumnHandle> predicate, List<Aggregate> aggregates)
    {
        List<ManifestEntry> manifests = table.version().manifests();
        if (predicate.isAll() && aggregates.stream().allMatch(Aggregate::isCountOfRows)) {
            // without reading any manifest
            Constant rows = new Constant(table.rowCount(), BIGINT);
            return Optional.of(new Answers(aggregates.stream().map(_ -> rows).collect(toImmutableList()), rowGroups(manifests)));
        }
        TupleDomain<AlbisColumn> pruning = PruningPredicate.of(predicate);
        List<ManifestEntry> overlapping = manifests.stream()
                .filter(manifest -> manifest.overlaps(pruning))
                .collect(toImmutableList());
        if (rowGroups(overlapping) > MAX_ROW_GROUPS) {
            return Optional.empty();
        }
        DecidedRows rows = new DecidedRows(predicate.transformKeys(AlbisColumnHandle::toColumn));
        return find(table.select(pruning).rowGroups(), rows, aggregates);
    }

    private static long rowGroups(List<ManifestEntry> manifests)
    {
        return manifests.stream().mapToLong(ManifestEntry::rowGroups).sum();
    }

    private static Optional<Answers> find(List<RowGroup> rowGroups, DecidedRows rows, List<Aggregate> aggregates)
    {
        List<Answer> answers = aggregates.stream()
                .map(aggregate -> answer(aggregate, rows))
                .collect(toImmutableList());
        long matching = 0;
        for (RowGroup rowGroup : rowGroups) {
            if (!rows.mayBeIn(rowGroup)) {
                continue;
            }
            matching++;
            for (Answer answer : answers) {
                if (!answer.add(rowGroup)) {
                    return Optional.empty();
                }
            }
        }
        ImmutableList.Builder<ConnectorExpression> values = ImmutableList.builder();
        for (Answer answer : answers) {
            Optional<Constant> value = answer.result();
            if (value.isEmpty()) {
                return Optional.empty();
            }
            values.add(value.get());
        }
        return Optional.of(new Answers(values.build(), matching));
    }

    private static Answer answer(Aggregate aggregate, DecidedRows rows)
    {
        Optional<AlbisColumn> column = aggregate.column().map(AlbisColumnHandle::toColumn);
        return switch (aggregate.kind()) {
            case COUNT -> new RowCount(column, rows);
            case MIN -> new ColumnExtreme(column.orElseThrow(), true, rows);
            case MAX -> new ColumnExtreme(column.orElseThrow(), false, rows);
        };
    }
}
