package io.albis.trino.pushdown;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Sets;
import io.airlift.slice.Slices;
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
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.predicate.ValueSet;
import io.trino.spi.type.ArrayType;
import io.trino.spi.type.Type;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

import static com.google.common.collect.Iterables.getOnlyElement;
import static io.trino.spi.expression.StandardFunctions.AND_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.ARRAY_CONSTRUCTOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.BETWEEN_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.CAST_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.EQUAL_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.GREATER_THAN_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.IDENTICAL_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.IN_PREDICATE_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.IS_NULL_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.LESS_THAN_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.LIKE_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.NOT_EQUAL_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.NOT_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.OR_FUNCTION_NAME;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.BooleanType.BOOLEAN;
import static io.trino.spi.type.CharType.createCharType;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static org.assertj.core.api.Assertions.assertThat;

final class TestAlternativePredicates
{
    private static final AlbisColumnHandle A = new AlbisColumnHandle(1, "a", BIGINT);
    private static final AlbisColumnHandle B = new AlbisColumnHandle(2, "b", BIGINT);
    private static final AlbisColumnHandle D = new AlbisColumnHandle(3, "d", DOUBLE);
    private static final AlbisColumnHandle C = new AlbisColumnHandle(4, "c", createCharType(3));
    private static final AlbisColumnHandle T = new AlbisColumnHandle(5, "t", VARCHAR);
    private static final AlbisColumnHandle X = new AlbisColumnHandle(6, "x", BOOLEAN);
    private static final Map<String, ColumnHandle> ASSIGNMENTS = ImmutableMap.of("v_a", A, "v_b", B, "v_d", D, "v_c", C, "v_t", T, "v_x", X);

    // the other alternative of each test
    private static final ConnectorExpression B_IS_2 = compare(EQUAL_OPERATOR_FUNCTION_NAME, B, 2L);
    private static final Branch B_BRANCH = branch(B, Domain.singleValue(BIGINT, 2L));

    @Test
    void testOr()
    {
        assertThat(extract(or(compare(EQUAL_OPERATOR_FUNCTION_NAME, A, 1L), B_IS_2)).branches())
                .containsExactlyInAnyOrder(branch(A, Domain.singleValue(BIGINT, 1L)), B_BRANCH);
        // the constant may be first
        assertThat(branchOfA(new Call(BOOLEAN, LESS_THAN_OPERATOR_FUNCTION_NAME, ImmutableList.of(new Constant(1L, BIGINT), variable(A)))))
                .isEqualTo(Domain.create(ValueSet.ofRanges(Range.greaterThan(BIGINT, 1L)), false));
        // domains of one column are merged
        assertThat(branchOfA(or(compare(EQUAL_OPERATOR_FUNCTION_NAME, A, 1L), compare(GREATER_THAN_OPERATOR_FUNCTION_NAME, A, 5L))))
                .isEqualTo(Domain.create(ValueSet.ofRanges(Range.equal(BIGINT, 1L), Range.greaterThan(BIGINT, 5L)), false));
        // the domains of the engine say the same
        assertNothing(or(compare(EQUAL_OPERATOR_FUNCTION_NAME, A, 1L), compare(GREATER_THAN_OPERATOR_FUNCTION_NAME, A, 5L)));
        assertNothing(and(compare(EQUAL_OPERATOR_FUNCTION_NAME, A, 1L), B_IS_2));
    }

    @Test
    void testAnd()
    {
        ConnectorExpression a = compare(EQUAL_OPERATOR_FUNCTION_NAME, A, 1L);
        ConnectorExpression d = compare(LESS_THAN_OPERATOR_FUNCTION_NAME, D, 3.0);
        Domain less = Domain.create(ValueSet.ofRanges(Range.lessThan(DOUBLE, 3.0)), false);
        Branch both = new Branch(TupleDomain.withColumnDomains(ImmutableMap.of(A, Domain.singleValue(BIGINT, 1L), D, less)), ImmutableSet.of());
        assertThat(extract(or(and(a, d), B_IS_2)).branches()).containsExactlyInAnyOrder(both, B_BRANCH);
        // in any order
        assertThat(extract(or(B_IS_2, and(d, a)))).isEqualTo(extract(or(and(a, d), B_IS_2)));
        // each conjunct of the whole filter counts on its own
        assertThat(AlternativePredicates.add(ImmutableSet.of(), and(or(a, B_IS_2), or(d, B_IS_2)), ASSIGNMENTS, 1000)).hasSize(2);
        // a contradiction is no alternative, and what is left is a single domain
        assertNothing(or(and(a, compare(EQUAL_OPERATOR_FUNCTION_NAME, A, 2L)), B_IS_2));
        // an unknown condition matches all rows
        assertThat(extract(or(and(a, unknown()), B_IS_2)).branches()).containsExactlyInAnyOrder(branch(A, Domain.singleValue(BIGINT, 1L)), B_BRANCH);
        assertNothing(or(a, B_IS_2, unknown()));
    }

    @Test
    void testNot()
    {
        ConnectorExpression a = compare(EQUAL_OPERATOR_FUNCTION_NAME, A, 1L);
        Branch notA = branch(A, Domain.create(ValueSet.of(BIGINT, 1L).complement(), false));
        Branch notB = branch(B, Domain.create(ValueSet.of(BIGINT, 2L).complement(), false));
        assertThat(extract(not(and(a, B_IS_2))).branches()).containsExactlyInAnyOrder(notA, notB);
        assertThat(extract(not(and(not(a), not(B_IS_2)))).branches()).containsExactlyInAnyOrder(branch(A, Domain.singleValue(BIGINT, 1L)), B_BRANCH);
        assertNothing(not(or(a, B_IS_2)));
        // NOT (... AND NOT (... OR ...))
        assertThat(extract(not(and(a, not(or(B_IS_2, isNull(D)))))).branches()).containsExactlyInAnyOrder(notA, B_BRANCH, branch(D, Domain.onlyNull(DOUBLE)));
        assertThat(branchOfA(not(between(A, 3L, 5L)))).isEqualTo(Domain.create(ValueSet.ofRanges(Range.lessThan(BIGINT, 3L), Range.greaterThan(BIGINT, 5L)), false));
        assertThat(branchOfA(between(A, 3L, 5L))).isEqualTo(Domain.create(ValueSet.ofRanges(Range.range(BIGINT, 3L, true, 5L, true)), false));
    }

    /**
     * A comparison with a null is null, so that neither it nor its negation is true.
     */
    @Test
    void testNulls()
    {
        assertThat(branchOfA(isNull(A))).isEqualTo(Domain.onlyNull(BIGINT));
        assertThat(branchOfA(not(isNull(A)))).isEqualTo(Domain.notNull(BIGINT));
        assertThat(branchOfA(identical(A, null))).isEqualTo(Domain.onlyNull(BIGINT));
        assertThat(branchOfA(not(identical(A, null)))).isEqualTo(Domain.notNull(BIGINT));
        assertThat(branchOfA(identical(A, 1L))).isEqualTo(Domain.singleValue(BIGINT, 1L));
        assertThat(branchOfA(not(identical(A, 1L)))).isEqualTo(Domain.create(ValueSet.of(BIGINT, 1L).complement(), true));
        assertThat(branchOfA(in(A, 1L, 3L, null))).isEqualTo(Domain.multipleValues(BIGINT, ImmutableList.of(1L, 3L)));
        assertThat(branchOfA(not(in(A, 1L, 3L)))).isEqualTo(Domain.create(ValueSet.of(BIGINT, 1L, 3L).complement(), false));
        // never true, so that only one alternative is left
        for (ConnectorExpression never : ImmutableList.of(compare(EQUAL_OPERATOR_FUNCTION_NAME, A, null), not(compare(EQUAL_OPERATOR_FUNCTION_NAME, A, null)), not(in(A, 1L, null)), new Constant(null, BOOLEAN))) {
            assertThat(extract(or(never, B_IS_2, isNull(D))).branches()).as("%s", never).containsExactlyInAnyOrder(B_BRANCH, branch(D, Domain.onlyNull(DOUBLE)));
        }
        // a boolean is an expression itself
        assertThat(extract(or(variable(X), B_IS_2)).branches()).contains(branch(X, Domain.singleValue(BOOLEAN, true)));
        assertThat(extract(or(not(variable(X)), B_IS_2)).branches()).contains(branch(X, Domain.singleValue(BOOLEAN, false)));
    }

    /**
     * NaN differs from all values, also from itself, and is neither less nor greater. IS DISTINCT FROM treats it as a
     * value. A domain has NaN only if it has all values.
     */
    @Test
    void testNaN()
    {
        Domain notNull = Domain.notNull(DOUBLE);
        assertThat(branchOfD(compare(EQUAL_OPERATOR_FUNCTION_NAME, D, 1.0))).isEqualTo(Domain.singleValue(DOUBLE, 1.0));
        assertThat(branchOfD(not(compare(NOT_EQUAL_OPERATOR_FUNCTION_NAME, D, 1.0)))).isEqualTo(Domain.singleValue(DOUBLE, 1.0));
        for (ConnectorExpression withNaN : ImmutableList.of(
                compare(NOT_EQUAL_OPERATOR_FUNCTION_NAME, D, 1.0),
                not(compare(EQUAL_OPERATOR_FUNCTION_NAME, D, 1.0)),
                not(compare(LESS_THAN_OPERATOR_FUNCTION_NAME, D, 1.0)),
                not(in(D, 1.0, 2.0)),
                not(between(D, 1.0, 2.0)),
                compare(NOT_EQUAL_OPERATOR_FUNCTION_NAME, D, Double.NaN),
                not(compare(GREATER_THAN_OPERATOR_FUNCTION_NAME, D, Double.NaN)),
                identical(D, Double.NaN))) {
            assertThat(branchOfD(withNaN)).as("%s", withNaN).isEqualTo(notNull);
        }
        assertThat(branchOfD(in(D, 1.0, Double.NaN))).isEqualTo(Domain.singleValue(DOUBLE, 1.0));
        assertThat(extract(or(compare(EQUAL_OPERATOR_FUNCTION_NAME, D, Double.NaN), B_IS_2, isNull(A))).columns()).containsExactlyInAnyOrder(A, B);
        // any value, NaN, or null may be different, so only the expression remains
        for (ConnectorExpression distinct : ImmutableList.of(not(identical(D, 1.0)), not(identical(D, Double.NaN)))) {
            Branch other = otherBranch(distinct);
            assertThat(other.domains()).isEqualTo(TupleDomain.all());
            assertThat(other.expressions()).hasSize(1);
        }
    }

    @Test
    void testZeros()
    {
        Domain zero = branchOfD(compare(EQUAL_OPERATOR_FUNCTION_NAME, D, -0.0));
        assertThat(zero.includesNullableValue(0.0)).isTrue();
        assertThat(zero.includesNullableValue(-0.0)).isTrue();
        Domain less = branchOfD(compare(LESS_THAN_OPERATOR_FUNCTION_NAME, D, 0.0));
        assertThat(less.includesNullableValue(-Double.MIN_VALUE)).isTrue();
    }

    /**
     * Trino compares most CHAR columns as varchar.
     */
    @Test
    void testChar()
    {
        ConnectorExpression cast = new Call(VARCHAR, CAST_FUNCTION_NAME, ImmutableList.of(variable(C)));
        ConnectorExpression equal = new Call(BOOLEAN, EQUAL_OPERATOR_FUNCTION_NAME, ImmutableList.of(cast, new Constant(Slices.utf8Slice("ab "), VARCHAR)));
        assertThat(extract(or(equal, B_IS_2)).branches()).containsExactlyInAnyOrder(branch(C, Domain.singleValue(C.type(), Slices.utf8Slice("ab"))), B_BRANCH);
        assertThat(extract(or(compare(EQUAL_OPERATOR_FUNCTION_NAME, C, Slices.utf8Slice("ab")), B_IS_2)).branches()).contains(branch(C, Domain.singleValue(C.type(), Slices.utf8Slice("ab"))));
        // the negation is an expression on the column
        Branch negated = otherBranch(not(equal));
        assertThat(negated.domains()).isEqualTo(TupleDomain.all());
        assertThat(negated.expressions()).hasSize(1);
    }

    @Test
    void testExpressions()
    {
        ConnectorExpression like = new Call(BOOLEAN, LIKE_FUNCTION_NAME, ImmutableList.of(variable(T), new Constant(Slices.utf8Slice("%x%"), VARCHAR)));
        Variable value = new Variable(ColumnExpression.VARIABLE, VARCHAR);
        ConnectorExpression renamed = new Call(BOOLEAN, LIKE_FUNCTION_NAME, ImmutableList.of(value, new Constant(Slices.utf8Slice("%x%"), VARCHAR)));
        assertThat(extract(or(like, B_IS_2)).branches()).containsExactlyInAnyOrder(B_BRANCH, new Branch(TupleDomain.all(), ImmutableSet.of(new ColumnExpression(T, renamed))));
        assertThat(extract(or(and(not(like), isNull(A)), B_IS_2)).branches()).containsExactlyInAnyOrder(
                B_BRANCH,
                new Branch(TupleDomain.withColumnDomains(ImmutableMap.of(A, Domain.onlyNull(BIGINT))), ImmutableSet.of(new ColumnExpression(T, not(renamed)))));
    }

    @Test
    void testLimits()
    {
        // 16 alternatives of pairs of columns
        ConnectorExpression[] pairs = IntStream.range(0, 17)
                .mapToObj(i -> and(compare(EQUAL_OPERATOR_FUNCTION_NAME, A, (long) i), compare(EQUAL_OPERATOR_FUNCTION_NAME, B, (long) i)))
                .toArray(ConnectorExpression[]::new);
        assertNothing(or(pairs));
        assertThat(extract(or(List.of(pairs).subList(1, 17).toArray(ConnectorExpression[]::new))).branches()).hasSize(16);
        // 3 * 3 * 3 pairs are too many, so some conditions are left out
        ConnectorExpression three = or(compare(EQUAL_OPERATOR_FUNCTION_NAME, A, 1L), B_IS_2, isNull(D));
        ConnectorExpression other = or(isNull(X), isNull(T), isNull(C));
        ConnectorExpression another = or(variable(X), not(isNull(T)), not(isNull(C)));
        assertThat(extract(not(not(and(three, other, another)))).branches()).hasSize(9);
        // all ranges of all domains
        Object[] values = IntStream.range(0, 1000).mapToObj(i -> i * 2L).toArray();
        Alternatives compact = getOnlyElement(AlternativePredicates.add(ImmutableSet.of(), or(in(A, values), in(B, values)), ASSIGNMENTS, 100));
        for (Branch branch : compact.branches()) {
            Domain domain = getOnlyElement(branch.domains().getDomains().orElseThrow().values());
            assertThat(domain.getValues().getRanges().getRangeCount()).isBetween(2, 50);
            assertThat(domain.contains(Domain.multipleValues(BIGINT, List.of(values)))).isTrue();
        }
        Set<Alternatives> known = ImmutableSet.of();
        for (long i = 0; i < 20; i++) {
            known = AlternativePredicates.add(known, or(compare(EQUAL_OPERATOR_FUNCTION_NAME, A, i), B_IS_2), ASSIGNMENTS, 1000);
            assertThat(AlternativePredicates.add(known, or(compare(EQUAL_OPERATOR_FUNCTION_NAME, A, i), B_IS_2), ASSIGNMENTS, 1000)).isEqualTo(known);
        }
        assertThat(known).hasSize(8);
    }

    /**
     * A compacted domain can have all values.
     */
    @Test
    void testCompactedDomains()
    {
        ConnectorExpression distinct = or(not(identical(A, 5L)), B_IS_2);
        assertThat(AlternativePredicates.add(ImmutableSet.of(), distinct, ASSIGNMENTS, 4)).hasSize(1);
        assertThat(AlternativePredicates.add(ImmutableSet.of(), distinct, ASSIGNMENTS, 2)).isEmpty();
        // both alternatives become A BETWEEN 1 AND 9
        ConnectorExpression equal = or(and(in(A, 1L, 3L, 9L), in(B, 1L, 9L)), and(in(A, 1L, 5L, 9L), in(B, 1L, 5L, 9L)));
        assertThat(AlternativePredicates.add(ImmutableSet.of(), equal, ASSIGNMENTS, 1000)).hasSize(1);
        assertThat(AlternativePredicates.add(ImmutableSet.of(), equal, ASSIGNMENTS, 4)).isEmpty();
    }

    private static Domain branchOfA(ConnectorExpression expression)
    {
        return domain(A, expression);
    }

    private static Domain branchOfD(ConnectorExpression expression)
    {
        return domain(D, expression);
    }

    /**
     * Returns the domain of a column in the alternatives of an expression and a comparison of another column.
     */
    private static Domain domain(AlbisColumnHandle column, ConnectorExpression expression)
    {
        Branch other = otherBranch(expression);
        assertThat(other.columns()).containsExactly(column);
        return other.domains().getDomains().orElseThrow().get(column);
    }

    /**
     * Returns the alternative of an expression apart from that of a comparison of another column.
     */
    private static Branch otherBranch(ConnectorExpression expression)
    {
        Set<Branch> branches = extract(or(expression, B_IS_2)).branches();
        assertThat(branches).hasSize(2).contains(B_BRANCH);
        return getOnlyElement(Sets.difference(branches, ImmutableSet.of(B_BRANCH)));
    }

    private static Alternatives extract(ConnectorExpression expression)
    {
        return getOnlyElement(AlternativePredicates.add(ImmutableSet.of(), expression, ASSIGNMENTS, 1000));
    }

    private static void assertNothing(ConnectorExpression expression)
    {
        assertThat(AlternativePredicates.add(ImmutableSet.of(), expression, ASSIGNMENTS, 1000)).isEmpty();
    }

    private static Branch branch(AlbisColumnHandle column, Domain domain)
    {
        return new Branch(TupleDomain.withColumnDomains(ImmutableMap.of(column, domain)), ImmutableSet.of());
    }

    private static Variable variable(AlbisColumnHandle column)
    {
        return new Variable("v_" + column.name(), column.type());
    }

    private static ConnectorExpression compare(FunctionName function, AlbisColumnHandle column, Object value)
    {
        return new Call(BOOLEAN, function, ImmutableList.of(variable(column), new Constant(value, column.type())));
    }

    private static ConnectorExpression identical(AlbisColumnHandle column, Object value)
    {
        return compare(IDENTICAL_OPERATOR_FUNCTION_NAME, column, value);
    }

    private static ConnectorExpression between(AlbisColumnHandle column, Object low, Object high)
    {
        return new Call(BOOLEAN, BETWEEN_FUNCTION_NAME, ImmutableList.of(variable(column), new Constant(low, column.type()), new Constant(high, column.type())));
    }

    private static ConnectorExpression in(AlbisColumnHandle column, Object... values)
    {
        Type type = column.type();
        ImmutableList.Builder<ConnectorExpression> elements = ImmutableList.builder();
        for (Object value : values) {
            elements.add(new Constant(value, type));
        }
        return new Call(BOOLEAN, IN_PREDICATE_FUNCTION_NAME, ImmutableList.of(variable(column), new Call(new ArrayType(type), ARRAY_CONSTRUCTOR_FUNCTION_NAME, elements.build())));
    }

    private static ConnectorExpression isNull(AlbisColumnHandle column)
    {
        return new Call(BOOLEAN, IS_NULL_FUNCTION_NAME, ImmutableList.of(variable(column)));
    }

    private static ConnectorExpression not(ConnectorExpression expression)
    {
        return new Call(BOOLEAN, NOT_FUNCTION_NAME, ImmutableList.of(expression));
    }

    private static ConnectorExpression and(ConnectorExpression... terms)
    {
        return new Call(BOOLEAN, AND_FUNCTION_NAME, ImmutableList.copyOf(terms));
    }

    private static ConnectorExpression or(ConnectorExpression... terms)
    {
        return new Call(BOOLEAN, OR_FUNCTION_NAME, ImmutableList.copyOf(terms));
    }

    /**
     * Returns a condition that needs two columns.
     */
    private static ConnectorExpression unknown()
    {
        return new Call(BOOLEAN, EQUAL_OPERATOR_FUNCTION_NAME, ImmutableList.of(variable(A), variable(B)));
    }
}
