package io.albis.format.filter;

import com.google.common.collect.ImmutableMap;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.albis.format.RandomBlocks;
import io.albis.format.metadata.StatisticsDomains;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.format.type.BytesBounds;
import io.albis.format.type.OrderKeys;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.function.InvocationConvention;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.ValueSet;
import io.trino.spi.type.CharType;
import io.trino.spi.type.Int128;
import io.trino.spi.type.LongTimestampWithTimeZone;
import io.trino.spi.type.TimeZoneKey;
import io.trino.spi.type.Type;
import io.trino.spi.type.TypeOperators;
import io.trino.spi.type.TypeUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import static io.albis.format.statistics.ValueOrder.UNORDERED;
import static io.trino.spi.function.InvocationConvention.InvocationArgumentConvention.NEVER_NULL;
import static io.trino.spi.function.InvocationConvention.InvocationReturnConvention.FAIL_ON_NULL;
import static io.trino.spi.function.InvocationConvention.simpleConvention;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.CharType.createCharType;
import static io.trino.spi.type.DateTimeEncoding.packDateTimeWithZone;
import static io.trino.spi.type.DateTimeEncoding.packTimeWithTimeZone;
import static io.trino.spi.type.DecimalType.createDecimalType;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static io.trino.spi.type.RealType.REAL;
import static io.trino.spi.type.TimeWithTimeZoneType.createTimeWithTimeZoneType;
import static io.trino.spi.type.TimestampWithTimeZoneType.createTimestampWithTimeZoneType;
import static io.trino.spi.type.UuidType.UUID;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests each row of the table "What values mean" of docs/format.md, and the order of all types against Trino's
 * operators.
 */
final class TestValueSemantics
{
    private static final TypeOperators TYPE_OPERATORS = new TypeOperators();

    private static final Map<String, Runnable> CASES = ImmutableMap.<String, Runnable>builder()
            .put("NaN", TestValueSemantics::nan)
            .put("-0.0", TestValueSemantics::negativeZero)
            .put("CHAR padding", TestValueSemantics::charPadding)
            .put("timestamp with time zone", TestValueSemantics::timestampWithTimeZone)
            .put("time with time zone", TestValueSemantics::timeWithTimeZone)
            .put("long decimal", TestValueSemantics::longDecimal)
            .put("uuid", TestValueSemantics::uuid)
            .put("varchar", TestValueSemantics::varchar)
            .put("truncated bounds", TestValueSemantics::truncatedBounds)
            .put("null", TestValueSemantics::nulls)
            .buildOrThrow();

    @Test
    void testDocumentedCases()
            throws IOException
    {
        Matcher table = Pattern.compile("## What values mean\n.*?\\|---\\|---\\|\n(?<rows>(\\|[^\n]*\n)+)", Pattern.DOTALL).matcher(Files.readString(Path.of("docs/format.md")));
        assertThat(table.find()).isTrue();
        List<String> documented = table.group("rows").lines()
                .map(row -> row.substring(1, row.indexOf('|', 1)).strip())
                .collect(Collectors.toList());
        assertThat(documented).containsExactlyElementsOf(CASES.keySet());
    }

    static Set<String> documentedCases()
    {
        return CASES.keySet();
    }

    @ParameterizedTest
    @MethodSource("documentedCases")
    void testDocumentedCase(String documentedCase)
    {
        CASES.get(documentedCase).run();
    }

    private static void nan()
    {
        for (Domain domain : List.of(
                Domain.singleValue(DOUBLE, 1.0),
                Domain.create(ValueSet.ofRanges(Range.greaterThan(DOUBLE, 1.0)), false),
                Domain.create(ValueSet.ofRanges(Range.lessThanOrEqual(DOUBLE, Double.POSITIVE_INFINITY)), false),
                Domain.create(ValueSet.ofRanges(Range.greaterThanOrEqual(DOUBLE, Double.NEGATIVE_INFINITY)), true),
                Domain.create(ValueSet.of(DOUBLE, 1.0).complement(), false))) {
            assertThat(select(domain, Double.NaN)).as(domain.toString()).isFalse();
        }
        assertThat(select(Domain.notNull(DOUBLE), Double.NaN)).isTrue();
        assertThat(select(Domain.onlyNull(DOUBLE), Double.NaN)).isFalse();
        assertThat(select(Domain.notNull(REAL), (long) Float.floatToRawIntBits(Float.NaN))).isTrue();
    }

    private static void negativeZero()
    {
        for (double zero : new double[] {0.0, -0.0}) {
            for (double other : new double[] {0.0, -0.0}) {
                assertThat(compare(DOUBLE, zero, other)).isZero();
                assertMatches(Domain.singleValue(DOUBLE, zero), other, true);
                assertMatches(Domain.create(ValueSet.ofRanges(Range.lessThan(DOUBLE, zero)), false), other, false);
                assertMatches(Domain.create(ValueSet.ofRanges(Range.greaterThan(DOUBLE, zero)), false), other, false);
            }
        }
    }

    private static void charPadding()
    {
        Type type = createCharType(3);
        Slice a = Slices.utf8Slice("a");
        assertThat(compare(type, a, Slices.utf8Slice("a!"))).isNegative();
        assertThat(compare(type, a, Slices.utf8Slice("a\u0001"))).isPositive();
        Domain less = Domain.create(ValueSet.ofRanges(Range.lessThan(type, a)), false);
        assertMatches(less, Slices.utf8Slice("a\u0001"), true);
        assertMatches(less, Slices.utf8Slice("a!"), false);
        assertMatches(Domain.singleValue(type, a), a, true);
    }

    private static void timestampWithTimeZone()
    {
        Type shortType = createTimestampWithTimeZoneType(3);
        long utc = packDateTimeWithZone(1000, TimeZoneKey.UTC_KEY);
        long zoned = packDateTimeWithZone(1000, TimeZoneKey.getTimeZoneKeyForOffset(60));
        assertThat(zoned).isNotEqualTo(utc);
        assertThat(compare(shortType, utc, zoned)).isZero();
        assertMatches(Domain.singleValue(shortType, utc), zoned, true);
        assertMatches(Domain.create(ValueSet.ofRanges(Range.greaterThan(shortType, utc)), false), zoned, false);

        Type longType = createTimestampWithTimeZoneType(12);
        LongTimestampWithTimeZone longUtc = LongTimestampWithTimeZone.fromEpochMillisAndFraction(1000, 7, TimeZoneKey.UTC_KEY);
        LongTimestampWithTimeZone longZoned = LongTimestampWithTimeZone.fromEpochMillisAndFraction(1000, 7, TimeZoneKey.getTimeZoneKeyForOffset(60));
        assertMatches(Domain.singleValue(longType, longUtc), longZoned, true);
        assertMatches(Domain.singleValue(longType, longUtc), LongTimestampWithTimeZone.fromEpochMillisAndFraction(1000, 8, TimeZoneKey.UTC_KEY), false);
    }

    private static void timeWithTimeZone()
    {
        Type type = createTimeWithTimeZoneType(0);
        long early = packTimeWithTimeZone(30 * 60_000_000_000L, 60);
        long late = packTimeWithTimeZone((23 * 60 + 30) * 60_000_000_000L, 0);
        assertThat(compare(type, early, late)).isZero();
        assertMatches(Domain.singleValue(type, early), late, true);
    }

    private static void longDecimal()
    {
        Type type = createDecimalType(38, 0);
        assertThat(compare(type, Int128.valueOf(-1), Int128.ONE)).isNegative();
        assertMatches(Domain.create(ValueSet.ofRanges(Range.lessThan(type, Int128.ONE)), false), Int128.valueOf(-1), true);
        assertMatches(Domain.create(ValueSet.ofRanges(Range.greaterThan(type, Int128.valueOf(Long.MAX_VALUE))), false), Int128.valueOf(BigInteger.ONE.shiftLeft(63)), true);
    }

    private static void uuid()
    {
        Slice small = Slices.wrappedBuffer(new byte[] {1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, (byte) 0xFF});
        Slice large = Slices.wrappedBuffer(new byte[] {(byte) 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
        assertThat(compare(UUID, small, large)).isNegative();
        assertMatches(Domain.create(ValueSet.ofRanges(Range.greaterThan(UUID, small)), false), large, true);
    }

    private static void varchar()
    {
        assertThat(compare(VARCHAR, Slices.utf8Slice("z"), Slices.utf8Slice("é"))).isNegative();
        // in UTF-16 order, the second value is less than the first
        assertThat(compare(VARCHAR, Slices.utf8Slice("\uFFFD"), Slices.utf8Slice("\uD83D\uDCA9"))).isNegative();
        assertMatches(Domain.create(ValueSet.ofRanges(Range.greaterThan(VARCHAR, Slices.utf8Slice("z"))), false), Slices.utf8Slice("é"), true);
    }

    private static void truncatedBounds()
    {
        Random random = new Random(0);
        for (int i = 0; i < 2000; i++) {
            byte[] bytes = new byte[random.nextInt(BytesBounds.MAX_LENGTH * 2)];
            for (int j = 0; j < bytes.length; j++) {
                bytes[j] = (byte) (random.nextInt(20) == 0 ? 'a' : 0xFF);
            }
            Slice value = Slices.wrappedBuffer(bytes);
            assertThat(Slices.wrappedBuffer(BytesBounds.lower(value))).isLessThanOrEqualTo(value);
            BytesBounds.upper(value).ifPresent(upper -> assertThat(Slices.wrappedBuffer(upper)).isGreaterThanOrEqualTo(value));
            // a bound that is shorter than the maximum is a value, also if a longer value has many bytes FF
            boolean isShort = value.length() < BytesBounds.MAX_LENGTH;
            assertThat(BytesBounds.isValue(BytesBounds.lower(value))).isEqualTo(isShort);
            BytesBounds.upper(value).ifPresent(upper -> assertThat(BytesBounds.isValue(upper)).isEqualTo(isShort));
        }
        // a prefix of a CHAR may be greater than the CHAR, so there is no bound
        CharType type = createCharType(100);
        Slice longChar = Slices.utf8Slice("a".repeat(BytesBounds.MAX_LENGTH) + "\u0001");
        assertThat(compare(type, longChar, Slices.utf8Slice("a".repeat(BytesBounds.MAX_LENGTH)))).isNegative();
        assertThat(BytesBounds.exact(longChar)).isEmpty();
    }

    private static void nulls()
    {
        assertThat(selectNull(Domain.singleValue(BIGINT, 1L))).isFalse();
        assertThat(selectNull(Domain.singleValue(BIGINT, 1L, true))).isTrue();
        assertThat(selectNull(Domain.onlyNull(BIGINT))).isTrue();
        assertThat(selectNull(Domain.notNull(BIGINT))).isFalse();
        ColumnStatistics nulls = new ColumnStatistics(1, 3, UNORDERED, Optional.empty(), Optional.empty());
        assertThat(StatisticsDomains.toDomain(nulls, BIGINT, 3)).isEqualTo(Domain.onlyNull(BIGINT));
        assertThat(StatisticsDomains.toDomain(nulls, BIGINT, 4)).isEqualTo(Domain.all(BIGINT));
    }

    static List<Type> orderedTypes()
    {
        return RandomBlocks.TYPES.stream()
                .filter(type -> OrderKeys.of(type).hasKeys())
                .toList();
    }

    @ParameterizedTest
    @MethodSource("orderedTypes")
    void testKeysCompareAsValues(Type type)
    {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int i = 0; i < 3000; i++) {
            Object left = RandomBlocks.randomValue(random, type);
            Object right = RandomBlocks.randomValue(random, type);
            if (TypeUtils.isFloatingPointNaN(type, left) || TypeUtils.isFloatingPointNaN(type, right)) {
                continue;
            }
            assertThat(Integer.signum(compareKeys(type, left, right))).as("%s and %s, seed %s", left, right, seed)
                    .isEqualTo(Long.signum(compare(type, left, right)));
        }
    }

    private static int compareKeys(Type type, Object left, Object right)
    {
        long[] leftKey = new long[2];
        long[] rightKey = new long[2];
        extract(type, left, leftKey);
        extract(type, right, rightKey);
        return OrderKeys.compare(leftKey[0], leftKey[1], rightKey[0], rightKey[1]);
    }

    private static void extract(Type type, Object value, long[] key)
    {
        long[] high = new long[1];
        long[] low = new long[1];
        OrderKeys.of(type).extract(TypeUtils.writeNativeValue(type, value), 0, 1, high, low);
        key[0] = high[0];
        key[1] = low[0];
    }

    private static long compare(Type type, Object left, Object right)
    {
        InvocationConvention convention = simpleConvention(FAIL_ON_NULL, NEVER_NULL, NEVER_NULL);
        MethodHandle operator = TYPE_OPERATORS.getComparisonUnorderedLastOperator(type, convention);
        try {
            return (long) operator.invokeWithArguments(left, right);
        }
        catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    private static void assertMatches(Domain domain, Object value, boolean expected)
    {
        assertThat(domain.includesNullableValue(value)).as("Trino: %s in %s", value, domain).isEqualTo(expected);
        assertThat(select(domain, value)).as("Albis: %s in %s", value, domain).isEqualTo(expected);
    }

    private static boolean select(Domain domain, Object value)
    {
        ValueBlock block = TypeUtils.writeNativeValue(domain.getType(), value);
        return FilterValues.of(domain).newFilter().select(block, 1, new int[1]) == 1;
    }

    private static boolean selectNull(Domain domain)
    {
        return FilterValues.of(domain).newFilter().select(TypeUtils.writeNativeValue(domain.getType(), null), 1, new int[1]) == 1;
    }
}
