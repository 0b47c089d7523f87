package io.albis.trino.pushdown;

import io.albis.format.filter.RowFilters;
import io.albis.trino.handle.AlbisColumnHandle;
import io.albis.trino.handle.AlbisTableHandle;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.Constraint;
import io.trino.spi.connector.ConstraintApplicationResult;
import io.trino.spi.expression.Constant;
import io.trino.spi.predicate.TupleDomain;

import java.util.Optional;
import java.util.function.Predicate;

import static io.albis.trino.config.AlbisSessionProperties.getDomainCompactionThreshold;
import static io.albis.trino.config.AlbisSessionProperties.isRowFiltering;
import static io.albis.trino.pushdown.DomainCompaction.compact;
import static io.albis.trino.pushdown.DomainCompaction.isCompact;

/**
 * Takes over predicates from the engine. Domains are enforced, then the reader hands out only rows that match, if that is all there is to
 * a predicate; else they go back to the engine as they came, to be looked at together with the rest, and only help the reader to leave
 * out rows.
 */
public final class FilterPushdown
{
    /**
     * More values than this say little more about a row group than the ranges between them.
     */
    public static final int PRUNING_RANGES = 1000;

    private FilterPushdown() {}

    /**
     * @param knowsRows whether the statistics of a table say how many rows match what it enforces
     */
    public static Optional<ConstraintApplicationResult<ConnectorTableHandle>> applyFilter(
            ConnectorSession session,
            AlbisTableHandle table,
            Constraint constraint,
            Predicate<AlbisTableHandle> knowsRows)
    {
        TupleDomain<AlbisColumnHandle> predicate = constraint.getSummary()
                .transformKeys(AlbisColumnHandle.class::cast);
        TupleDomain<AlbisColumnHandle> charPredicate = CharPredicates.extract(constraint.getExpression(), constraint.getAssignments());
        if (predicate.intersect(charPredicate).isNone()) {
            return Optional.of(result(table.withPredicate(TupleDomain.none(), table.pruning()), TupleDomain.all(), constraint, true));
        }

        int maxRanges = getDomainCompactionThreshold(session);
        // the table handle travels with each task
        boolean exact = constraint.getExpression().equals(Constant.TRUE) && isEnforceable(session, predicate) && isCompact(predicate, maxRanges);
        TupleDomain<AlbisColumnHandle> enforced = exact ? predicate : TupleDomain.all();
        TupleDomain<AlbisColumnHandle> remaining = exact ? TupleDomain.all() : predicate;
        AlbisTableHandle newTable = table.withPredicate(
                enforced.intersect(table.enforced()),
                compact(remaining.intersect(charPredicate), maxRanges).intersect(table.pruning()));
        if (newTable.predicate().equals(table.predicate())) {
            // anything else would make the optimizer ask again without end
            return Optional.empty();
        }
        // If the engine keeps nothing and the statistics do not say how many rows match, its own estimate for the
        // filter becomes that of the scan. If it keeps something, it has to estimate that once, above a scan of the rows
        // of the table: were its estimate also that of the scan, what it keeps would count twice
        return Optional.of(result(newTable, remaining, constraint, exact && !knowsRows.test(newTable)));
    }

    private static boolean isEnforceable(ConnectorSession session, TupleDomain<AlbisColumnHandle> predicate)
    {
        return isRowFiltering(session) && predicate.getDomains().orElseThrow().entrySet().stream()
                .allMatch(entry -> RowFilters.isEnforceable(entry.getKey().type(), entry.getValue()));
    }

    private static ConstraintApplicationResult<ConnectorTableHandle> result(AlbisTableHandle table, TupleDomain<AlbisColumnHandle> remaining, Constraint constraint, boolean precalculateStatistics)
    {
        return new ConstraintApplicationResult<>(table, remaining.transformKeys(ColumnHandle.class::cast), constraint.getExpression(), precalculateStatistics);
    }
}
