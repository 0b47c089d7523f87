package io.albis.format.type;

import io.trino.spi.block.Block;
import io.trino.spi.block.DictionaryBlock;
import io.trino.spi.block.RunLengthEncodedBlock;
import io.trino.spi.type.DoubleType;
import io.trino.spi.type.RealType;
import io.trino.spi.type.Type;

/**
 * Tells for which types SQL takes values as equal, or as not distinct, that a user can tell apart: 0.0 and -0.0, the
 * same instant in two time zones, maps with the same entries in another order, and NaN of {@code real} with
 * other bits. The engine writes all NaN of {@code double} with the same bits. Protects such values from the engine:
 * where it combines pages, for example in an exchange, it compares the values of run-length encoded blocks as SQL does.
 * It then keeps the first value for the rows of all of them, so that 0.0 becomes -0.0, or an instant gets another time
 * zone. It keeps the values of dictionaries.
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
        return NestedKind.of(type)
                .map(kind -> switch (kind) {
                    // The entries can have another order
                    case MAP -> true;
                    case ROW, ARRAY -> NestedTypes.children(type).stream().anyMatch(EqualValues::canDiffer);
                })
                .orElseGet(() -> canDiffer(ScalarType.of(type)));
    }

    private static boolean canDiffer(ScalarType type)
    {
        return switch (type) {
            case REAL, DOUBLE, TIME_WITH_TIME_ZONE, TIMESTAMP_WITH_TIME_ZONE -> true;
            case BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT, DECIMAL, DATE, TIME, TIMESTAMP, CHAR, VARCHAR, VARBINARY, UUID, JSON, IPADDRESS -> false;
        };
    }

    /**
     * Returns a block with the same values that is not run-length encoded if the engine could replace its value by an
     * equal one.
     */
    public static Block protect(Type type, Block block)
    {
        if (block instanceof RunLengthEncodedBlock repeated && canDiffer(type) && canDiffer(type, repeated.getValue())) {
            return DictionaryBlock.create(repeated.getPositionCount(), repeated.getValue(), new int[repeated.getPositionCount()]);
        }
        return block;
    }

    private static boolean canDiffer(Type type, Block value)
    {
        if (value.isNull(0)) {
            return false;
        }
        return switch (type) {
            case DoubleType doubles -> doubles.getDouble(value, 0) == 0;
            case RealType reals -> reals.getFloat(value, 0) == 0 || Float.isNaN(reals.getFloat(value, 0));
            default -> true;
        };
    }
}
