package io.albis.trino.answer;

import io.albis.format.metadata.StatisticsDomains;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.table.part.TablePart;
import io.albis.table.partition.RowGroupPredicate;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static java.util.Objects.requireNonNull;

/**
 * Counts the live rows of parts of a table that match a predicate, if their statistics or partitions decide it. The
 * statistics include deleted rows.
 */
final class DecidedRows
{
    private final TupleDomain<AlbisColumn> predicate;
    private final RowGroupPredicate matching;
    // the predicate without its condition on a column, and with one that nulls match
    private final Map<AlbisColumn, RowGroupPredicate> matchingOthers = new ConcurrentHashMap<>();
    private final Map<AlbisColumn, RowGroupPredicate> matchingNulls = new ConcurrentHashMap<>();

    /**
     * @param predicate predicate that is not none
     */
    DecidedRows(TupleDomain<AlbisColumn> predicate)
    {
        this.predicate = requireNonNull(predicate, "predicate is null");
        this.matching = new RowGroupPredicate(predicate);
    }

    /**
     * Returns whether a row of the part may match.
     */
    boolean mayBeIn(TablePart part)
    {
        return part.liveRows() > 0 && part.overlaps(matching);
    }

    /**
     * Returns the number of live rows that match; empty if it is not known.
     */
    OptionalLong count(TablePart part)
    {
        if (part.isWithin(matching)) {
            return OptionalLong.of(part.liveRows());
        }
        if (part.hasDeletedRows()) {
            return OptionalLong.empty();
        }
        for (Map.Entry<AlbisColumn, Domain> entry : predicate.getDomains().orElseThrow().entrySet()) {
            OptionalLong count = countByNulls(part, entry.getKey(), entry.getValue());
            if (count.isPresent()) {
                return count;
            }
        }
        return OptionalLong.empty();
    }

    /**
     * Counts the rows if it depends only on whether a column is null whether a row matches.
     */
    private OptionalLong countByNulls(TablePart part, AlbisColumn column, Domain domain)
    {
        Optional<ColumnStatistics> statistics = column.isPart() || part.isMissing(column) ? Optional.empty() : part.statistics(column);
        if (statistics.isEmpty()) {
            return OptionalLong.empty();
        }
        long nulls = statistics.get().nullCount();
        if (!domain.isNullAllowed() && containsAllValues(part, column)) {
            return OptionalLong.of(part.rows() - nulls);
        }
        if (domain.isNullAllowed() && !overlapsValues(part, statistics.get(), domain) && part.isWithin(matchingOthers(column))) {
            return OptionalLong.of(nulls);
        }
        return OptionalLong.empty();
    }

    /**
     * Returns the number of matching live rows in which a column of the part is not null; empty if it is not
     * known.
     */
    OptionalLong countValues(TablePart part, AlbisColumn column)
    {
        if (part.isMissing(column)) {
            return column.initial().isEmpty() ? OptionalLong.of(0) : count(part);
        }
        Optional<ColumnStatistics> statistics = part.statistics(column);
        if (statistics.isEmpty()) {
            return OptionalLong.empty();
        }
        long nulls = statistics.get().nullCount();
        boolean valuesMayMatch = domain(column).map(domain -> overlapsValues(part, statistics.get(), domain)).orElse(true);
        if (nulls >= part.rows() || !valuesMayMatch) {
            return OptionalLong.of(0);
        }
        if (nulls == 0) {
            return count(part);
        }
        // it is not known how many of the deleted rows are null
        if (part.hasDeletedRows() || !containsAllValues(part, column)) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(part.rows() - nulls);
    }

    /**
     * Returns whether all rows of the part match in which a column has a value.
     *
     * @param value Trino's native value, which is not NaN
     */
    boolean containsAllWith(TablePart part, AlbisColumn column, Object value)
    {
        Optional<Domain> domain = domain(column);
        return domain.isEmpty() ?
                part.isWithin(matching) :
                domain.get().includesNullableValue(value) && part.isWithin(matchingOthers(column));
    }

    /**
     * Returns whether all rows of the part match in which a column is not null.
     */
    private boolean containsAllValues(TablePart part, AlbisColumn column)
    {
        return domain(column)
                .map(domain -> part.isWithin(matchingNulls(column, domain)))
                .orElseGet(() -> part.isWithin(matching));
    }

    /**
     * Returns whether a value of a column other than null may match.
     */
    private static boolean overlapsValues(TablePart part, ColumnStatistics statistics, Domain domain)
    {
        return StatisticsDomains.overlaps(statistics, part.rows(), Domain.create(domain.getValues(), false));
    }

    private Optional<Domain> domain(AlbisColumn column)
    {
        return Optional.ofNullable(predicate.getDomains().orElseThrow().get(column));
    }

    private RowGroupPredicate matchingOthers(AlbisColumn column)
    {
        return matchingOthers.computeIfAbsent(column, _ -> new RowGroupPredicate(with(column, Domain.all(column.type()))));
    }

    private RowGroupPredicate matchingNulls(AlbisColumn column, Domain domain)
    {
        return matchingNulls.computeIfAbsent(column, _ -> new RowGroupPredicate(with(column, Domain.create(domain.getValues(), true))));
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
