package io.albis.table.model;

import io.albis.format.type.NestedTypes;
import io.albis.format.type.ScalarType;
import io.trino.spi.type.Type;

import static io.trino.spi.type.DateType.DATE;
import static io.trino.spi.type.IntegerType.INTEGER;

/**
 * The types of columns by which rows can be partitioned, and of the values of their partitions.
 */
public final class PartitionTypes
{
    private PartitionTypes() {}

    /**
     * Returns whether rows can be partitioned by a function of a column of a type.
     */
    public static boolean isSupported(PartitionTransform transform, Type type)
    {
        if (NestedTypes.isNested(type)) {
            return false;
        }
        ScalarType scalar = ScalarType.of(type);
        return switch (transform) {
            case IDENTITY -> switch (scalar) {
                case BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT, REAL, DOUBLE, DECIMAL, DATE, TIME, TIMESTAMP, TIMESTAMP_WITH_TIME_ZONE, CHAR, VARCHAR, VARBINARY, UUID, IPADDRESS -> true;
                case TIME_WITH_TIME_ZONE, JSON -> false;
            };
            case YEAR, MONTH, DAY -> switch (scalar) {
                case DATE, TIMESTAMP, TIMESTAMP_WITH_TIME_ZONE -> true;
                case BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT, REAL, DOUBLE, DECIMAL, TIME, TIME_WITH_TIME_ZONE, CHAR, VARCHAR, VARBINARY, UUID, JSON, IPADDRESS -> false;
            };
            case HOUR -> switch (scalar) {
                case TIMESTAMP, TIMESTAMP_WITH_TIME_ZONE -> true;
                case BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT, REAL, DOUBLE, DECIMAL, DATE, TIME, TIME_WITH_TIME_ZONE, CHAR, VARCHAR, VARBINARY, UUID, JSON, IPADDRESS -> false;
            };
            case BUCKET -> switch (scalar) {
                case TINYINT, SMALLINT, INTEGER, BIGINT, DECIMAL, DATE, TIME, TIMESTAMP, TIMESTAMP_WITH_TIME_ZONE, CHAR, VARCHAR, VARBINARY, UUID, IPADDRESS -> true;
                case BOOLEAN, REAL, DOUBLE, TIME_WITH_TIME_ZONE, JSON -> false;
            };
            case TRUNCATE -> switch (scalar) {
                case TINYINT, SMALLINT, INTEGER, BIGINT, DECIMAL, CHAR, VARCHAR, VARBINARY -> true;
                case BOOLEAN, REAL, DOUBLE, DATE, TIME, TIME_WITH_TIME_ZONE, TIMESTAMP, TIMESTAMP_WITH_TIME_ZONE, UUID, JSON, IPADDRESS -> false;
            };
        };
    }

    /**
     * Returns the type of the values of a function.
     *
     * @param type type of the column
     */
    public static Type resultType(PartitionTransform transform, Type type)
    {
        return switch (transform) {
            case IDENTITY, TRUNCATE -> type;
            case YEAR, MONTH, HOUR, BUCKET -> INTEGER;
            case DAY -> DATE;
        };
    }
}
