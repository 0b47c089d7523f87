package io.albis.format.layout.block;

import io.albis.format.run.Chunk;
import io.albis.format.run.ChunkEncoding.Dictionary;
import io.albis.format.run.ChunkSource;
import io.albis.format.run.Run;
import io.albis.format.run.RunBytes;
import io.albis.format.run.RunEncoding.Ids;
import io.albis.format.run.RunSource;
import io.albis.format.run.SegmentRows;
import io.albis.format.type.StorageType;
import io.albis.format.vector.Maximum;
import io.albis.format.vector.NarrowValues;
import io.trino.spi.block.Block;
import io.trino.spi.block.DictionaryBlock;
import io.trino.spi.block.RunLengthEncodedBlock;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.block.VariableWidthBlock;
import jakarta.annotation.Nullable;

import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;

/**
 * Decodes one column of one segment whose values are ids of dictionary entries.
 */
final class DictionaryDecoder
{
    // A page with fewer rows than this fraction of the dictionary entries may copy its values, so that it does not
    // retain the dictionary.
    private static final int MAX_UNUSED_ENTRIES = 4;
    // Finding the entries of more rows takes time, and they are rarely on a few pages of the dictionary.
    private static final int FEW_ROWS = 64;

    private final StorageType storageType;
    private final Chunk chunk;
    private final Dictionary dictionary;
    private final ChunkSource runs;
    // Shared by all pages of the segment, because filters and aggregations of the engine cache results per dictionary.
    @Nullable
    private ValueBlock values;
    // the stored entries, if they have been read to decode some of them
    @Nullable
    private RunBytes stored;

    DictionaryDecoder(StorageType storageType, Chunk chunk, ChunkSource runs)
    {
        this.storageType = storageType;
        this.chunk = chunk;
        this.dictionary = (Dictionary) chunk.encoding();
        this.runs = runs;
    }

    /**
     * Returns the entries, and null after them if the chunk has nulls.
     */
    ValueBlock values()
            throws IOException
    {
        if (values == null) {
            RunBytes bytes = stored();
            // the values are decoded once
            stored = null;
            ValueBlock entries = storageType.isVariableWidth() ? BytesDecoder.decodeAll(bytes) : FixedDecoder.decodeEntries(storageType, bytes);
            values = chunk.hasNulls() ? (ValueBlock) entries.copyWithAppendedNull() : entries;
        }
        return values;
    }

    /**
     * Returns the memory in bytes that this decoder retains between pages.
     */
    long retainedSize()
    {
        if (values != null) {
            return values.getRetainedSizeInBytes();
        }
        return stored == null ? 0 : stored.bytes().length;
    }

    private RunBytes stored()
            throws IOException
    {
        if (stored == null) {
            stored = runs.dictionary();
        }
        return stored;
    }

    Block decode(SegmentRows rows)
            throws IOException
    {
        int run = rows.onlyRun();
        if (run >= 0 && ids(run).width() == 0) {
            int id = ids(run).base();
            if (isFew(rows) && id < dictionary.entries()) {
                int[] same = new int[rows.count()];
                Arrays.fill(same, id);
                return decodeEntries(same, same.length);
            }
            return RunLengthEncodedBlock.create(values().getSingleValueBlock(checkId(id)), rows.count());
        }
        int[] ids = FixedDecoder.decodeIds(rows, runs);
        int count = rows.count();
        int max = Maximum.of(ids, count);
        if (isFew(rows) && max < dictionary.entries()) {
            return decodeEntries(ids, count);
        }
        checkId(max);
        if (count < values().getPositionCount() / MAX_UNUSED_ENTRIES && isSmallerAsCopy(ids, count)) {
            return values().copyPositions(ids, 0, count);
        }
        return DictionaryBlock.create(count, values(), ids);
    }

    /**
     * Returns whether only the entries of some rows are decoded, because other rows are not likely to need the
     * dictionary.
     */
    private boolean isFew(SegmentRows rows)
    {
        return values == null && !rows.isRun() && rows.count() <= FEW_ROWS && rows.count() < dictionary.entries() / MAX_UNUSED_ENTRIES && dictionary.entries() <= Run.MAX_ROWS;
    }

    /**
     * Decodes the entries of some rows. An entry of several rows is decoded once, because it can be large.
     */
    private Block decodeEntries(int[] ids, int count)
            throws IOException
    {
        int[] distinct = Arrays.copyOf(ids, count);
        Arrays.sort(distinct);
        int size = 0;
        for (int id : distinct) {
            if (size == 0 || id != distinct[size - 1]) {
                distinct[size] = id;
                size++;
            }
        }
        int[] positions = new int[count];
        for (int i = 0; i < count; i++) {
            positions[i] = Arrays.binarySearch(distinct, 0, size, ids[i]);
        }
        SegmentRows rows = SegmentRows.ofRows(Arrays.copyOf(distinct, size));
        RunSource entries = new EntrySource();
        ValueBlock decoded = storageType.isVariableWidth() ? new BytesDecoder(entries).decode(rows) : FixedDecoder.decode(storageType, rows, entries);
        return size == 1 ? RunLengthEncodedBlock.create(decoded, count) : DictionaryBlock.create(count, decoded, positions);
    }

    /**
     * Provides the entries of the dictionary as the values of a run.
     */
    private final class EntrySource
            implements RunSource
    {
        @Override
        public RunBytes run(int run, boolean keep)
                throws IOException
        {
            return stored();
        }

        @Override
        public RunBytes run(int run, int values, NeededBytes needed)
                throws IOException
        {
            if (stored == null) {
                Optional<RunBytes> pages = runs.dictionary(values, needed);
                if (pages.isPresent()) {
                    return pages.get();
                }
            }
            return stored();
        }
    }

    private Ids ids(int run)
    {
        return (Ids) chunk.runs().get(run).encoding();
    }

    private int checkId(int id)
            throws IOException
    {
        if (id >= values().getPositionCount()) {
            throw new IllegalArgumentException("id %s exceeds the dictionary of %s entries".formatted(id, values().getPositionCount()));
        }
        return id;
    }

    /**
     * Returns whether the values of all rows take fewer bytes than the dictionary. They may take more, because one long
     * entry can occur in many rows.
     */
    private boolean isSmallerAsCopy(int[] ids, int count)
            throws IOException
    {
        if (!(values() instanceof VariableWidthBlock entries)) {
            return count < values().getPositionCount();
        }
        long size = 0;
        for (int i = 0; i < count; i++) {
            size += entries.getSliceLength(ids[i]);
        }
        return size <= entries.getRawSlice().length();
    }

    /**
     * Selects the rows of a run whose entries match.
     *
     * @param matches whether each of {@link #values} matches
     * @param rows rows within the run; matching rows are moved to the front
     * @return number of matching rows
     * @throws IllegalArgumentException if the bytes contradict the metadata
     */
    int select(int runIndex, boolean[] matches, int[] rows, int count)
            throws IOException
    {
        Ids ids = ids(runIndex);
        int width = ids.width();
        int base = ids.base();
        if (width == 0) {
            return matches[checkId(base)] ? count : 0;
        }
        RunBytes run = runs.run(runIndex, count, (pages, _) -> pages.addValues(0, width, rows, 0, count));
        FixedDecoder.checkIds(run);
        long mask = NarrowValues.mask(width);
        int size = 0;
        for (int i = 0; i < count; i++) {
            int row = rows[i];
            int id = base + (int) NarrowValues.get(run.bytes(), run.offset(), width, mask, row);
            if (id >= matches.length) {
                throw new IllegalArgumentException("id %s exceeds the dictionary of %s entries".formatted(id, matches.length));
            }
            rows[size] = row;
            size += matches[id] ? 1 : 0;
        }
        return size;
    }
}
