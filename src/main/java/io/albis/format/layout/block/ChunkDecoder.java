package io.albis.format.layout.block;

import io.albis.format.run.Chunk;
import io.albis.format.run.ChunkEncoding;
import io.albis.format.run.ChunkEncoding.Bytes;
import io.albis.format.run.ChunkEncoding.Constant;
import io.albis.format.run.ChunkEncoding.Dictionary;
import io.albis.format.run.ChunkEncoding.Fixed;
import io.albis.format.run.ChunkEncoding.Nulls;
import io.albis.format.run.ChunkEncoding.Rows;
import io.albis.format.run.NarrowValues;
import io.albis.format.run.RunBytes;
import io.albis.format.run.RunSource;
import io.albis.format.run.SegmentRows;
import io.albis.format.type.StorageType;
import io.albis.format.type.StoredValues;
import io.trino.spi.block.Block;
import io.trino.spi.block.DictionaryBlock;
import io.trino.spi.block.RunLengthEncodedBlock;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.block.VariableWidthBlock;
import io.trino.spi.type.Type;
import jakarta.annotation.Nullable;

import java.io.IOException;

import static java.util.Objects.requireNonNull;

/**
 * Makes blocks of one column of one segment.
 */
public final class ChunkDecoder
{
    // A page that has fewer rows than this part of the dictionary does not keep it alive
    private static final int MAX_UNUSED_ENTRIES = 4;

    private final Type type;
    private final StorageType storageType;
    private final Chunk chunk;
    private final RunSource runs;
    // the same for all pages of the segment: the engine's filters and aggregations remember what they found out of it
    @Nullable
    private ValueBlock values;

    public ChunkDecoder(Type type, Chunk chunk, RunSource runs)
    {
        this.type = requireNonNull(type, "type is null");
        this.storageType = StorageType.of(type);
        this.chunk = requireNonNull(chunk, "chunk is null");
        this.runs = requireNonNull(runs, "runs is null");
    }

    public ChunkEncoding encoding()
    {
        return chunk.encoding();
    }

    public StorageType storageType()
    {
        return storageType;
    }

    /**
     * @throws IllegalArgumentException if the bytes are not what the metadata says
     */
    public Block decode(SegmentRows rows)
            throws IOException
    {
        return switch (chunk.encoding()) {
            case Nulls _ -> RunLengthEncodedBlock.create(type, null, rows.count());
            case Constant _ -> RunLengthEncodedBlock.create(values(), rows.count());
            case Fixed fixed -> FixedDecoder.decode(storageType, fixed, rows, runs);
            case Bytes bytes -> BytesDecoder.decode(checkVariable(bytes), rows, runs);
            case Dictionary dictionary -> decodeDictionary(dictionary, rows);
            case Rows _ -> throw new IllegalArgumentException("rows in a column group of the block layout");
        };
    }

    /**
     * The values that a constant or a dictionary has, the last one a null if there are nulls.
     */
    public ValueBlock values()
            throws IOException
    {
        if (values == null) {
            values = switch (chunk.encoding()) {
                case Constant(byte[] value) -> StoredValues.toBlock(storageType, value);
                case Dictionary dictionary -> dictionaryValues(dictionary);
                case Nulls _, Fixed _, Bytes _, Rows _ -> throw new IllegalStateException("no values are apart");
            };
        }
        return values;
    }

    private ValueBlock dictionaryValues(Dictionary dictionary)
            throws IOException
    {
        checkVariable(dictionary);
        VariableWidthBlock entries = BytesDecoder.decodeAll(dictionary.values(), runs.dictionary());
        return chunk.hasNulls() ? (ValueBlock) entries.copyWithAppendedNull() : entries;
    }

    private Block decodeDictionary(Dictionary dictionary, SegmentRows rows)
            throws IOException
    {
        int[] ids = ids(dictionary, rows);
        if (rows.count() < values().getPositionCount() / MAX_UNUSED_ENTRIES && isSmallerAsCopy(ids)) {
            return values().copyPositions(ids, 0, ids.length);
        }
        return DictionaryBlock.create(ids.length, values(), ids);
    }

    /**
     * Whether the values of all rows take fewer bytes than the dictionary: one long entry may be that of many rows.
     */
    private boolean isSmallerAsCopy(int[] ids)
            throws IOException
    {
        VariableWidthBlock entries = (VariableWidthBlock) values();
        long size = 0;
        for (int id : ids) {
            size += entries.getSliceLength(id);
        }
        return size <= entries.getRawSlice().length();
    }

    private int[] ids(Dictionary dictionary, SegmentRows rows)
            throws IOException
    {
        int[] ids = FixedDecoder.decodeIds(dictionary.idWidth(), rows, runs);
        int max = 0;
        for (int id : ids) {
            max = Math.max(max, id);
        }
        if (max >= values().getPositionCount()) {
            throw new IllegalArgumentException("entry %s of a dictionary of %s".formatted(max, values().getPositionCount()));
        }
        return ids;
    }

    /**
     * Keeps the rows of a run whose values are among some of the dictionary.
     *
     * @param matches for each of {@link #values}
     * @param rows within the run; those that match are moved to its front
     * @return how many match
     */
    public int selectEntries(int runIndex, boolean[] matches, int[] rows, int count)
            throws IOException
    {
        Dictionary dictionary = (Dictionary) chunk.encoding();
        RunBytes run = runs.run(runIndex, false);
        int width = dictionary.idWidth();
        FixedDecoder.checkIds(run, width);
        long mask = NarrowValues.mask(width);
        int size = 0;
        for (int i = 0; i < count; i++) {
            int row = rows[i];
            int id = (int) NarrowValues.get(run.bytes(), run.offset(), width, mask, row);
            if (id >= matches.length) {
                throw new IllegalArgumentException("entry %s of a dictionary of %s".formatted(id, matches.length));
            }
            rows[size] = row;
            size += matches[id] ? 1 : 0;
        }
        return size;
    }

    /**
     * All values of a run, to be looked at before the next run is read.
     */
    public ValueBlock decodeForNow(int runIndex)
            throws IOException
    {
        RunBytes run = runs.run(runIndex, false);
        return switch (chunk.encoding()) {
            case Bytes bytes -> BytesDecoder.decodeAll(checkVariable(bytes), run);
            case Fixed fixed -> (ValueBlock) FixedDecoder.decode(storageType, fixed, SegmentRows.ofRun(runIndex, run.rows()), runs);
            case Nulls _, Constant _, Dictionary _, Rows _ -> throw new IllegalStateException("values that stand apart");
        };
    }

    /**
     * The values of a run as integers.
     */
    public IntegerRun integers(int runIndex)
            throws IOException
    {
        return new IntegerRun(runs.run(runIndex, false), (Fixed) chunk.encoding(), storageType);
    }

    private <T> T checkVariable(T encoding)
    {
        if (storageType != StorageType.VARIABLE) {
            throw new IllegalArgumentException("values of a variable width for %s".formatted(type.getDisplayName()));
        }
        return encoding;
    }

    /**
     * Bytes that this keeps from page to page.
     */
    public long retainedSize()
    {
        return values == null ? 0 : values.getRetainedSizeInBytes();
    }
}
