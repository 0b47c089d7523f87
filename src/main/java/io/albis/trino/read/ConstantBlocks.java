package io.albis.trino.read;

import io.albis.format.type.EqualValues;
import io.trino.spi.block.Block;
import io.trino.spi.block.DictionaryBlock;
import io.trino.spi.block.RunLengthEncodedBlock;
import io.trino.spi.type.DoubleType;
import io.trino.spi.type.RealType;
import io.trino.spi.type.Type;

/**
 * Protects values that equal others but differ from them. Where the engine combines pages, for example in an exchange,
 * it compares the values of run-length encoded blocks as SQL does. It then keeps the first value for the rows of all of
 * them, so that 0.0 becomes -0.0, or an instant gets another time zone. It keeps the values of dictionaries.
 */
final class ConstantBlocks
{
    private ConstantBlocks() {}

    /**
     * Returns a channel with the same values, whose blocks are not run-length encoded if they have such a value.
     */
    static PageChannel kept(PageChannel channel, Type type)
    {
        return EqualValues.canDiffer(type) ? batch -> kept(channel.read(batch), type) : channel;
    }

    private static Block kept(Block block, Type type)
    {
        if (block instanceof RunLengthEncodedBlock repeated && canDiffer(repeated.getValue(), type)) {
            return DictionaryBlock.create(repeated.getPositionCount(), repeated.getValue(), new int[repeated.getPositionCount()]);
        }
        return block;
    }

    private static boolean canDiffer(Block value, Type type)
    {
        if (value.isNull(0)) {
            return false;
        }
        return switch (type) {
            case DoubleType doubles -> doubles.getDouble(value, 0) == 0;
            case RealType reals -> reals.getFloat(value, 0) == 0;
            default -> true;
        };
    }
}
