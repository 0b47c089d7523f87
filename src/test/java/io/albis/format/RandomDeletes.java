package io.albis.format;

import com.google.common.collect.ImmutableList;
import io.albis.format.delete.DeletedPositions;
import io.albis.format.delete.DeletesWriter;
import io.albis.format.metadata.RowGroup;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;

import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.UUID;

/**
 * Deletes random rows of row groups, and remembers which ones.
 *
 * @param rowGroups the row groups with the references to their deleted rows
 * @param live the rows of all row groups that remain, by their number over all row groups
 */
record RandomDeletes(List<RowGroup> rowGroups, List<Integer> live)
{
    RandomDeletes
    {
        rowGroups = ImmutableList.copyOf(rowGroups);
        live = ImmutableList.copyOf(live);
    }

    /**
     * Writes one deletes file.
     */
    static RandomDeletes delete(TrinoFileSystem fileSystem, Location folder, Random random, List<RowGroup> rowGroups)
            throws IOException
    {
        boolean none = random.nextInt(3) == 0;
        DeletesWriter writer = new DeletesWriter(fileSystem, folder, new UUID(random.nextLong(), random.nextLong()));
        ImmutableList.Builder<RowGroup> changed = ImmutableList.builder();
        List<Integer> live = new ArrayList<>();
        int begin = 0;
        for (RowGroup rowGroup : rowGroups) {
            int rows = (int) rowGroup.rows();
            BitSet deleted = none ? new BitSet() : randomPositions(random, rows);
            changed.add(deleted.isEmpty() ? rowGroup : rowGroup.withDeletedRows(writer.add(DeletedPositions.of(deleted.stream().toArray()))));
            for (int row = deleted.nextClearBit(0); row < rows; row = deleted.nextClearBit(row + 1)) {
                live.add(begin + row);
            }
            begin += rows;
        }
        writer.close();
        return new RandomDeletes(changed.build(), live);
    }

    /**
     * Returns nothing, everything, one row, scattered rows, or ranges of rows.
     */
    static BitSet randomPositions(Random random, int rows)
    {
        BitSet positions = new BitSet(rows);
        switch (random.nextInt(6)) {
            case 0 -> {}
            case 1 -> positions.set(0, rows);
            case 2 -> positions.set(random.nextInt(rows));
            case 3 -> {
                double share = random.nextBoolean() ? random.nextDouble() : random.nextDouble() * 0.01;
                for (int row = 0; row < rows; row++) {
                    positions.set(row, random.nextDouble() < share);
                }
            }
            default -> {
                for (int range = random.nextInt(5); range >= 0; range--) {
                    int begin = random.nextInt(rows);
                    positions.set(begin, begin + 1 + random.nextInt(rows - begin));
                    if (random.nextBoolean()) {
                        positions.flip(random.nextInt(rows));
                    }
                }
            }
        }
        return positions;
    }
}
