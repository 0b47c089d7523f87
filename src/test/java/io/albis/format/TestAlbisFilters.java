package io.albis.format;

import com.google.common.collect.ImmutableList;
import io.albis.format.AlbisFilter.And;
import io.albis.format.AlbisFilter.Comparison;
import io.albis.format.AlbisFilter.IsNull;
import io.albis.format.AlbisFilter.Not;
import io.albis.format.AlbisFilter.Operator;
import io.albis.format.AlbisFilter.Or;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.type.JavaValues;
import io.albis.format.write.WriterOptions;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystemFactory;
import io.trino.spi.function.InvocationConvention;
import io.trino.spi.type.Type;
import io.trino.spi.type.TypeOperators;
import jakarta.annotation.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import static io.albis.format.AlbisFilter.and;
import static io.albis.format.AlbisFilter.equal;
import static io.albis.format.AlbisFilter.greaterThan;
import static io.albis.format.AlbisFilter.greaterThanOrEqual;
import static io.albis.format.AlbisFilter.isNull;
import static io.albis.format.AlbisFilter.lessThan;
import static io.albis.format.AlbisFilter.lessThanOrEqual;
import static io.albis.format.AlbisFilter.not;
import static io.albis.format.AlbisFilter.notEqual;
import static io.albis.format.AlbisFilter.or;
import static io.trino.spi.function.InvocationConvention.InvocationArgumentConvention.NEVER_NULL;
import static io.trino.spi.function.InvocationConvention.InvocationReturnConvention.FAIL_ON_NULL;
import static io.trino.spi.function.InvocationConvention.InvocationReturnConvention.NULLABLE_RETURN;
import static io.trino.spi.function.InvocationConvention.simpleConvention;
import static io.trino.spi.security.ConnectorIdentity.ofUser;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static io.trino.spi.type.RealType.REAL;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A filter returns the rows for which Trino's own operators return true, for all types.
 */
final class TestAlbisFilters
{
    private static final TypeOperators TYPE_OPERATORS = new TypeOperators();
    private static final Location FOLDER = Location.of("memory:///rows");
    private static final int ROWS = 120;
    private static final int ROUNDS = 60;

    private final TrinoFileSystem fileSystem = new MemoryFileSystemFactory().create(ofUser("test"));

    static List<Type> types()
    {
        return RandomBlocks.TYPES;
    }

    @Test
    void testRangesWithoutNan()
            throws IOException
    {
        assertNanIsLeftOut(DOUBLE, Double.NaN, 4.0, 5.0, 6.0);
        assertNanIsLeftOut(REAL, Float.NaN, 4.0f, 5.0f, 6.0f);
    }

    private void assertNanIsLeftOut(Type type, Object nan, Object less, Object middle, Object more)
            throws IOException
    {
        AlbisColumn column = AlbisColumn.make(1, "value", type);
        AlbisSchema schema = AlbisSchema.makeSchema(AlbisColumnGroup.make(column));
        Location folder = FOLDER.appendPath(type.getDisplayName());
        try (AlbisWriter writer = schema.getWriter(fileSystem, folder, WriterOptions.DEFAULTS)) {
            for (Object value : new Object[] {less, nan, middle, null, more}) {
                writer.setValue(0, value);
                writer.nextRow();
            }
        }
        // together they contain every number, but not NaN
        assertThat(values(schema, folder, or(lessThan(column, middle), greaterThanOrEqual(column, middle)))).containsExactly(less, middle, more);
        assertThat(values(schema, folder, or(lessThanOrEqual(column, middle), greaterThan(column, middle)))).containsExactly(less, middle, more);
        assertThat(values(schema, folder, or(lessThanOrEqual(column, more), greaterThanOrEqual(column, less), isNull(column)))).containsExactly(less, middle, null, more);
        assertThat(values(schema, folder, and(or(lessThan(column, middle), greaterThanOrEqual(column, middle)), not(isNull(column))))).containsExactly(less, middle, more);
        assertThat(values(schema, folder, or(lessThan(column, middle), not(isNull(column))))).containsExactly(less, nan, middle, more);
        assertThat(values(schema, folder, or(equal(column, middle), notEqual(column, middle)))).containsExactly(less, nan, middle, more);
    }

    private List<Object> values(AlbisSchema schema, Location folder, AlbisFilter filter)
            throws IOException
    {
        List<Object> values = new ArrayList<>();
        try (AlbisReader reader = schema.getReader(fileSystem, folder, filter, schema.columns())) {
            while (reader.hasMore()) {
                reader.next();
                values.add(reader.getValue(0));
            }
        }
        return values;
    }

    @ParameterizedTest
    @MethodSource("types")
    void testRandomFilters(Type type)
            throws IOException
    {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        AlbisColumn id = AlbisColumn.make(1, "id", BIGINT);
        AlbisColumn left = AlbisColumn.make(2, "left_value", type);
        AlbisColumn right = AlbisColumn.make(3, "right_value", type);
        AlbisSchema schema = AlbisSchema.makeSchema(AlbisColumnGroup.make(id, left), AlbisColumnGroup.make(right));
        List<Object> lefts = new ArrayList<>();
        List<Object> rights = new ArrayList<>();
        try (AlbisWriter writer = schema.getWriter(fileSystem, FOLDER, WriterOptions.DEFAULTS.withSegmentBytes(WriterOptions.MIN_SEGMENT_BYTES))) {
            for (int row = 0; row < ROWS; row++) {
                lefts.add(random.nextInt(6) == 0 ? null : RandomBlocks.randomValue(random, type));
                rights.add(random.nextInt(6) == 0 ? null : RandomBlocks.randomValue(random, type));
                writer.setValue(0, row);
                writer.setValue(1, JavaValues.fromNative(type, lefts.get(row)));
                writer.setValue(2, JavaValues.fromNative(type, rights.get(row)));
                writer.nextRow();
            }
        }
        for (int round = 0; round < ROUNDS; round++) {
            AlbisFilter filter = randomFilter(random, 3, left, lefts, right, rights);
            List<Long> expected = new ArrayList<>();
            for (int row = 0; row < ROWS; row++) {
                if (Boolean.TRUE.equals(evaluate(filter, left, lefts.get(row), rights.get(row)))) {
                    expected.add((long) row);
                }
            }
            List<Long> actual = new ArrayList<>();
            try (AlbisReader reader = schema.getReader(fileSystem, FOLDER, filter, ImmutableList.of(id, right))) {
                while (reader.hasMore()) {
                    reader.next();
                    long row = (long) reader.getValue(0);
                    actual.add(row);
                    assertThat(reader.getValue(1)).as("seed %s", seed).isEqualTo(JavaValues.fromNative(type, rights.get((int) row)));
                }
            }
            assertThat(actual).as("%s, seed %s", filter, seed).isEqualTo(expected);
        }
    }

    private static AlbisFilter randomFilter(Random random, int depth, AlbisColumn left, List<Object> lefts, AlbisColumn right, List<Object> rights)
    {
        if (depth > 0 && random.nextInt(3) > 0) {
            ImmutableList.Builder<AlbisFilter> operands = ImmutableList.builder();
            int count = random.nextInt(4);
            // often of the same column
            boolean leftOnly = random.nextBoolean();
            for (int i = 0; i < count; i++) {
                operands.add(randomFilter(random, depth - 1, left, lefts, leftOnly ? left : right, leftOnly ? lefts : rights));
            }
            return switch (random.nextInt(5)) {
                case 0 -> not(randomFilter(random, depth - 1, left, lefts, right, rights));
                case 1, 2 -> new And(operands.build());
                default -> new Or(operands.build());
            };
        }
        boolean onLeft = random.nextBoolean();
        AlbisColumn column = onLeft ? left : right;
        Object value = (onLeft ? lefts : rights).get(random.nextInt(ROWS));
        if (value == null || random.nextInt(8) == 0) {
            return isNull(column);
        }
        Operator[] operators = column.type().isOrderable() ? Operator.values() : new Operator[] {Operator.EQUAL, Operator.NOT_EQUAL};
        return new Comparison(column, operators[random.nextInt(operators.length)], requireNonNull(JavaValues.fromNative(column.type(), value)));
    }

    @Nullable
    private static Boolean evaluate(AlbisFilter filter, AlbisColumn left, @Nullable Object leftValue, @Nullable Object rightValue)
    {
        return switch (filter) {
            case IsNull(AlbisColumn column) -> (column.equals(left) ? leftValue : rightValue) == null;
            case Comparison(AlbisColumn column, Operator operator, Object value) -> compare(column.type(), column.equals(left) ? leftValue : rightValue, operator, JavaValues.toNative(column.type(), value));
            case Not(AlbisFilter inner) -> negate(evaluate(inner, left, leftValue, rightValue));
            case And(List<AlbisFilter> filters) -> negate(anyTrue(filters.stream().map(inner -> negate(evaluate(inner, left, leftValue, rightValue))).toList()));
            case Or(List<AlbisFilter> filters) -> anyTrue(filters.stream().map(inner -> evaluate(inner, left, leftValue, rightValue)).toList());
        };
    }

    @Nullable
    private static Boolean negate(@Nullable Boolean value)
    {
        return value == null ? null : !value;
    }

    @Nullable
    private static Boolean anyTrue(List<Boolean> values)
    {
        if (values.contains(true)) {
            return true;
        }
        return values.contains(null) ? null : false;
    }

    @Nullable
    private static Boolean compare(Type type, @Nullable Object value, Operator operator, @Nullable Object constant)
    {
        if (value == null) {
            return null;
        }
        InvocationConvention convention = simpleConvention(FAIL_ON_NULL, NEVER_NULL, NEVER_NULL);
        return switch (operator) {
            case EQUAL -> invoke(TYPE_OPERATORS.getEqualOperator(type, simpleConvention(NULLABLE_RETURN, NEVER_NULL, NEVER_NULL)), value, constant);
            case NOT_EQUAL -> !invoke(TYPE_OPERATORS.getEqualOperator(type, simpleConvention(NULLABLE_RETURN, NEVER_NULL, NEVER_NULL)), value, constant);
            case LESS_THAN -> invoke(TYPE_OPERATORS.getLessThanOperator(type, convention), value, constant);
            case LESS_THAN_OR_EQUAL -> invoke(TYPE_OPERATORS.getLessThanOrEqualOperator(type, convention), value, constant);
            case GREATER_THAN -> invoke(TYPE_OPERATORS.getLessThanOperator(type, convention), constant, value);
            case GREATER_THAN_OR_EQUAL -> invoke(TYPE_OPERATORS.getLessThanOrEqualOperator(type, convention), constant, value);
        };
    }

    private static boolean invoke(MethodHandle operator, Object left, Object right)
    {
        try {
            return (boolean) operator.invokeWithArguments(left, right);
        }
        catch (Throwable e) {
            throw new AssertionError(e);
        }
    }
}
