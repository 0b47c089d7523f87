package io.albis.trino.pushdown;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.airlift.slice.Slices;
import io.albis.trino.handle.AlbisColumnHandle;
import io.albis.trino.handle.ColumnExpression;
import io.albis.trino.handle.HiddenColumn;
import io.albis.trino.handle.HiddenColumnHandle;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.connector.CatalogSchemaName;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.expression.Call;
import io.trino.spi.expression.ConnectorExpression;
import io.trino.spi.expression.Constant;
import io.trino.spi.expression.FunctionName;
import io.trino.spi.expression.Lambda;
import io.trino.spi.expression.Variable;
import io.trino.spi.type.ArrayType;
import io.trino.spi.type.FunctionType;
import io.trino.spi.type.Int128;
import io.trino.spi.type.LongTimestamp;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import static io.trino.spi.expression.StandardFunctions.AND_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.CAST_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.EQUAL_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.LIKE_FUNCTION_NAME;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.BooleanType.BOOLEAN;
import static io.trino.spi.type.CharType.createCharType;
import static io.trino.spi.type.DecimalType.createDecimalType;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static io.trino.spi.type.TimestampType.createTimestampType;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static org.assertj.core.api.Assertions.assertThat;

final class TestColumnExpressions
{
    private static final AlbisColumnHandle TEXT = new AlbisColumnHandle(1, "text", VARCHAR);
    private static final AlbisColumnHandle CHARACTERS = new AlbisColumnHandle(2, "characters", createCharType(3));
    private static final AlbisColumnHandle ARRAY = new AlbisColumnHandle(3, "array", new ArrayType(VARCHAR));
    private static final Map<String, ColumnHandle> ASSIGNMENTS = ImmutableMap.of("t_1", TEXT, "c_2", CHARACTERS, "a_3", ARRAY, "h_4", new HiddenColumnHandle(HiddenColumn.PATH));

    private static final Variable TEXT_VARIABLE = new Variable("t_1", VARCHAR);

    @Test
    void testConjuncts()
    {
        ConnectorExpression like = like(TEXT_VARIABLE, "%x%");
        ConnectorExpression ofTwo = call("concat", TEXT_VARIABLE, new Variable("h_4", VARCHAR));
        Set<ColumnExpression> found = extract(new Call(BOOLEAN, AND_FUNCTION_NAME, ImmutableList.of(like, ofTwo, call("is_something", TEXT_VARIABLE, TEXT_VARIABLE))));
        Variable value = new Variable("value", VARCHAR);
        assertThat(found).containsExactlyInAnyOrder(
                new ColumnExpression(TEXT, like(value, "%x%")),
                new ColumnExpression(TEXT, call("is_something", value, value)));
        assertThat(ColumnExpressions.add(found, like, ASSIGNMENTS)).isEqualTo(found);
    }

    @Test
    void testColumns()
    {
        assertThat(extract(call("f", new Variable("a_3", ARRAY.type())))).isEmpty();
        assertThat(extract(call("f", new Variable("h_4", VARCHAR)))).isEmpty();
        assertThat(extract(call("f", new Constant(Slices.utf8Slice("x"), VARCHAR)))).isEmpty();
        assertThat(extract(Constant.TRUE)).isEmpty();
        Variable characters = new Variable("c_2", CHARACTERS.type());
        assertThat(extract(like(characters, "a%b"))).hasSize(1);
        // a domain says the same
        assertThat(extract(new Call(BOOLEAN, EQUAL_OPERATOR_FUNCTION_NAME, ImmutableList.of(new Call(VARCHAR, CAST_FUNCTION_NAME, ImmutableList.of(characters)), new Constant(Slices.utf8Slice("x"), VARCHAR))))).isEmpty();
    }

    @Test
    void testFunctions()
    {
        assertThat(extract(call("$engine_expression", new Constant(Slices.utf8Slice("{}"), VARCHAR), TEXT_VARIABLE))).isEmpty();
        assertThat(extract(call("f", call("$coalesce", TEXT_VARIABLE, TEXT_VARIABLE)))).isEmpty();
        assertThat(extract(new Call(BOOLEAN, new FunctionName(Optional.of(new CatalogSchemaName("c", "s")), "f"), ImmutableList.of(TEXT_VARIABLE)))).isEmpty();
        assertThat(extract(call("f", TEXT_VARIABLE, new Lambda(new FunctionType(ImmutableList.of(), BOOLEAN), ImmutableList.of(), Constant.TRUE)))).isEmpty();
        assertThat(extract(new Call(VARCHAR, new FunctionName("f"), ImmutableList.of(TEXT_VARIABLE)))).isEmpty();
    }

    @Test
    void testLimits()
    {
        assertThat(extract(like(TEXT_VARIABLE, "%".repeat(1024)))).hasSize(1);
        assertThat(extract(like(TEXT_VARIABLE, "%".repeat(1025)))).isEmpty();
        ConnectorExpression deep = TEXT_VARIABLE;
        for (int i = 0; i < 99; i++) {
            deep = call("f", deep);
        }
        assertThat(extract(deep)).hasSize(1);
        assertThat(extract(call("f", deep))).isEmpty();
        Set<ColumnExpression> found = ImmutableSet.of();
        for (int i = 0; i < 20; i++) {
            found = ColumnExpressions.add(found, like(TEXT_VARIABLE, "%" + i), ASSIGNMENTS);
        }
        assertThat(found).hasSize(8);
    }

    /**
     * A single constant can have many values.
     */
    @Test
    void testConstants()
    {
        BlockBuilder numbers = BIGINT.createBlockBuilder(null, 1000);
        for (long number = 0; number < 1000; number++) {
            BIGINT.writeLong(numbers, number);
        }
        assertThat(extract(call("contains", new Constant(numbers.build(), new ArrayType(BIGINT)), TEXT_VARIABLE))).isEmpty();
        // a value of a type of the engine, such as the characters of trim(text, 'xy')
        assertThat(extract(call("f", TEXT_VARIABLE, new Constant(new Object(), VARCHAR)))).isEmpty();
        List<Constant> values = ImmutableList.of(
                new Constant(null, new ArrayType(BIGINT)),
                new Constant(true, BOOLEAN),
                new Constant(7L, BIGINT),
                new Constant(0.5, DOUBLE),
                new Constant(Int128.valueOf(7), createDecimalType(38)),
                new Constant(new LongTimestamp(7, 0), createTimestampType(9)));
        for (Constant value : values) {
            assertThat(extract(call("f", TEXT_VARIABLE, value))).as(value.toString()).hasSize(1);
        }
    }

    private static Set<ColumnExpression> extract(ConnectorExpression expression)
    {
        return ColumnExpressions.add(ImmutableSet.of(), expression, ASSIGNMENTS);
    }

    private static ConnectorExpression like(Variable value, String pattern)
    {
        return new Call(BOOLEAN, LIKE_FUNCTION_NAME, ImmutableList.of(value, new Constant(Slices.utf8Slice(pattern), VARCHAR)));
    }

    private static ConnectorExpression call(String function, ConnectorExpression... arguments)
    {
        return new Call(BOOLEAN, new FunctionName(function), ImmutableList.copyOf(arguments));
    }
}
