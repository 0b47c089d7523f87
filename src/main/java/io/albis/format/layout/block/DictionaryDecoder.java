package io.albis.format.layout.block;

import io.albis.format.run.Chunk;
import io.albis.format.run.ChunkEncoding.Dictionary;
import io.albis.format.run.NarrowValues;
import io.albis.format.run.RunBytes;
import io.albis.format.run.RunEncoding.Ids;
import io.albis.format.run.RunSource;
import io.albis.format.run.SegmentRows;
import io.albis.format.type.StorageType;
import io.trino.spi.block.Block;
import io.trino.spi.block.DictionaryBlock;
import io.trino.spi.block.RunLengthEncodedBlock;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.block.VariableWidthBlock;
import jakarta.annotation.Nullable;

import java.io.IOException;

/**
 * Decodes one column of one segment whose values are ids of dictionary entries.
 */
final class DictionaryDecoder
{
    // A page with fewer rows than this fraction of the dictionary entries may copy its values, so that it does not
    // retain the dictionary.
    private static final int MAX_UNUSED_ENTRIES = 4;

    private final StorageType storageType;
    private final Chunk chunk;
    private final Dictionary dictionary;
    private final RunSource runs;
    // Shared by all pages of the segment, because filters and aggregations of the engine cache results per dictionary.
    @Nullable
    private ValueBlock values;

    DictionaryDecoder(StorageType storageType, Chunk chunk, RunSource runs)
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
            RunBytes bytes = runs.dictionary();
            ValueBlock entries = storageType == StorageType.VARIABLE ? BytesDecoder.decodeAll(bytes) : FixedDecoder.decodeEntries(storageType, bytes);
            values = chunk.hasNulls() ? (ValueBlock) entries.copyWithAppendedNull() : entries;
        }
        return values;
    }

    /**
     * Returns the memory in bytes that this decoder retains between pages.
     */
    long retainedSize()
    {
        return values == null ? 0 : values.getRetainedSizeInBytes();
    }

    Block decode(SegmentRows rows)
            throws IOException
    {
        int run = rows.onlyRun();
        if (run >= 0 && ids(run).width() == 0) {
            return RunLengthEncodedBlock.create(values().getSingleValueBlock(checkId(ids(run).base())), rows.count());
        }
        int[] ids = FixedDecoder.decodeIds(rows, runs);
        int count = rows.count();
        int max = 0;
        for (int i = 0; i < count; i++) {
            max = Math.max(max, ids[i]);
        }
        checkId(max);
        if (count < values().getPositionCount() / MAX_UNUSED_ENTRIES && isSmallerAsCopy(ids, count)) {
            return values().copyPositions(ids, 0, count);
        }
        return DictionaryBlock.create(count, values(), ids);
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
        RunBytes run = runs.run(runIndex, false);
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
