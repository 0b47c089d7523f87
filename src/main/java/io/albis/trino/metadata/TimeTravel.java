package io.albis.trino.metadata;

import io.airlift.slice.Slice;
import io.albis.table.model.TableVersion;
import io.albis.table.version.TableHistory;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableVersion;
import io.trino.spi.connector.PointerType;
import io.trino.spi.type.LongTimestamp;
import io.trino.spi.type.LongTimestampWithTimeZone;
import io.trino.spi.type.TimestampType;
import io.trino.spi.type.TimestampWithTimeZoneType;
import io.trino.spi.type.Type;
import io.trino.spi.type.VarcharType;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;

import static io.albis.trino.error.AlbisErrors.translate;
import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.DateTimeEncoding.unpackMillisUtc;
import static io.trino.spi.type.DateType.DATE;
import static io.trino.spi.type.IntegerType.INTEGER;
import static io.trino.spi.type.SmallintType.SMALLINT;
import static io.trino.spi.type.Timestamps.MICROSECONDS_PER_MILLISECOND;
import static io.trino.spi.type.TinyintType.TINYINT;
import static java.lang.Math.floorDiv;

/**
 * Finds the version of a table that FOR VERSION AS OF or FOR TIMESTAMP AS OF names.
 */
final class TimeTravel
{
    private TimeTravel() {}

    static TableVersion find(ConnectorSession session, TableHistory history, ConnectorTableVersion version)
    {
        return switch (version.getPointerType()) {
            case TARGET_ID -> byId(history, version);
            case TEMPORAL -> {
                Instant time = time(session.getTimeZoneKey().getZoneId(), version.getVersionType(), version.getVersion());
                yield translate(() -> history.asOf(time));
            }
        };
    }

    /**
     * Returns whether a query names a version by its number, which is always the same version.
     */
    static boolean isNumber(ConnectorTableVersion version)
    {
        Type type = version.getVersionType();
        return version.getPointerType() == PointerType.TARGET_ID &&
                (type.equals(BIGINT) || type.equals(INTEGER) || type.equals(SMALLINT) || type.equals(TINYINT));
    }

    private static TableVersion byId(TableHistory history, ConnectorTableVersion version)
    {
        Type type = version.getVersionType();
        if (isNumber(version)) {
            long number = (long) version.getVersion();
            return translate(() -> history.get(number));
        }
        if (type instanceof VarcharType) {
            String name = ((Slice) version.getVersion()).toStringUtf8();
            return translate(() -> history.get(name));
        }
        throw new TrinoException(NOT_SUPPORTED, "Unsupported type for table version: %s. Use the number of a version, which is a bigint, or the name of a tag, which is a varchar".formatted(type.getDisplayName()));
    }

    /**
     * Converts a point in time. One without a time zone is in the time zone of the session. The fraction below a
     * millisecond does not matter, because commit times have none.
     */
    private static Instant time(ZoneId zone, Type type, Object value)
    {
        if (type.equals(DATE)) {
            return LocalDate.ofEpochDay((long) value)
                    .atStartOfDay(zone)
                    .toInstant();
        }
        if (type instanceof TimestampType timestamp) {
            long micros = timestamp.isShort() ? (long) value : ((LongTimestamp) value).getEpochMicros();
            return LocalDateTime.ofInstant(Instant.ofEpochMilli(floorDiv(micros, MICROSECONDS_PER_MILLISECOND)), ZoneOffset.UTC)
                    .atZone(zone)
                    .toInstant();
        }
        if (type instanceof TimestampWithTimeZoneType timestamp) {
            return Instant.ofEpochMilli(timestamp.isShort() ? unpackMillisUtc((long) value) : ((LongTimestampWithTimeZone) value).getEpochMillis());
        }
        throw new TrinoException(NOT_SUPPORTED, "Unsupported type for temporal table version: %s. Use a timestamp with time zone, a timestamp, or a date".formatted(type.getDisplayName()));
    }
}
