package io.albis.table.partition;

import io.albis.format.type.ScalarType;
import io.trino.spi.block.Block;
import io.trino.spi.type.LongTimestamp;
import io.trino.spi.type.LongTimestampWithTimeZone;
import io.trino.spi.type.TimestampType;
import io.trino.spi.type.TimestampWithTimeZoneType;
import io.trino.spi.type.Type;

import java.time.LocalDate;
import java.time.YearMonth;

import static io.trino.spi.type.DateTimeEncoding.unpackMillisUtc;
import static io.trino.spi.type.DateType.DATE;
import static java.lang.Math.floorDiv;

/**
 * The units of time since 1970 in UTC. Units before 1970 have negative numbers.
 */
final class EpochTime
{
    private static final long MICROS_PER_MILLI = 1000;
    private static final int PICOS_PER_MICRO = 1_000_000;
    private static final long MICROS_PER_HOUR = 3_600_000_000L;
    private static final long MICROS_PER_DAY = 24 * MICROS_PER_HOUR;
    private static final int FIRST_YEAR = 1970;
    private static final int MONTHS_PER_YEAR = 12;

    private EpochTime() {}

    /**
     * Returns the number of units of a value.
     */
    interface Source
    {
        long get(Block block, int position);
    }

    /**
     * Returns a source of microseconds. Shorter units are truncated.
     */
    static Source micros(Type type)
    {
        return switch (ScalarType.of(type)) {
            case TIMESTAMP -> ((TimestampType) type).isShort() ?
                    type::getLong :
                    (block, position) -> ((LongTimestamp) type.getObject(block, position)).getEpochMicros();
            case TIMESTAMP_WITH_TIME_ZONE -> ((TimestampWithTimeZoneType) type).isShort() ?
                    (block, position) -> unpackMillisUtc(type.getLong(block, position)) * MICROS_PER_MILLI :
                    (block, position) -> micros((LongTimestampWithTimeZone) type.getObject(block, position));
            case BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT, REAL, DOUBLE, DECIMAL, DATE, TIME, TIME_WITH_TIME_ZONE, CHAR, VARCHAR, VARBINARY, UUID, JSON, IPADDRESS -> throw new IllegalArgumentException("values of type %s are not points in time".formatted(type));
        };
    }

    private static long micros(LongTimestampWithTimeZone value)
    {
        return value.getEpochMillis() * MICROS_PER_MILLI + value.getPicosOfMilli() / PICOS_PER_MICRO;
    }

    static Source hours(Type type)
    {
        Source micros = micros(type);
        return (block, position) -> floorDiv(micros.get(block, position), MICROS_PER_HOUR);
    }

    static Source days(Type type)
    {
        if (ScalarType.of(type) == ScalarType.DATE) {
            return DATE::getLong;
        }
        Source micros = micros(type);
        return (block, position) -> floorDiv(micros.get(block, position), MICROS_PER_DAY);
    }

    static Source months(Type type)
    {
        Source days = days(type);
        return (block, position) -> {
            YearMonth month = YearMonth.from(LocalDate.ofEpochDay(days.get(block, position)));
            return (month.getYear() - FIRST_YEAR) * (long) MONTHS_PER_YEAR + month.getMonthValue() - 1;
        };
    }

    static Source years(Type type)
    {
        Source days = days(type);
        return (block, position) -> LocalDate.ofEpochDay(days.get(block, position)).getYear() - (long) FIRST_YEAR;
    }
}
