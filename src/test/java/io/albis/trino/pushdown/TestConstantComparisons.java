package io.albis.trino.pushdown;

import com.google.common.collect.ImmutableList;
import io.albis.trino.pushdown.ConstantComparisons.Comparison;
import io.trino.spi.expression.Call;
import io.trino.spi.expression.ConnectorExpression;
import io.trino.spi.expression.Constant;
import io.trino.spi.expression.FunctionName;
import io.trino.spi.expression.Variable;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.ValueSet;
import io.trino.spi.type.ArrayType;
import org.junit.jupiter.api.Test;

import java.util.Optional;

import static io.trino.spi.expression.StandardFunctions.ARRAY_CONSTRUCTOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.BETWEEN_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.EQUAL_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.IDENTICAL_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.IN_PREDICATE_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.IS_NULL_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.LESS_THAN_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.NOT_EQUAL_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.NOT_FUNCTION_NAME;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.BooleanType.BOOLEAN;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The values for which comparisons of variables with constants are true or false.
 */
final class TestConstantComparisons
{
    private static final Variable NUMBER = new Variable("n", BIGINT);
    private static final Variable FLOATING = new Variable("f", DOUBLE);
    private static final Variable CONDITION = new Variable("c", BOOLEAN);

    private final ConstantComparisons<Variable> comparisons = new ConstantComparisons<>(TestConstantComparisons::variable);

    private static Optional<Variable> variable(ConnectorExpression expression)
    {
        return expression instanceof Variable variable ? Optional.of(variable) : Optional.empty();
    }

    @Test
    void testNumbers()
    {
        Domain less = ranges(Range.lessThan(BIGINT, 5L));
        Domain notLess = ranges(Range.greaterThanOrEqual(BIGINT, 5L));
        ConnectorExpression comparison = call(LESS_THAN_OPERATOR_FUNCTION_NAME, NUMBER, number(5L));
        assertValues(comparison, true, less);
        assertValues(comparison, false, notLess);
        assertValues(call(NOT_FUNCTION_NAME, comparison), true, notLess);
        assertValues(call(LESS_THAN_OPERATOR_FUNCTION_NAME, number(5L), NUMBER), true, ranges(Range.greaterThan(BIGINT, 5L)));
        assertValues(call(EQUAL_OPERATOR_FUNCTION_NAME, NUMBER, number(5L)), true, Domain.singleValue(BIGINT, 5L));
        assertValues(call(NOT_EQUAL_OPERATOR_FUNCTION_NAME, number(5L), NUMBER), false, Domain.singleValue(BIGINT, 5L));
        ConnectorExpression between = call(BETWEEN_FUNCTION_NAME, NUMBER, number(3L), number(5L));
        assertValues(between, true, ranges(Range.range(BIGINT, 3L, true, 5L, true)));
        assertValues(between, false, ranges(Range.lessThan(BIGINT, 3L), Range.greaterThan(BIGINT, 5L)));
        assertValues(call(BETWEEN_FUNCTION_NAME, NUMBER, number(null), number(5L)), true, Domain.none(BIGINT));
        assertValues(call(BETWEEN_FUNCTION_NAME, NUMBER, number(null), number(5L)), false, ranges(Range.greaterThan(BIGINT, 5L)));
        assertValues(CONDITION, true, Domain.singleValue(BOOLEAN, true));
        assertValues(call(NOT_FUNCTION_NAME, CONDITION), true, Domain.singleValue(BOOLEAN, false));
    }

    @Test
    void testNulls()
    {
        Domain others = Domain.create(ValueSet.of(BIGINT, 5L).complement(), false);
        for (boolean result : new boolean[] {true, false}) {
            assertValues(call(LESS_THAN_OPERATOR_FUNCTION_NAME, NUMBER, number(null)), result, Domain.none(BIGINT));
            assertValues(call(IS_NULL_FUNCTION_NAME, NUMBER), result, result ? Domain.onlyNull(BIGINT) : Domain.notNull(BIGINT));
            assertValues(call(IDENTICAL_OPERATOR_FUNCTION_NAME, NUMBER, number(null)), result, result ? Domain.onlyNull(BIGINT) : Domain.notNull(BIGINT));
            assertValues(in(number(5L), number(null)), result, result ? Domain.singleValue(BIGINT, 5L) : Domain.none(BIGINT));
            assertValues(in(number(5L)), result, result ? Domain.singleValue(BIGINT, 5L) : others);
        }
        assertValues(call(IDENTICAL_OPERATOR_FUNCTION_NAME, NUMBER, number(5L)), true, Domain.singleValue(BIGINT, 5L));
        assertValues(call(IDENTICAL_OPERATOR_FUNCTION_NAME, NUMBER, number(5L)), false, Domain.create(others.getValues(), true));
    }

    /**
     * No domain but that of all values has NaN.
     */
    @Test
    void testNaN()
    {
        ConnectorExpression comparison = call(LESS_THAN_OPERATOR_FUNCTION_NAME, FLOATING, new Constant(1.0, DOUBLE));
        assertValues(comparison, true, ranges(Range.lessThan(DOUBLE, 1.0)));
        assertThat(comparisons.find(comparison, false)).contains(new Comparison<>(FLOATING, Domain.notNull(DOUBLE), false));
        Constant nan = new Constant(Double.NaN, DOUBLE);
        assertValues(call(EQUAL_OPERATOR_FUNCTION_NAME, FLOATING, nan), true, Domain.none(DOUBLE));
        assertValues(call(EQUAL_OPERATOR_FUNCTION_NAME, FLOATING, nan), false, Domain.notNull(DOUBLE));
        assertThat(comparisons.find(call(IDENTICAL_OPERATOR_FUNCTION_NAME, FLOATING, nan), true)).contains(new Comparison<>(FLOATING, Domain.notNull(DOUBLE), false));
    }

    @Test
    void testOtherExpressions()
    {
        assertThat(comparisons.find(call(LESS_THAN_OPERATOR_FUNCTION_NAME, NUMBER, NUMBER), true)).isEmpty();
        assertThat(comparisons.find(call(EQUAL_OPERATOR_FUNCTION_NAME, NUMBER, new Constant(5.0, DOUBLE)), true)).isEmpty();
        assertThat(comparisons.find(call(new FunctionName("f"), NUMBER), true)).isEmpty();
        assertThat(comparisons.find(NUMBER, true)).isEmpty();
        assertThat(comparisons.find(in(number(5L), NUMBER), true)).isEmpty();
    }

    private void assertValues(ConnectorExpression expression, boolean result, Domain expected)
    {
        Optional<Comparison<Variable>> found = comparisons.find(expression, result);
        assertThat(found).as("%s is %s", expression, result).isPresent();
        assertThat(found.get().domain()).as("%s is %s", expression, result).isEqualTo(expected);
        assertThat(found.get().isExact()).as("%s is %s", expression, result).isTrue();
    }

    private static Domain ranges(Range first, Range... others)
    {
        return Domain.create(ValueSet.ofRanges(first, others), false);
    }

    private static Constant number(Long value)
    {
        return new Constant(value, BIGINT);
    }

    private static ConnectorExpression in(ConnectorExpression... elements)
    {
        return call(IN_PREDICATE_FUNCTION_NAME, NUMBER, new Call(new ArrayType(BIGINT), ARRAY_CONSTRUCTOR_FUNCTION_NAME, ImmutableList.copyOf(elements)));
    }

    private static ConnectorExpression call(FunctionName function, ConnectorExpression... arguments)
    {
        return new Call(BOOLEAN, function, ImmutableList.copyOf(arguments));
    }
}
