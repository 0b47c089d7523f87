package io.albis.trino;

import io.albis.format.filter.RowFilters;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.Constraint;
import io.trino.spi.connector.ConstraintApplicationResult;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

import static io.albis.trino.AlbisSessionProperties.isRowFiltering;

/**
 * Takes over predicates from the engine. The domain of a column is either enforced, then the reader hands out only rows that
 * match, or it goes back to the engine as it came and only helps to leave out row groups and segments.
 */
final class FilterPushdown
{
    /**
     * More values than this say little more about a row group than the ranges between them.
     */
    static final int PRUNING_RANGES = 1000;

    private FilterPushdown() {}

    public static Optional<ConstraintApplicationResult<ConnectorTableHandle>> applyFilter(ConnectorSession session, AlbisTableHandle table, Constraint constraint)
    {
        TupleDomain<AlbisColumnHandle> predicate = constraint.getSummary()
                .transformKeys(AlbisColumnHandle.class::cast);
        if (predicate.isNone()) {
            return pushed(table.withPredicate(TupleDomain.none(), table.pruning()), TupleDomain.all(), constraint);
        }

        boolean rowFiltering = isRowFiltering(session);
        Map<AlbisColumnHandle, Domain> enforced = new HashMap<>();
        Map<AlbisColumnHandle, Domain> remaining = new HashMap<>();
        predicate.getDomains().orElseThrow().forEach((column, domain) -> {
            if (rowFiltering && RowFilters.isEnforceable(column.type(), domain)) {
                enforced.put(column, domain);
            }
            else {
                remaining.put(column, domain);
            }
        });

        AlbisTableHandle newTable = table.withPredicate(
                TupleDomain.withColumnDomains(enforced).intersect(table.enforced()),
                TupleDomain.withColumnDomains(remaining).simplify(PRUNING_RANGES).intersect(table.pruning()));
        if (newTable.equals(table)) {
            // anything else would make the optimizer ask again without end
            return Optional.empty();
        }
        return pushed(newTable, TupleDomain.withColumnDomains(remaining), constraint);
    }

    private static Optional<ConstraintApplicationResult<ConnectorTableHandle>> pushed(AlbisTableHandle table, TupleDomain<AlbisColumnHandle> remaining, Constraint constraint)
    {
        TupleDomain<ColumnHandle> remainingFilter = remaining.transformKeys(ColumnHandle.class::cast);
        // nobody knows how many rows match before they are read: let the engine estimate it from the rows of the table
        boolean precalculateStatistics = true;
        return Optional.of(new ConstraintApplicationResult<>(table, remainingFilter, constraint.getExpression(), precalculateStatistics));
    }
}
