package io.albis.trino.differential;

import io.airlift.slice.Slice;
import io.albis.format.type.ScalarType;
import io.trino.spi.type.Type;
import io.trino.spi.type.TypeUtils;

import java.util.HexFormat;

import static java.util.Locale.ENGLISH;

/**
 * Writes values as SQL literals with the same type and value.
 */
final class SqlLiterals
{
    // In days. SQL cannot express later dates
    private static final long MAX_WRITTEN_DATE = 2_000_000;

    private SqlLiterals() {}

    /**
     * @param value native value, may be null
     */
    static String literal(Type type, Object value)
    {
        if (value == null) {
            return "CAST(NULL AS %s)".formatted(type.getDisplayName());
        }
        return switch (ScalarType.of(type)) {
            case BOOLEAN -> value.toString();
            case TINYINT, SMALLINT, INTEGER, BIGINT, DOUBLE, REAL,
                 UUID, IPADDRESS, JSON -> typed(type.getBaseName(), text(type, value));
            case DATE -> Math.abs((long) value) > MAX_WRITTEN_DATE ? "date_add('day', %s, DATE '1970-01-01')".formatted(value) : typed("date", text(type, value));
            case TIME, TIME_WITH_TIME_ZONE -> typed("time", text(type, value));
            case TIMESTAMP, TIMESTAMP_WITH_TIME_ZONE -> typed("timestamp", text(type, value));
            case DECIMAL, CHAR, VARCHAR -> "CAST(%s AS %s)".formatted(quoted(text(type, value)), type.getDisplayName());
            case VARBINARY -> "X'%s'".formatted(HexFormat.of().formatHex(((Slice) value).getBytes()));
        };
    }

    static String quoted(String text)
    {
        return "'" + text.replace("'", "''") + "'";
    }

    private static String typed(String type, String text)
    {
        return type.toUpperCase(ENGLISH) + " " + quoted(text);
    }

    private static String text(Type type, Object value)
    {
        return type.getObjectValue(TypeUtils.writeNativeValue(type, value), 0).toString();
    }
}
