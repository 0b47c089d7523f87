package io.albis.trino.topn;

import io.airlift.slice.Slices;
import io.trino.spi.connector.SortOrder;
import io.trino.spi.type.Int128;
import io.trino.spi.type.LongTimestamp;
import io.trino.spi.type.Type;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.List;
import java.util.Map;

import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.BooleanType.BOOLEAN;
import static io.trino.spi.type.CharType.createCharType;
import static io.trino.spi.type.DecimalType.createDecimalType;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static io.trino.spi.type.RealType.REAL;
import static io.trino.spi.type.TimestampType.TIMESTAMP_NANOS;
import static io.trino.spi.type.TypeUtils.writeNativeValue;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.lang.Float.floatToRawIntBits;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Native values compare like the values of blocks, except for NaN, which bounds do not cover.
 */
final class TestSortKeyOrder
{
    private static final Map<Type, List<Object>> VALUES = Map.ofEntries(
            entry(BIGINT, List.of(Long.MIN_VALUE, -1L, 0L, Long.MAX_VALUE)),
            entry(BOOLEAN, List.of(true, false)),
            entry(DOUBLE, List.of(-0.0, 0.0, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, 1.5)),
            entry(REAL, List.of((long) floatToRawIntBits(-0.0f), 0L, (long) floatToRawIntBits(-3f))),
            entry(VARCHAR, List.of(Slices.utf8Slice(""), Slices.utf8Slice("a"), Slices.utf8Slice("é"))),
            entry(createCharType(3), List.of(Slices.utf8Slice(""), Slices.utf8Slice("a"), Slices.utf8Slice("a\t"))),
            entry(createDecimalType(30, 2), List.of(Int128.valueOf(-5), Int128.valueOf(0), Int128.valueOf(1, 0))),
            entry(TIMESTAMP_NANOS, List.of(new LongTimestamp(-1, 5000), new LongTimestamp(-1, 6000), new LongTimestamp(3, 0))));

    @ParameterizedTest
    @EnumSource(SortOrder.class)
    void testNativeValues(SortOrder sortOrder)
    {
        VALUES.forEach((type, values) -> {
            SortKeyOrder order = new SortKeyOrder(type, sortOrder);
            for (Object left : values) {
                for (Object right : values) {
                    assertThat(Integer.signum(order.compareValues(left, right))).as("%s and %s of %s", left, right, type)
                            .isEqualTo(Integer.signum(order.compare(writeNativeValue(type, left), 0, writeNativeValue(type, right), 0)));
                }
            }
        });
    }
}
