package io.albis.trino.write;

import io.trino.spi.block.Block;
import io.trino.spi.block.Int128ArrayBlock;
import io.trino.spi.block.RowBlock;
import io.trino.spi.type.UuidType;
import org.roaringbitmap.RoaringBitmap;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import static com.google.common.base.Preconditions.checkArgument;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.UuidType.trinoUuidToJavaUuid;

/**
 * Collects the positions of deleted rows by their row group.
 */
final class DeletedRowCollector
{
    private final Map<UUID, RoaringBitmap> positions = new HashMap<>();
    // the row group of the last row, because neighboring rows are usually of the same row group
    private RoaringBitmap current;
    private long currentHigh;
    private long currentLow;

    /**
     * Adds rows.
     *
     * @param rowIds the ids of the rows; not null
     */
    void add(Block rowIds)
    {
        List<Block> fields = RowBlock.getRowFieldsFromBlock(rowIds);
        Block rowGroups = fields.get(0);
        Block rows = fields.get(1);
        Int128ArrayBlock ids = (Int128ArrayBlock) rowGroups.getUnderlyingValueBlock();
        for (int i = 0; i < rowIds.getPositionCount(); i++) {
            checkArgument(!rowIds.isNull(i), "a deleted row has no id");
            int id = rowGroups.getUnderlyingValuePosition(i);
            long high = ids.getInt128High(id);
            long low = ids.getInt128Low(id);
            if (current == null || high != currentHigh || low != currentLow) {
                current = positions.computeIfAbsent(trinoUuidToJavaUuid(UuidType.UUID.getSlice(ids, id)), _ -> new RoaringBitmap());
                currentHigh = high;
                currentLow = low;
            }
            long position = BIGINT.getLong(rows, i);
            checkArgument(position >= 0 && position <= Integer.MAX_VALUE, "the position of a deleted row is out of range: %s", position);
            current.add((int) position);
        }
    }

    /**
     * Returns the positions of the deleted rows by the id of their row group.
     */
    Map<UUID, RoaringBitmap> positions()
    {
        return positions;
    }
}
