package io.albis.format.layout.block.node;

import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.block.DictionaryBlock;
import io.trino.spi.block.RunLengthEncodedBlock;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.type.Type;

import java.util.List;

/**
 * Joins the blocks of several runs into one block, as Trino requires for the elements of arrays.
 */
final class BlockParts
{
    private BlockParts() {}

    static Block join(Type type, List<Block> parts)
    {
        if (parts.isEmpty()) {
            return type.createBlockBuilder(null, 0).build();
        }
        if (parts.size() == 1) {
            return parts.getFirst();
        }
        int count = 0;
        boolean nulls = true;
        boolean oneDictionary = true;
        ValueBlock dictionary = parts.getFirst() instanceof DictionaryBlock first ? first.getDictionary() : null;
        for (Block part : parts) {
            count = Math.addExact(count, part.getPositionCount());
            nulls &= part instanceof RunLengthEncodedBlock repeated && repeated.getValue().isNull(0);
            oneDictionary &= part instanceof DictionaryBlock block && block.getDictionary() == dictionary;
        }
        if (nulls) {
            return RunLengthEncodedBlock.create(type, null, count);
        }
        if (oneDictionary) {
            return joinIds(parts, dictionary, count);
        }
        BlockBuilder builder = type.createBlockBuilder(null, count);
        for (Block part : parts) {
            builder.appendBlockRange(part, 0, part.getPositionCount());
        }
        return builder.build();
    }

    private static Block joinIds(List<Block> parts, ValueBlock dictionary, int count)
    {
        int[] ids = new int[count];
        int filled = 0;
        for (Block part : parts) {
            DictionaryBlock block = (DictionaryBlock) part;
            System.arraycopy(block.getRawIds(), block.getRawIdsOffset(), ids, filled, block.getPositionCount());
            filled += block.getPositionCount();
        }
        return DictionaryBlock.create(count, dictionary, ids);
    }
}
