package io.albis.format;

import com.google.common.collect.ImmutableMap;
import io.albis.format.AlbisFilter.And;
import io.albis.format.AlbisFilter.Comparison;
import io.albis.format.AlbisFilter.IsNull;
import io.albis.format.AlbisFilter.Not;
import io.albis.format.AlbisFilter.Operator;
import io.albis.format.AlbisFilter.Or;
import io.albis.format.filter.RowFilters;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.type.JavaValues;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.predicate.ValueSet;
import io.trino.spi.type.Type;

import java.util.List;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.trino.spi.type.TypeUtils.isFloatingPointNaN;
import static io.trino.spi.type.TypeUtils.typeHasNaN;

/**
 * A filter in the form of column domains, which prune segments and filter rows.
 *
 * @param predicate domains that contain every row for which the filter is true
 * @param exact whether the domains contain no other rows
 */
record FilterDomains(TupleDomain<AlbisColumn> predicate, boolean exact)
{
    private static final FilterDomains UNKNOWN = new FilterDomains(TupleDomain.all(), false);

    static FilterDomains of(AlbisFilter filter)
    {
        return of(filter, false);
    }

    // Negation is pushed down to the leaves. In three-valued logic this is correct for unknown as well.
    private static FilterDomains of(AlbisFilter filter, boolean negated)
    {
        return switch (filter) {
            case Not(AlbisFilter inner) -> of(inner, !negated);
            case IsNull(AlbisColumn column) -> of(column, negated ? Domain.notNull(column.type()) : Domain.onlyNull(column.type()));
            case Comparison(AlbisColumn column, Operator operator, Object value) -> comparison(column, operator, value, negated);
            case And(List<AlbisFilter> filters) -> negated ? or(filters, true) : and(filters, false);
            case Or(List<AlbisFilter> filters) -> negated ? and(filters, true) : or(filters, false);
        };
    }

    private static FilterDomains of(AlbisColumn column, Domain domain)
    {
        return new FilterDomains(TupleDomain.withColumnDomains(ImmutableMap.of(column, domain)), true);
    }

    private static FilterDomains comparison(AlbisColumn column, Operator operator, Object javaValue, boolean negated)
    {
        Type type = column.type();
        Object value = JavaValues.toNative(type, javaValue);
        // A domain contains NaN only if it contains all values. But NaN differs from every number, and NOT (NaN < x) is
        // true.
        if (typeHasNaN(type) && (negated || operator == Operator.NOT_EQUAL || isFloatingPointNaN(type, value))) {
            return UNKNOWN;
        }
        Domain domain = domain(type, negated ? operator.negate() : operator, value);
        return RowFilters.isEnforceable(type, domain) ? of(column, domain) : UNKNOWN;
    }

    static Domain domain(Type type, Operator operator, Object value)
    {
        ValueSet values = switch (operator) {
            case EQUAL -> ValueSet.of(type, value);
            case NOT_EQUAL -> ValueSet.of(type, value).complement();
            case LESS_THAN -> ValueSet.ofRanges(Range.lessThan(type, value));
            case LESS_THAN_OR_EQUAL -> ValueSet.ofRanges(Range.lessThanOrEqual(type, value));
            case GREATER_THAN -> ValueSet.ofRanges(Range.greaterThan(type, value));
            case GREATER_THAN_OR_EQUAL -> ValueSet.ofRanges(Range.greaterThanOrEqual(type, value));
        };
        return Domain.create(values, false);
    }

    private static FilterDomains and(List<AlbisFilter> filters, boolean negated)
    {
        TupleDomain<AlbisColumn> predicate = TupleDomain.all();
        boolean exact = true;
        for (AlbisFilter filter : filters) {
            FilterDomains domains = of(filter, negated);
            predicate = predicate.intersect(domains.predicate());
            exact &= domains.exact();
        }
        return new FilterDomains(predicate, exact);
    }

    private static FilterDomains or(List<AlbisFilter> filters, boolean negated)
    {
        List<FilterDomains> domains = filters.stream()
                .map(filter -> of(filter, negated))
                .collect(toImmutableList());
        if (domains.isEmpty()) {
            return new FilterDomains(TupleDomain.none(), true);
        }
        Set<Set<AlbisColumn>> columns = domains.stream()
                .flatMap(domain -> domain.predicate().getDomains().stream())
                .map(domain -> (Set<AlbisColumn>) ImmutableMap.copyOf(domain).keySet())
                .collect(toImmutableSet());
        TupleDomain<AlbisColumn> union = TupleDomain.columnWiseUnion(domains.stream().map(FilterDomains::predicate).collect(toImmutableList()));
        boolean exact = switch (columns.size()) {
            // all operands are false
            case 0 -> true;
            // A disjunction over several columns cannot be expressed as a domain of each column.
            case 1 -> columns.iterator().next().size() == 1 && !addsNan(columns.iterator().next().iterator().next(), domains, union);
            default -> false;
        };
        return new FilterDomains(union, exact && domains.stream().allMatch(FilterDomains::exact));
    }

    // Ranges that together cover all numbers merge into a domain of all values. That domain contains NaN, but none of
    // the ranges does.
    private static boolean addsNan(AlbisColumn column, List<FilterDomains> operands, TupleDomain<AlbisColumn> union)
    {
        return typeHasNaN(column.type()) && hasAll(column, union) && operands.stream().noneMatch(operand -> hasAll(column, operand.predicate()));
    }

    private static boolean hasAll(AlbisColumn column, TupleDomain<AlbisColumn> predicate)
    {
        return predicate.getDomains()
                .map(domains -> !domains.containsKey(column) || domains.get(column).getValues().isAll())
                .orElse(false);
    }
}
