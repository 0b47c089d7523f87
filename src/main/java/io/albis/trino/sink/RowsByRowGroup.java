package io.albis.trino.sink;

import io.trino.spi.block.Block;
import io.trino.spi.block.Int128ArrayBlock;
import io.trino.spi.block.RowBlock;
import io.trino.spi.type.UuidType;
import it.unimi.dsi.fastutil.ints.IntArrayList;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import static com.google.common.base.Preconditions.checkArgument;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.UuidType.trinoUuidToJavaUuid;

/**
 * The rows of a page that belong to one row group.
 *
 * @param indexes indexes of the rows in the page
 * @param positions their positions in the row group
 */
record RowsByRowGroup(IntArrayList indexes, IntArrayList positions)
{
    /**
     * Returns the rows of a page by the ids of their row groups.
     *
     * @param rowIds the ids of the rows; not null
     */
    static Map<UUID, RowsByRowGroup> of(Block rowIds)
    {
        List<Block> fields = RowBlock.getRowFieldsFromBlock(rowIds);
        Block rowGroups = fields.get(0);
        Block rows = fields.get(1);
        Int128ArrayBlock ids = (Int128ArrayBlock) rowGroups.getUnderlyingValueBlock();
        Map<UUID, RowsByRowGroup> all = new HashMap<>();
        // the row group of the last row, because neighboring rows are usually of the same row group
        RowsByRowGroup current = null;
        long currentHigh = 0;
        long currentLow = 0;
        for (int i = 0; i < rowIds.getPositionCount(); i++) {
            checkArgument(!rowIds.isNull(i), "a changed row has no id");
            int id = rowGroups.getUnderlyingValuePosition(i);
            long high = ids.getInt128High(id);
            long low = ids.getInt128Low(id);
            if (current == null || high != currentHigh || low != currentLow) {
                current = all.computeIfAbsent(trinoUuidToJavaUuid(UuidType.UUID.getSlice(ids, id)), _ -> new RowsByRowGroup(new IntArrayList(), new IntArrayList()));
                currentHigh = high;
                currentLow = low;
            }
            long position = BIGINT.getLong(rows, i);
            checkArgument(position >= 0 && position <= Integer.MAX_VALUE, "the position of a changed row is out of range: %s", position);
            current.indexes.add(i);
            current.positions.add((int) position);
        }
        return all;
    }
}
