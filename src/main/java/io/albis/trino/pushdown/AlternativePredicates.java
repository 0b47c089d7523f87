package io.albis.trino.pushdown;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.albis.format.filter.RowFilters;
import io.albis.trino.handle.AlbisColumnHandle;
import io.albis.trino.handle.Alternatives;
import io.albis.trino.handle.Alternatives.Branch;
import io.albis.trino.handle.ColumnExpression;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.expression.Call;
import io.trino.spi.expression.ConnectorExpression;
import io.trino.spi.expression.Constant;
import io.trino.spi.expression.FunctionName;
import io.trino.spi.expression.Variable;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.trino.plugin.base.expression.ConnectorExpressions.extractConjuncts;
import static io.trino.spi.expression.StandardFunctions.AND_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.BETWEEN_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.GREATER_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.LESS_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.LIKE_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.NOT_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.OR_FUNCTION_NAME;
import static io.trino.spi.type.BooleanType.BOOLEAN;

/**
 * Finds alternatives over several columns in an expression, such as {@code a = 1 OR b = 2}, as a disjunction of
 * conjunctions of conditions on single columns. A condition that is left out makes the alternatives match more rows.
 * NOT is moved to the comparisons: an expression is false if it is neither true nor null.
 */
final class AlternativePredicates
{
    // More of them are unlikely to remove more rows, and the handle is sent with each task
    private static final int MAX_ALTERNATIVES = 8;
    private static final int MAX_BRANCHES = 16;
    private static final int MAX_BRANCH_EXPRESSIONS = 4;
    // Expressions of programs can have thousands of terms
    private static final int MAX_TERMS = 1000;

    private static final List<Branch> NO_ROW = ImmutableList.of();
    private static final List<Branch> ANY_ROW = ImmutableList.of(new Branch(TupleDomain.all(), ImmutableSet.of()));

    private final Map<String, ColumnHandle> assignments;
    private final ConstantComparisons<AlbisColumnHandle> comparisons;
    private final ColumnExpressions expressions;

    private AlternativePredicates(Map<String, ColumnHandle> assignments)
    {
        this.assignments = assignments;
        this.comparisons = new ConstantComparisons<>(this::column);
        this.expressions = new ColumnExpressions(assignments);
    }

    /**
     * Adds the alternatives over several columns among the conjuncts of an expression to those that are known.
     *
     * @param maxRanges maximum number of ranges in the domains of an alternative
     */
    static Set<Alternatives> add(Set<Alternatives> known, ConnectorExpression expression, Map<String, ColumnHandle> assignments, int maxRanges)
    {
        AlternativePredicates predicates = new AlternativePredicates(assignments);
        Set<Alternatives> all = new LinkedHashSet<>(known);
        for (ConnectorExpression conjunct : extractConjuncts(expression)) {
            Alternatives found = compact(new Alternatives(ImmutableSet.copyOf(predicates.rows(conjunct, true))), maxRanges);
            if (removesRows(found) && all.size() < MAX_ALTERNATIVES) {
                all.add(found);
            }
        }
        return ImmutableSet.copyOf(all);
    }

    /**
     * Returns whether alternatives may match fewer rows than domains and expressions on single columns do. A compacted
     * domain can be that of all values, or that of another alternative.
     */
    private static boolean removesRows(Alternatives alternatives)
    {
        return alternatives.branches().size() > 1 && alternatives.columns().size() > 1 && alternatives.branches().stream().noneMatch(branch -> branch.columns().isEmpty());
    }

    /**
     * Returns alternatives that match all rows for which an expression has a result, and perhaps others.
     *
     * @param result true or false
     */
    private List<Branch> rows(ConnectorExpression expression, boolean result)
    {
        if (expression instanceof Constant constant) {
            return constant.getValue() != null && constant.getValue().equals(result) ? ANY_ROW : NO_ROW;
        }
        if (expression instanceof Call call) {
            FunctionName function = call.getFunctionName();
            List<ConnectorExpression> arguments = call.getArguments();
            if (function.equals(AND_FUNCTION_NAME)) {
                return result ? all(arguments, true) : any(arguments, false);
            }
            if (function.equals(OR_FUNCTION_NAME)) {
                return result ? any(arguments, true) : all(arguments, false);
            }
            if (function.equals(NOT_FUNCTION_NAME)) {
                return rows(arguments.getFirst(), !result);
            }
            if (function.equals(BETWEEN_FUNCTION_NAME)) {
                return rows(between(arguments), result);
            }
        }
        return leaf(expression, result);
    }

    private static ConnectorExpression between(List<ConnectorExpression> arguments)
    {
        return new Call(BOOLEAN, AND_FUNCTION_NAME, ImmutableList.of(
                new Call(BOOLEAN, GREATER_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME, ImmutableList.of(arguments.get(0), arguments.get(1))),
                new Call(BOOLEAN, LESS_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME, ImmutableList.of(arguments.get(0), arguments.get(2)))));
    }

    private List<Branch> any(List<ConnectorExpression> terms, boolean result)
    {
        if (terms.size() > MAX_TERMS) {
            return ANY_ROW;
        }
        List<Branch> branches = new ArrayList<>();
        for (ConnectorExpression term : terms) {
            List<Branch> rows = rows(term, result);
            if (rows.equals(ANY_ROW)) {
                return ANY_ROW;
            }
            branches.addAll(rows);
        }
        List<Branch> merged = merge(branches);
        return merged.size() > MAX_BRANCHES ? ANY_ROW : merged;
    }

    /**
     * Merges the branches that only have a domain of the same column.
     */
    private static List<Branch> merge(List<Branch> branches)
    {
        Map<AlbisColumnHandle, List<Domain>> single = new LinkedHashMap<>();
        Set<Branch> others = new LinkedHashSet<>();
        for (Branch branch : branches) {
            Map<AlbisColumnHandle, Domain> domains = branch.domains().getDomains().orElseThrow();
            if (domains.size() == 1 && branch.expressions().isEmpty()) {
                domains.forEach((column, domain) -> single.computeIfAbsent(column, _ -> new ArrayList<>()).add(domain));
            }
            else {
                others.add(branch);
            }
        }
        ImmutableList.Builder<Branch> merged = ImmutableList.builder();
        single.forEach((column, domains) -> merged.add(new Branch(TupleDomain.withColumnDomains(Map.of(column, Domain.union(domains))), ImmutableSet.of())));
        List<Branch> all = merged.addAll(others).build();
        // a union of domains may be the domain of all values
        return all.stream().anyMatch(branch -> branch.columns().isEmpty()) ? ANY_ROW : all;
    }

    private List<Branch> all(List<ConnectorExpression> terms, boolean result)
    {
        List<Branch> combined = ANY_ROW;
        for (ConnectorExpression term : terms) {
            combined = combine(combined, rows(term, result));
        }
        return combined;
    }

    /**
     * Returns the pairs of branches. If there are too many, the left ones match the same rows and others.
     */
    private static List<Branch> combine(List<Branch> left, List<Branch> right)
    {
        if (left.equals(ANY_ROW) || right.isEmpty()) {
            return right;
        }
        if (right.equals(ANY_ROW) || left.isEmpty()) {
            return left;
        }
        if (left.size() * right.size() > MAX_BRANCHES) {
            return left;
        }
        Set<Branch> pairs = new LinkedHashSet<>();
        for (Branch first : left) {
            for (Branch second : right) {
                TupleDomain<AlbisColumnHandle> domains = first.domains().intersect(second.domains());
                if (!domains.isNone()) {
                    pairs.add(new Branch(domains, limited(first.expressions(), second.expressions())));
                }
            }
        }
        return ImmutableList.copyOf(pairs);
    }

    private static Set<ColumnExpression> limited(Set<ColumnExpression> first, Set<ColumnExpression> second)
    {
        return ImmutableSet.<ColumnExpression>builder().addAll(first).addAll(second).build().stream()
                .limit(MAX_BRANCH_EXPRESSIONS)
                .collect(toImmutableSet());
    }

    private List<Branch> leaf(ConnectorExpression expression, boolean result)
    {
        ConnectorExpression condition = result ? expression : new Call(BOOLEAN, NOT_FUNCTION_NAME, ImmutableList.of(expression));
        TupleDomain<AlbisColumnHandle> domains = comparison(expression, result)
                .intersect(ElementPredicates.of(condition, assignments).domains())
                .intersect(CharPredicates.extract(condition, assignments));
        if (domains.isNone()) {
            return NO_ROW;
        }
        boolean isLike = expression instanceof Call call && call.getFunctionName().equals(LIKE_FUNCTION_NAME);
        Optional<ColumnExpression> test = domains.isAll() || isLike ? expressions.ofColumn(condition) : Optional.empty();
        return ImmutableList.of(new Branch(domains, test.map(ImmutableSet::of).orElse(ImmutableSet.of())));
    }

    private TupleDomain<AlbisColumnHandle> comparison(ConnectorExpression expression, boolean result)
    {
        return comparisons.find(expression, result)
                .filter(found -> RowFilters.isEnforceable(found.target().type(), found.domain()))
                .map(found -> TupleDomain.withColumnDomains(ImmutableMap.of(found.target(), found.domain())))
                .orElse(TupleDomain.all());
    }

    private Optional<AlbisColumnHandle> column(ConnectorExpression expression)
    {
        if (expression instanceof Variable variable && assignments.get(variable.getName()) instanceof AlbisColumnHandle column && column.type().equals(variable.getType())) {
            return Optional.of(column);
        }
        return Optional.empty();
    }

    private static Alternatives compact(Alternatives alternatives, int maxRanges)
    {
        int domains = alternatives.branches().stream()
                .mapToInt(branch -> branch.domains().getDomains().orElseThrow().size())
                .sum();
        int rangesOfDomain = Math.max(1, maxRanges / Math.max(1, domains));
        return new Alternatives(alternatives.branches().stream()
                .map(branch -> new Branch(branch.domains().transformDomains((_, domain) -> DomainCompaction.compact(domain, rangesOfDomain)), branch.expressions()))
                .collect(toImmutableSet()));
    }
}
