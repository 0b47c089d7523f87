package io.albis.trino.sink;

import io.albis.format.update.RowUpdates;
import io.albis.format.write.RowSizes;
import io.albis.trino.sink.InPlaceUpdates.Candidate;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.type.Type;

import java.io.IOException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;

import static java.util.Objects.requireNonNull;

/**
 * Collects updated rows by their row group until it is known whether their columns are updated in place. Its memory is
 * limited: if there are too many rows, it writes those of the row group that got none for the longest time. A scan
 * returns the rows of a few row groups at a time, so that is usually a row group that gets no more rows. If it does get
 * more rows, these are written as new rows.
 */
final class UpdateCollector
{
    private final InPlaceUpdates inPlace;
    private final NewRows newRows;
    private final List<Type> types;
    private final int[] allChannels;
    private final int[] updatedChannels;
    private final long maxBytes;
    // in the order in which the row groups got their last rows
    private final Map<UUID, Collected> collected = new LinkedHashMap<>(16, 0.75f, true);
    // row groups whose other rows are written as new rows
    private final Set<UUID> closed = new HashSet<>();
    private long bytes;

    /**
     * Deletes rows and inserts their new versions.
     */
    interface NewRows
    {
        /**
         * @param positions positions of the old rows
         * @param rows the new rows, with all columns
         */
        void replace(UUID rowGroup, int[] positions, Page rows);
    }

    /**
     * The updated rows of a row group.
     */
    private static final class Collected
    {
        private final Candidate candidate;
        // with all columns, until it is known that they are updated in place
        private RowUpdates updates = new RowUpdates();
        private boolean inPlace;

        private Collected(Candidate candidate)
        {
            this.candidate = requireNonNull(candidate, "candidate is null");
        }
    }

    /**
     * @param types types of all columns of the table
     * @param maxBytes maximum size of the collected rows
     */
    UpdateCollector(InPlaceUpdates inPlace, NewRows newRows, List<Type> types, long maxBytes)
    {
        this.inPlace = requireNonNull(inPlace, "inPlace is null");
        this.newRows = requireNonNull(newRows, "newRows is null");
        this.types = requireNonNull(types, "types is null");
        this.allChannels = IntStream.range(0, types.size()).toArray();
        this.updatedChannels = inPlace.updatedChannels();
        this.maxBytes = maxBytes;
    }

    /**
     * Adds the new versions of updated rows.
     *
     * @param page all columns of the table
     * @param rowIds the ids of the rows
     */
    void add(Page page, Block rowIds)
            throws IOException
    {
        RowSizes.check(types, page);
        for (Map.Entry<UUID, RowsByRowGroup> entry : RowsByRowGroup.of(rowIds).entrySet()) {
            add(entry.getKey(), entry.getValue(), page);
        }
        for (Iterator<Map.Entry<UUID, Collected>> oldest = collected.entrySet().iterator(); bytes > maxBytes && oldest.hasNext(); ) {
            Map.Entry<UUID, Collected> next = oldest.next();
            oldest.remove();
            write(next.getKey(), next.getValue());
        }
    }

    private void add(UUID rowGroup, RowsByRowGroup rows, Page page)
            throws IOException
    {
        int[] indexes = rows.indexes().toIntArray();
        Optional<Collected> known = find(rowGroup);
        int[] channels = known.isPresent() && known.get().inPlace ? updatedChannels : allChannels;
        if (known.isEmpty() || textBytes(page, channels, indexes) > maxBytes) {
            newRows.replace(rowGroup, rows.positions().toIntArray(), page.getPositions(indexes, 0, indexes.length));
            return;
        }
        Collected rowGroupUpdates = known.get();
        bytes -= rowGroupUpdates.updates.retainedSize();
        rowGroupUpdates.updates.add(rows.positions(), copy(page.getColumns(channels), indexes));
        if (!rowGroupUpdates.inPlace && inPlace.isBetter(rowGroupUpdates.candidate, rowGroupUpdates.updates.count())) {
            rowGroupUpdates.inPlace = true;
            rowGroupUpdates.updates = rowGroupUpdates.updates.project(updatedChannels);
        }
        bytes += rowGroupUpdates.updates.retainedSize();
        if (rowGroupUpdates.updates.count() == rowGroupUpdates.candidate.liveRows()) {
            collected.remove(rowGroup);
            write(rowGroup, rowGroupUpdates);
        }
    }

    /**
     * Returns what was collected of a row group; empty if its rows are written as new rows.
     */
    private Optional<Collected> find(UUID rowGroup)
    {
        if (closed.contains(rowGroup)) {
            return Optional.empty();
        }
        Collected known = collected.get(rowGroup);
        if (known != null) {
            return Optional.of(known);
        }
        Optional<Candidate> candidate = inPlace.find(rowGroup);
        if (candidate.isEmpty()) {
            closed.add(rowGroup);
            return Optional.empty();
        }
        Collected created = new Collected(candidate.get());
        collected.put(rowGroup, created);
        return Optional.of(created);
    }

    /**
     * Returns the size of the values without a fixed size, which may be much larger than the blocks that repeat them.
     */
    private long textBytes(Page page, int[] channels, int[] indexes)
    {
        long size = 0;
        for (int channel : channels) {
            Block block = page.getBlock(channel);
            for (int index : indexes) {
                size += RowSizes.size(types.get(channel), block, index);
            }
        }
        return size;
    }

    /**
     * Copies rows, because a part of a page would retain all of it.
     */
    private static Block[] copy(Page page, int[] indexes)
    {
        Block[] columns = new Block[page.getChannelCount()];
        for (int channel = 0; channel < columns.length; channel++) {
            Block block = page.getBlock(channel);
            int[] positions = new int[indexes.length];
            Arrays.setAll(positions, i -> block.getUnderlyingValuePosition(indexes[i]));
            columns[channel] = block.getUnderlyingValueBlock().copyPositions(positions, 0, positions.length);
        }
        return columns;
    }

    /**
     * Writes all rows.
     */
    void finish()
            throws IOException
    {
        for (Map.Entry<UUID, Collected> entry : collected.entrySet()) {
            write(entry.getKey(), entry.getValue());
        }
        collected.clear();
    }

    private void write(UUID rowGroup, Collected rows)
            throws IOException
    {
        closed.add(rowGroup);
        bytes -= rows.updates.retainedSize();
        if (!rows.inPlace) {
            rows.updates.forEach((positions, columns) -> newRows.replace(rowGroup, positions, new Page(columns)));
        }
        else if (!inPlace.rewrite(rows.candidate, rows.updates)) {
            inPlace.readUpdated(rows.candidate, rows.updates, (positions, columns) -> newRows.replace(rowGroup, positions, new Page(columns)));
        }
    }
}
