package io.albis.format.layout.block;

import io.albis.format.run.Chunk;
import io.albis.format.run.ChunkEncoding;
import io.albis.format.run.ChunkEncoding.Bytes;
import io.albis.format.run.ChunkEncoding.Constant;
import io.albis.format.run.ChunkEncoding.Dictionary;
import io.albis.format.run.ChunkEncoding.Fixed;
import io.albis.format.run.ChunkEncoding.Nulls;
import io.albis.format.run.ChunkEncoding.Rows;
import io.albis.format.run.NarrowTests;
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
 * Decodes one column of one segment into blocks.
 */
public final class ChunkDecoder
{
    // A page with fewer rows than this fraction of the dictionary entries may copy its values, so that it does not
    // retain the dictionary.
    private static final int MAX_UNUSED_ENTRIES = 4;

    private final Type type;
    private final StorageType storageType;
    private final Chunk chunk;
    private final RunSource runs;
    // Shared by all pages of the segment, because filters and aggregations of the engine cache results per dictionary.
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
     * Decodes rows.
     *
     * @throws IllegalArgumentException if the bytes contradict the metadata
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
            case Rows _ -> throw new IllegalArgumentException("the row encoding is not valid in the block layout");
        };
    }

    /**
     * Returns the distinct values of a constant or dictionary encoding. The last value is null if the chunk has nulls.
     *
     * @throws IllegalStateException for other encodings
     */
    public ValueBlock values()
            throws IOException
    {
        if (values == null) {
            values = switch (chunk.encoding()) {
                case Constant(byte[] value) -> StoredValues.toBlock(storageType, value);
                case Dictionary dictionary -> dictionaryValues(dictionary);
                case Nulls _, Fixed _, Bytes _, Rows _ -> throw new IllegalStateException("encoding has no separate values");
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
     * Returns whether the values of all rows take fewer bytes than the dictionary. They may take more, because one long
     * entry can occur in many rows.
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
            throw new IllegalArgumentException("id %s exceeds the dictionary of %s entries".formatted(max, values().getPositionCount()));
        }
        return ids;
    }

    /**
     * Selects the rows of a run whose dictionary entries match.
     *
     * @param matches whether each of {@link #values} matches
     * @param rows rows within the run; matching rows are moved to the front
     * @return number of matching rows
     * @throws IllegalArgumentException if the bytes contradict the metadata
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
                throw new IllegalArgumentException("id %s exceeds the dictionary of %s entries".formatted(id, matches.length));
            }
            rows[size] = row;
            size += matches[id] ? 1 : 0;
        }
        return size;
    }

    /**
     * Selects the rows of a run that are null, or those that are not. Reads the run only if it has both.
     *
     * @param rows rows within the run; matching rows are moved to the front
     * @return number of matching rows
     */
    public int selectNulls(int runIndex, boolean nulls, int runRows, int[] rows, int count)
            throws IOException
    {
        int runNulls = chunk.runs().get(runIndex).nulls();
        if (runNulls == 0 || runNulls == runRows) {
            return (runNulls == 0) == nulls ? 0 : count;
        }
        RunBytes run = runs.run(runIndex, false);
        if (run.length() < run.validityLength()) {
            throw new IllegalArgumentException("%s bytes cannot contain the nulls of %s rows".formatted(run.length(), run.rows()));
        }
        return NarrowTests.selectNulls(run, nulls, rows, count);
    }

    /**
     * Decodes all values of a run into a block that is only valid until the next run is read.
     */
    public ValueBlock decodeForNow(int runIndex)
            throws IOException
    {
        RunBytes run = runs.run(runIndex, false);
        return switch (chunk.encoding()) {
            case Bytes bytes -> BytesDecoder.decodeAll(checkVariable(bytes), run);
            case Fixed fixed -> (ValueBlock) FixedDecoder.decode(storageType, fixed, SegmentRows.ofRun(runIndex, run.rows()), runs);
            case Nulls _, Constant _, Dictionary _, Rows _ -> throw new IllegalStateException("encoding has no values in runs");
        };
    }

    /**
     * Returns the values of a run as integers, without decoding them into a block.
     */
    public IntegerRun integers(int runIndex)
            throws IOException
    {
        return new IntegerRun(runs.run(runIndex, false), (Fixed) chunk.encoding(), storageType);
    }

    private <T> T checkVariable(T encoding)
    {
        if (storageType != StorageType.VARIABLE) {
            throw new IllegalArgumentException("a variable-width encoding is not valid for type %s".formatted(type.getDisplayName()));
        }
        return encoding;
    }

    /**
     * Returns the memory in bytes that this decoder retains between pages.
     */
    public long retainedSize()
    {
        return values == null ? 0 : values.getRetainedSizeInBytes();
    }
}
