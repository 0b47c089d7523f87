package io.albis.trino.answer;

import io.albis.format.metadata.RowGroup;
import io.albis.format.metadata.StatisticsDomains;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.statistics.ColumnStatistics;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static java.util.Objects.requireNonNull;

/**
 * Counts the live rows of row groups that match a predicate, if their statistics decide it. The statistics include
 * deleted rows.
 *
 * @param predicate predicate that is not none
 */
record DecidedRows(TupleDomain<AlbisColumn> predicate)
{
    DecidedRows
    {
        requireNonNull(predicate, "predicate is null");
    }

    /**
     * Returns whether a row of the row group may match.
     */
    boolean mayBeIn(RowGroup rowGroup)
    {
        return rowGroup.liveRows() > 0 && StatisticsDomains.overlaps(rowGroup, predicate);
    }

    /**
     * Returns the number of live rows that match; empty if it is not known.
     */
    OptionalLong count(RowGroup rowGroup)
    {
        if (StatisticsDomains.containsAll(rowGroup, predicate)) {
            return OptionalLong.of(rowGroup.liveRows());
        }
        if (rowGroup.deletedRows().isPresent()) {
            return OptionalLong.empty();
        }
        for (Map.Entry<AlbisColumn, Domain> entry : predicate.getDomains().orElseThrow().entrySet()) {
            OptionalLong count = countByNulls(rowGroup, entry.getKey(), entry.getValue());
            if (count.isPresent()) {
                return count;
            }
        }
        return OptionalLong.empty();
    }

    /**
     * Counts the rows if it depends only on whether a column is null whether a row matches.
     */
    private OptionalLong countByNulls(RowGroup rowGroup, AlbisColumn column, Domain domain)
    {
        Optional<ColumnStatistics> statistics = column.isPart() || rowGroup.columnGroup(column.id()).isEmpty() ? Optional.empty() : rowGroup.statistics(column.id());
        if (statistics.isEmpty()) {
            return OptionalLong.empty();
        }
        long nulls = statistics.get().nullCount();
        if (!domain.isNullAllowed() && containsAllValues(rowGroup, column)) {
            return OptionalLong.of(rowGroup.rows() - nulls);
        }
        if (domain.isNullAllowed() && !overlapsValues(rowGroup, statistics.get(), domain) && StatisticsDomains.containsAll(rowGroup, with(column, Domain.all(column.type())))) {
            return OptionalLong.of(nulls);
        }
        return OptionalLong.empty();
    }

    /**
     * Returns the number of matching live rows in which a column of the row group is not null; empty if it is not
     * known.
     */
    OptionalLong countValues(RowGroup rowGroup, AlbisColumn column)
    {
        if (rowGroup.columnGroup(column.id()).isEmpty()) {
            return column.initial().isEmpty() ? OptionalLong.of(0) : count(rowGroup);
        }
        Optional<ColumnStatistics> statistics = rowGroup.statistics(column.id());
        if (statistics.isEmpty()) {
            return OptionalLong.empty();
        }
        long nulls = statistics.get().nullCount();
        boolean valuesMayMatch = domain(column).map(domain -> overlapsValues(rowGroup, statistics.get(), domain)).orElse(true);
        if (nulls >= rowGroup.rows() || !valuesMayMatch) {
            return OptionalLong.of(0);
        }
        if (nulls == 0) {
            return count(rowGroup);
        }
        // it is not known how many of the deleted rows are null
        if (rowGroup.deletedRows().isPresent() || !containsAllValues(rowGroup, column)) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(rowGroup.rows() - nulls);
    }

    /**
     * Returns whether all rows of the row group match in which a column has a value.
     *
     * @param value Trino's native value, which is not NaN
     */
    boolean containsAllWith(RowGroup rowGroup, AlbisColumn column, Object value)
    {
        Optional<Domain> domain = domain(column);
        return domain.isEmpty() ?
                StatisticsDomains.containsAll(rowGroup, predicate) :
                domain.get().includesNullableValue(value) && StatisticsDomains.containsAll(rowGroup, with(column, Domain.all(column.type())));
    }

    /**
     * Returns whether all rows of the row group match in which a column is not null.
     */
    private boolean containsAllValues(RowGroup rowGroup, AlbisColumn column)
    {
        return domain(column)
                .map(domain -> StatisticsDomains.containsAll(rowGroup, with(column, Domain.create(domain.getValues(), true))))
                .orElseGet(() -> StatisticsDomains.containsAll(rowGroup, predicate));
    }

    /**
     * Returns whether a value of a column other than null may match.
     */
    private static boolean overlapsValues(RowGroup rowGroup, ColumnStatistics statistics, Domain domain)
    {
        return StatisticsDomains.overlaps(statistics, rowGroup.rows(), Domain.create(domain.getValues(), false));
    }

    private Optional<Domain> domain(AlbisColumn column)
    {
        return Optional.ofNullable(predicate.getDomains().orElseThrow().get(column));
    }

    /**
     * Returns the predicate with another domain of one of its columns.
     */
    private TupleDomain<AlbisColumn> with(AlbisColumn column, Domain domain)
    {
        return TupleDomain.withColumnDomains(predicate.getDomains().orElseThrow().entrySet().stream()
                .collect(toImmutableMap(Map.Entry::getKey, entry -> entry.getKey().equals(column) ? domain : entry.getValue())));
    }
}
