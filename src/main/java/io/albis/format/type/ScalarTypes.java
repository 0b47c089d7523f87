package io.albis.format.type;

import io.trino.spi.type.BigintType;
import io.trino.spi.type.BooleanType;
import io.trino.spi.type.CharType;
import io.trino.spi.type.DateType;
import io.trino.spi.type.DecimalType;
import io.trino.spi.type.DoubleType;
import io.trino.spi.type.IntegerType;
import io.trino.spi.type.RealType;
import io.trino.spi.type.SmallintType;
import io.trino.spi.type.TimeType;
import io.trino.spi.type.TimeWithTimeZoneType;
import io.trino.spi.type.TimestampType;
import io.trino.spi.type.TimestampWithTimeZoneType;
import io.trino.spi.type.TinyintType;
import io.trino.spi.type.Type;
import io.trino.spi.type.UuidType;
import io.trino.spi.type.VarbinaryType;
import io.trino.spi.type.VarcharType;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static java.lang.Integer.parseInt;

/**
 * Resolves the types that are available without a Trino server: all types that Albis supports except json and
 * ipaddress, which are part of the server.
 */
public final class ScalarTypes
        implements TypeResolver
{
    private static final Pattern TYPE_ID = Pattern.compile("(?<name>[a-z]+)(\\((?<first>\\d+)(, ?(?<second>\\d+))?\\))?(?<zone> with(out)? time zone)?");

    @Override
    public Type resolve(String typeId)
    {
        Matcher matcher = TYPE_ID.matcher(typeId);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("Unknown type: %s".formatted(typeId));
        }
        boolean withTimeZone = " with time zone".equals(matcher.group("zone"));
        return switch (matcher.group("name")) {
            case "boolean" -> BooleanType.BOOLEAN;
            case "tinyint" -> TinyintType.TINYINT;
            case "smallint" -> SmallintType.SMALLINT;
            case "integer" -> IntegerType.INTEGER;
            case "bigint" -> BigintType.BIGINT;
            case "real" -> RealType.REAL;
            case "double" -> DoubleType.DOUBLE;
            case "decimal" -> DecimalType.createDecimalType(parseInt(matcher.group("first")), parseInt(matcher.group("second")));
            case "date" -> DateType.DATE;
            case "time" -> withTimeZone
                    ? TimeWithTimeZoneType.createTimeWithTimeZoneType(parseInt(matcher.group("first")))
                    : TimeType.createTimeType(parseInt(matcher.group("first")));
            case "timestamp" -> withTimeZone
                    ? TimestampWithTimeZoneType.createTimestampWithTimeZoneType(parseInt(matcher.group("first")))
                    : TimestampType.createTimestampType(parseInt(matcher.group("first")));
            case "char" -> CharType.createCharType(parseInt(matcher.group("first")));
            case "varchar" -> matcher.group("first") == null ? VarcharType.VARCHAR : VarcharType.createVarcharType(parseInt(matcher.group("first")));
            case "varbinary" -> VarbinaryType.VARBINARY;
            case "uuid" -> UuidType.UUID;
            default -> throw new IllegalArgumentException("Type is not available outside of a Trino server: %s".formatted(typeId));
        };
    }
}
