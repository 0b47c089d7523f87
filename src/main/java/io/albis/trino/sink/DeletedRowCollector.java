package io.albis.trino.sink;

import io.trino.spi.block.Block;
import org.roaringbitmap.RoaringBitmap;

import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * Collects the positions of deleted rows by their row group.
 */
final class DeletedRowCollector
{
    private final Map<UUID, RoaringBitmap> positions = new HashMap<>();

    /**
     * Adds rows.
     *
     * @param rowIds the ids of the rows; not null
     */
    void add(Block rowIds)
    {
        RowsByRowGroup.of(rowIds).forEach((rowGroup, rows) -> add(rowGroup, rows.positions().toIntArray()));
    }

    /**
     * Adds rows of one row group.
     */
    void add(UUID rowGroup, int[] rows)
    {
        positions.computeIfAbsent(rowGroup, _ -> new RoaringBitmap()).add(rows);
    }

    /**
     * Returns the positions of the deleted rows by the id of their row group.
     */
    Map<UUID, RoaringBitmap> positions()
    {
        return positions;
    }
}
