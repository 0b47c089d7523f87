package io.albis.trino.pushdown;

import io.albis.format.filter.RowFilters;
import io.albis.trino.handle.AlbisColumnHandle;
import io.albis.trino.pushdown.ConstantComparisons.Comparison;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.expression.Call;
import io.trino.spi.expression.ConnectorExpression;
import io.trino.spi.expression.Constant;
import io.trino.spi.expression.FunctionName;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.predicate.ValueSet;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.spi.expression.StandardFunctions.AND_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.OR_FUNCTION_NAME;
import static io.trino.spi.type.TypeUtils.typeHasNaN;
import static java.util.Objects.requireNonNull;

/**
 * Domains of elements of arrays and maps that an expression implies, such as {@code element_at(m, 'k') = 1}. The engine
 * has no domains for calls.
 *
 * @param domains domains of the parts that the calls need, which contain the values of all rows for which the
 *         expression is true
 * @param isExact whether the expression is true for all rows whose values are in the domains
 */
record ElementPredicates(TupleDomain<AlbisColumnHandle> domains, boolean isExact)
{
    private static final ElementPredicates UNKNOWN = new ElementPredicates(TupleDomain.all(), false);
    private static final ConstantComparisons<ElementCall> ELEMENTS = new ConstantComparisons<>(ElementCall::of);

    ElementPredicates
    {
        requireNonNull(domains, "domains is null");
    }

    static ElementPredicates of(ConnectorExpression expression, Map<String, ColumnHandle> assignments)
    {
        if (expression.equals(Constant.TRUE)) {
            return new ElementPredicates(TupleDomain.all(), true);
        }
        if (expression instanceof Call call) {
            FunctionName function = call.getFunctionName();
            if (function.equals(AND_FUNCTION_NAME)) {
                return and(call.getArguments(), assignments);
            }
            if (function.equals(OR_FUNCTION_NAME)) {
                return or(call.getArguments(), assignments);
            }
        }
        return ELEMENTS.find(expression, true)
                .filter(Comparison::isExact)
                .map(comparison -> of(comparison.target(), comparison.domain(), assignments))
                .orElse(UNKNOWN);
    }

    private static ElementPredicates and(List<ConnectorExpression> expressions, Map<String, ColumnHandle> assignments)
    {
        List<ElementPredicates> parts = all(expressions, assignments);
        return new ElementPredicates(
                TupleDomain.intersect(parts.stream().map(ElementPredicates::domains).collect(toImmutableList())),
                parts.stream().allMatch(ElementPredicates::isExact));
    }

    private static ElementPredicates or(List<ConnectorExpression> expressions, Map<String, ColumnHandle> assignments)
    {
        List<ElementPredicates> parts = all(expressions, assignments);
        // domains of several columns cannot express an alternative
        Set<Set<AlbisColumnHandle>> columns = new HashSet<>();
        parts.forEach(part -> columns.add(part.domains().getDomains().map(Map::keySet).orElse(Set.of())));
        boolean ofOneColumn = columns.size() == 1 && columns.iterator().next().size() == 1;
        boolean isExact = ofOneColumn &&
                parts.stream().allMatch(ElementPredicates::isExact) &&
                !addsNaN(columns.iterator().next().iterator().next(), parts);
        return new ElementPredicates(TupleDomain.columnWiseUnion(parts.stream().map(ElementPredicates::domains).collect(toImmutableList())), isExact);
    }

    /**
     * Returns whether the union of domains contains NaN, although none of them does. {@code x <= 5 OR x > 5} is false
     * for NaN, but the union of its ranges is the set of all values, which contains NaN.
     */
    private static boolean addsNaN(AlbisColumnHandle column, List<ElementPredicates> parts)
    {
        if (!typeHasNaN(column.type())) {
            return false;
        }
        List<ValueSet> values = parts.stream()
                .map(part -> part.domains().getDomains().orElseThrow().get(column).getValues())
                .collect(toImmutableList());
        return values.stream().noneMatch(ValueSet::isAll) && values.stream().reduce(ValueSet::union).orElseThrow().isAll();
    }

    private static List<ElementPredicates> all(List<ConnectorExpression> expressions, Map<String, ColumnHandle> assignments)
    {
        return expressions.stream()
                .map(expression -> of(expression, assignments))
                .collect(toImmutableList());
    }

    private static ElementPredicates of(ElementCall element, Domain values, Map<String, ColumnHandle> assignments)
    {
        // A subscript fails if there is no element. The engine must get these rows, in which the element counts as null
        Domain domain = Domain.create(values.getValues(), values.isNullAllowed() || !element.replaced());
        if (domain.isAll()) {
            return UNKNOWN;
        }
        return element.withoutFailures().handle(assignments)
                .filter(column -> column.type().equals(domain.getType()) && RowFilters.isEnforceable(column.type(), domain))
                .map(column -> new ElementPredicates(TupleDomain.withColumnDomains(Map.of(column, domain)), element.replaced()))
                .orElse(UNKNOWN);
    }
}
