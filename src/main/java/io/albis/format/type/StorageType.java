package io.albis.format.type;

import io.trino.spi.block.ByteArrayBlock;
import io.trino.spi.block.Fixed12Block;
import io.trino.spi.block.Int128ArrayBlock;
import io.trino.spi.block.IntArrayBlock;
import io.trino.spi.block.LongArrayBlock;
import io.trino.spi.block.ShortArrayBlock;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.block.VariableWidthBlock;
import io.trino.spi.type.Type;

import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * The storage representation of a value: exactly the bytes that Trino's block holds for the value, in little-endian
 * order.
 */
public enum StorageType
{
    /**
     * Stores boolean and tinyint.
     */
    BYTE(0, 1, ByteArrayBlock.class),
    /**
     * Stores smallint.
     */
    SHORT(1, 2, ShortArrayBlock.class),
    /**
     * Stores integer, real, and date.
     */
    INT(2, 4, IntArrayBlock.class),
    /**
     * Stores bigint, double, time, short decimal, short timestamp, short time with time zone, and short timestamp with
     * time zone.
     */
    LONG(3, 8, LongArrayBlock.class),
    /**
     * Stores long timestamp, long time with time zone, and long timestamp with time zone as a long and an int.
     */
    FIXED12(4, 12, Fixed12Block.class),
    /**
     * Stores long decimal, uuid, and ipaddress as two longs in the order of the block.
     */
    INT128(5, 16, Int128ArrayBlock.class),
    /**
     * Stores varchar, char, varbinary, and json. In the row layout, the offset and the length are in the fixed area,
     * and the bytes are in the variable area.
     */
    VARIABLE(6, 8, VariableWidthBlock.class);

    // Other types use the same blocks, but the bytes in them are not a stable storage format.

    private final int code;
    private final int slotSize;
    private final Class<? extends ValueBlock> blockClass;

    StorageType(int code, int slotSize, Class<? extends ValueBlock> blockClass)
    {
        this.code = code;
        this.slotSize = slotSize;
        this.blockClass = blockClass;
    }

    /**
     * Returns the code of this storage type in files.
     */
    public int code()
    {
        return code;
    }

    /**
     * Returns the storage type with a code, or empty if this version of Albis knows none.
     */
    public static Optional<StorageType> find(int code)
    {
        for (StorageType storageType : values()) {
            if (storageType.code == code) {
                return Optional.of(storageType);
            }
        }
        return Optional.empty();
    }

    /**
     * Returns the number of bytes of a value in the fixed area of a row.
     */
    public int slotSize()
    {
        return slotSize;
    }

    /**
     * Returns whether values have different numbers of bytes, so they are not in the fixed area of a row.
     */
    public boolean isVariableWidth()
    {
        return switch (this) {
            case VARIABLE -> true;
            case BYTE, SHORT, INT, LONG, FIXED12, INT128 -> false;
        };
    }

    /**
     * Returns whether the type is a scalar type that Albis can store.
     */
    public static boolean isSupported(Type type)
    {
        return ScalarType.find(type.getBaseName()).isPresent();
    }

    /**
     * Returns the storage type of a Trino type.
     *
     * @throws IllegalArgumentException if {@link #isSupported} is false for the type
     */
    public static StorageType of(Type type)
    {
        checkArgument(isSupported(type), "Albis cannot store type %s", type.getDisplayName());
        for (StorageType storageType : values()) {
            if (storageType.blockClass == type.getValueBlockType()) {
                return storageType;
            }
        }
        throw new IllegalArgumentException("Albis cannot store type " + type.getDisplayName());
    }
}
