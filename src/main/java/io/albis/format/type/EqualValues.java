package io.albis.format.type;

import io.trino.spi.type.Type;

/**
 * Tells for which types SQL takes values as equal that a user can tell apart: 0.0 and -0.0, or the same instant in two
 * time zones.
 */
public final class EqualValues
{
    private EqualValues() {}

    /**
     * Returns whether the type, or a type that it consists of, has equal values that differ.
     *
     * @param type a type that Albis can store
     */
    public static boolean canDiffer(Type type)
    {
        if (NestedTypes.isNested(type)) {
            return NestedTypes.children(type).stream().anyMatch(EqualValues::canDiffer);
        }
        return switch (ScalarType.of(type)) {
            case REAL, DOUBLE, TIME_WITH_TIME_ZONE, TIMESTAMP_WITH_TIME_ZONE -> true;
            case BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT, DECIMAL, DATE, TIME, TIMESTAMP, CHAR, VARCHAR, VARBINARY, UUID, JSON, IPADDRESS -> false;
        };
    }
}
