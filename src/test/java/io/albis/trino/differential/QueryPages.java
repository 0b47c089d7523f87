package io.albis.trino.differential;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.Multiset;
import io.airlift.slice.Slice;
import io.albis.format.type.ScalarType;
import io.trino.spi.Page;
import io.trino.spi.type.LongTimeWithTimeZone;
import io.trino.spi.type.LongTimestampWithTimeZone;
import io.trino.spi.type.Type;

import java.util.Arrays;
import java.util.List;

import static io.trino.spi.type.DateTimeEncoding.unpackMillisUtc;
import static io.trino.spi.type.DateTimeEncoding.unpackOffsetMinutes;
import static io.trino.spi.type.DateTimeEncoding.unpackTimeNanos;
import static io.trino.spi.type.TypeUtils.readNativeValue;
import static java.lang.Float.intBitsToFloat;
import static java.lang.Math.floorMod;
import static java.lang.Math.toIntExact;

/**
 * The result of a query.
 */
record QueryPages(List<Type> types, List<Page> pages)
{
    private static final long NANOSECONDS_PER_MINUTE = 60_000_000_000L;
    private static final long PICOSECONDS_PER_MINUTE = 1000 * NANOSECONDS_PER_MINUTE;
    private static final long MINUTES_PER_DAY = 24 * 60;

    QueryPages
    {
        types = ImmutableList.copyOf(types);
        pages = ImmutableList.copyOf(pages);
    }

    /**
     * @param exact whether values are equal only if all their bits are; otherwise SQL equality applies, and all NaNs
     *         are equal
     */
    Multiset<List<Object>> rows(boolean exact)
    {
        Multiset<List<Object>> rows = HashMultiset.create();
        for (Page page : pages) {
            for (int position = 0; position < page.getPositionCount(); position++) {
                Object[] row = new Object[types.size()];
                for (int channel = 0; channel < row.length; channel++) {
                    Object value = readNativeValue(types.get(channel), page.getBlock(channel), position);
                    row[channel] = exact ? bits(value) : distinct(types.get(channel), value);
                }
                rows.add(Arrays.asList(row));
            }
        }
        return rows;
    }

    private static Object bits(Object value)
    {
        return value instanceof Double number ? (Object) Double.doubleToRawLongBits(number) : value;
    }

    private static Object distinct(Type type, Object value)
    {
        if (value == null) {
            return null;
        }
        return switch (ScalarType.of(type)) {
            case REAL -> zero(intBitsToFloat(toIntExact((long) value)));
            case DOUBLE -> zero((double) value);
            case TIME_WITH_TIME_ZONE -> switch (value) {
                case LongTimeWithTimeZone time -> floorMod(
                        time.getPicoseconds() - time.getOffsetMinutes() * PICOSECONDS_PER_MINUTE,
                        MINUTES_PER_DAY * PICOSECONDS_PER_MINUTE);
                default -> floorMod(
                        unpackTimeNanos((long) value) - unpackOffsetMinutes((long) value) * NANOSECONDS_PER_MINUTE,
                        MINUTES_PER_DAY * NANOSECONDS_PER_MINUTE);
            };
            case TIMESTAMP_WITH_TIME_ZONE -> switch (value) {
                case LongTimestampWithTimeZone timestamp -> List.of(timestamp.getEpochMillis(), timestamp.getPicosOfMilli());
                default -> unpackMillisUtc((long) value);
            };
            case BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT, DECIMAL, DATE, TIME, TIMESTAMP, CHAR, VARCHAR, VARBINARY, UUID, JSON, IPADDRESS -> value;
        };
    }

    private static Double zero(double value)
    {
        return value == 0 ? 0.0 : value;
    }

    static String describe(List<Object> row)
    {
        return row.stream()
                .map(value -> value instanceof Slice slice ? "'" + slice.toStringUtf8() + "'" : String.valueOf(value))
                .toList()
                .toString();
    }
}
