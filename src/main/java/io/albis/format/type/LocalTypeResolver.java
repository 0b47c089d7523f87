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
import static java.util.Objects.requireNonNullElse;

/**
 * Resolves the types that are available without a Trino server: all types that Albis supports except json and
 * ipaddress, which are part of the server.
 */
public final class LocalTypeResolver
        implements TypeResolver
{
    private static final Pattern TYPE_ID = Pattern.compile("(?<name>[a-z]+)(\\((?<first>\\d+)(, ?(?<second>\\d+))?\\))?(?<zone> with time zone)?");

    @Override
    public Type resolve(String typeId)
    {
        if (NestedTypeNames.isNested(typeId)) {
            return NestedTypeNames.resolve(this, typeId);
        }
        Matcher matcher = TYPE_ID.matcher(typeId);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("Unknown type: %s".formatted(typeId));
        }
        String baseName = matcher.group("name") + requireNonNullElse(matcher.group("zone"), "");
        ScalarType type = ScalarType.find(baseName).orElseThrow(() -> new IllegalArgumentException("Unknown type: %s".formatted(typeId)));
        return switch (type) {
            case BOOLEAN -> BooleanType.BOOLEAN;
            case TINYINT -> TinyintType.TINYINT;
            case SMALLINT -> SmallintType.SMALLINT;
            case INTEGER -> IntegerType.INTEGER;
            case BIGINT -> BigintType.BIGINT;
            case REAL -> RealType.REAL;
            case DOUBLE -> DoubleType.DOUBLE;
            case DECIMAL -> DecimalType.createDecimalType(parseInt(matcher.group("first")), parseInt(matcher.group("second")));
            case DATE -> DateType.DATE;
            case TIME -> TimeType.createTimeType(parseInt(matcher.group("first")));
            case TIME_WITH_TIME_ZONE -> TimeWithTimeZoneType.createTimeWithTimeZoneType(parseInt(matcher.group("first")));
            case TIMESTAMP -> TimestampType.createTimestampType(parseInt(matcher.group("first")));
            case TIMESTAMP_WITH_TIME_ZONE -> TimestampWithTimeZoneType.createTimestampWithTimeZoneType(parseInt(matcher.group("first")));
            case CHAR -> CharType.createCharType(parseInt(matcher.group("first")));
            case VARCHAR -> matcher.group("first") == null ? VarcharType.VARCHAR : VarcharType.createVarcharType(parseInt(matcher.group("first")));
            case VARBINARY -> VarbinaryType.VARBINARY;
            case UUID -> UuidType.UUID;
            case JSON, IPADDRESS -> throw new IllegalArgumentException("Type is not available outside of a Trino server: %s".formatted(typeId));
        };
    }
}
