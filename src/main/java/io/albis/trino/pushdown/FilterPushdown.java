package io.albis.trino.pushdown;

import io.albis.format.filter.RowFilters;
import io.albis.trino.handle.AlbisColumnHandle;
import io.albis.trino.handle.AlbisTableHandle;
import io.albis.trino.handle.RowTests;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.Constraint;
import io.trino.spi.connector.ConstraintApplicationResult;
import io.trino.spi.expression.ConnectorExpression;
import io.trino.spi.expression.Constant;
import io.trino.spi.predicate.TupleDomain;

import java.util.Optional;
import java.util.function.Predicate;

import static io.albis.trino.config.AlbisSessionProperties.getDomainCompactionThreshold;
import static io.albis.trino.config.AlbisSessionProperties.isExpressionFiltering;
import static io.albis.trino.config.AlbisSessionProperties.isRowFiltering;
import static io.albis.trino.pushdown.DomainCompaction.compact;
import static io.albis.trino.pushdown.DomainCompaction.isCompact;

/**
 * Accepts predicates from the engine. If a predicate consists of domains only, also of elements of arrays and maps,
 * Albis enforces them: the reader returns only rows that match. If it has other parts, the engine keeps the whole
 * predicate and evaluates it, and the reader uses the domains, expressions on single columns, and alternatives over
 * several columns only to skip rows.
 */
public final class FilterPushdown
{
    private FilterPushdown() {}

    /**
     * Applies a predicate to a table handle.
     *
     * @param knowsRows whether the statistics of a table handle give the number of rows that match its enforced
     *         predicate
     * @return empty if the predicate adds nothing to the handle
     */
    public static Optional<ConstraintApplicationResult<ConnectorTableHandle>> applyFilter(
            ConnectorSession session,
            AlbisTableHandle table,
            Constraint constraint,
            Predicate<AlbisTableHandle> knowsRows)
    {
        if (!table.selectsByPredicate()) {
            // the predicate applies to the rows that the scan returns, not to those of the table
            return Optional.empty();
        }
        if (!canRemain(constraint.getSummary())) {
            return Optional.empty();
        }
        TupleDomain<AlbisColumnHandle> predicate = constraint.getSummary()
                .filter((column, _) -> column instanceof AlbisColumnHandle)
                .transformKeys(AlbisColumnHandle.class::cast);
        // the engine evaluates the predicate on hidden columns
        TupleDomain<ColumnHandle> others = constraint.getSummary()
                .filter((column, _) -> !(column instanceof AlbisColumnHandle));
        ElementPredicates elements = ElementPredicates.of(constraint.getExpression(), constraint.getAssignments());
        TupleDomain<AlbisColumnHandle> whole = predicate
                .intersect(elements.domains())
                .intersect(CharPredicates.extract(constraint.getExpression(), constraint.getAssignments()));
        if (whole.isNone()) {
            return Optional.of(result(table.withPredicate(TupleDomain.none(), table.pruning()), TupleDomain.all(), constraint.getExpression(), true));
        }

        int maxRanges = getDomainCompactionThreshold(session);
        // only a compact predicate is enforced, because the table handle is sent with each task
        boolean exact = elements.isExact() && isEnforceable(session, whole) && isCompact(whole, maxRanges);
        TupleDomain<AlbisColumnHandle> enforced = exact ? whole : TupleDomain.all();
        TupleDomain<AlbisColumnHandle> pruning = exact ? TupleDomain.all() : compact(usable(whole), maxRanges);
        RowTests tests = exact || !isExpressionFiltering(session) ? table.tests() : new RowTests(
                ColumnExpressions.add(table.tests().expressions(), constraint.getExpression(), constraint.getAssignments()),
                AlternativePredicates.add(table.tests().alternatives(), constraint.getExpression(), constraint.getAssignments(), maxRanges));
        AlbisTableHandle newTable = table
                .withPredicate(enforced.intersect(table.enforced()), pruning.intersect(table.pruning()))
                .withTests(tests);
        if (newTable.predicate().equals(table.predicate()) && tests.equals(table.tests())) {
            // a result without progress would make the optimizer apply the filter in an endless loop
            return Optional.empty();
        }
        // If the engine keeps no part of the filter and the statistics do not give the number of matching rows, the
        // engine's estimate for the filter becomes that of the scan. If the engine keeps a part, it estimates that part
        // above the scan. With its estimate for the scan as well, the part would count twice
        return Optional.of(result(
                newTable,
                exact ? others : constraint.getSummary(),
                exact ? Constant.TRUE : constraint.getExpression(),
                exact && others.isAll() && !knowsRows.test(newTable)));
    }

    /**
     * Returns whether the engine can evaluate the domains after a part of the predicate was pushed down. It does not
     * keep the conditions from which it has got them.
     */
    private static boolean canRemain(TupleDomain<ColumnHandle> summary)
    {
        return summary.getDomains().stream()
                .flatMap(domains -> domains.values().stream())
                .allMatch(NestedValues::isCondition);
    }

    private static boolean isEnforceable(ConnectorSession session, TupleDomain<AlbisColumnHandle> predicate)
    {
        return isRowFiltering(session) && predicate.getDomains().orElseThrow().entrySet().stream()
                .allMatch(entry -> RowFilters.isEnforceable(entry.getKey().type(), entry.getValue()));
    }

    /**
     * Leaves out conditions that name values of a type without an order, such as maps. These values have no bounds, so
     * the conditions skip no rows.
     */
    private static TupleDomain<AlbisColumnHandle> usable(TupleDomain<AlbisColumnHandle> predicate)
    {
        return predicate.filter((column, domain) -> RowFilters.isEnforceable(column.type(), domain));
    }

    private static ConstraintApplicationResult<ConnectorTableHandle> result(AlbisTableHandle table, TupleDomain<ColumnHandle> remaining, ConnectorExpression expression, boolean precalculateStatistics)
    {
        return new ConstraintApplicationResult<>(table, remaining, expression, precalculateStatistics);
    }
}
