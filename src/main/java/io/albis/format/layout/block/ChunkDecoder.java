package io.albis.format.layout.block;

import io.albis.format.run.Chunk;
import io.albis.format.run.ChunkEncoding;
import io.albis.format.run.ChunkEncoding.Bits;
import io.albis.format.run.ChunkEncoding.Bytes;
import io.albis.format.run.ChunkEncoding.Constant;
import io.albis.format.run.ChunkEncoding.Dictionary;
import io.albis.format.run.ChunkEncoding.Fixed;
import io.albis.format.run.ChunkEncoding.Nulls;
import io.albis.format.run.ChunkEncoding.Rows;
import io.albis.format.run.ChunkSource;
import io.albis.format.run.RunBytes;
import io.albis.format.run.RunEncoding;
import io.albis.format.run.SegmentRows;
import io.albis.format.type.StorageType;
import io.albis.format.type.StoredValues;
import io.albis.format.vector.NarrowSelection;
import io.trino.spi.block.Block;
import io.trino.spi.block.ByteArrayBlock;
import io.trino.spi.block.RunLengthEncodedBlock;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.type.Type;
import jakarta.annotation.Nullable;

import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;

import static java.util.Objects.requireNonNull;

/**
 * Decodes one column of one segment into blocks.
 */
public final class ChunkDecoder
{
    private final Type type;
    private final StorageType storageType;
    private final Chunk chunk;
    private final ChunkSource runs;
    @Nullable
    private final DictionaryDecoder dictionary;
    private final BytesDecoder bytes;
    // null until it is needed
    @Nullable
    private ValueBlock values;

    public ChunkDecoder(Type type, Chunk chunk, ChunkSource runs)
    {
        this.type = requireNonNull(type, "type is null");
        this.storageType = StorageType.of(type);
        this.chunk = requireNonNull(chunk, "chunk is null");
        this.runs = requireNonNull(runs, "runs is null");
        this.dictionary = chunk.encoding().hasDictionary() ? new DictionaryDecoder(storageType, chunk, runs) : null;
        this.bytes = new BytesDecoder(runs);
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
            case Fixed _ -> {
                Optional<ValueBlock> value = onlyValue(rows.onlyRun());
                yield value.isPresent() ? RunLengthEncodedBlock.create(value.get(), rows.count()) : decodeValues(rows);
            }
            case Bytes _, Bits _ -> decodeValues(rows);
            case Dictionary _ -> dictionary.decode(rows);
            case Rows _ -> throw new IllegalArgumentException("the row encoding is not valid in the block layout");
        };
    }

    /**
     * Decodes rows of an encoding whose runs contain the values, into a block with a value for each row.
     */
    public ValueBlock decodeValues(SegmentRows rows)
            throws IOException
    {
        return switch (chunk.encoding()) {
            case Fixed _ -> FixedDecoder.decode(storageType, rows, runs);
            case Bytes _ -> bytes.decode(rows);
            case Bits _ -> BitsDecoder.decode(rows, runs);
            case Nulls _, Constant _, Dictionary _, Rows _ -> throw new IllegalStateException("encoding has no values in runs");
        };
    }

    /**
     * Returns the value of a run with the fixed encoding that has the same value in all rows and takes no bytes.
     *
     * @param run index of the run, or a negative number for several runs
     */
    public Optional<ValueBlock> onlyValue(int run)
    {
        if (run < 0 || chunk.runs().get(run).nulls() != 0) {
            return Optional.empty();
        }
        OptionalLong value = chunk.runs().get(run).encoding().onlyValue();
        return value.isPresent() ? Optional.of(StoredValues.ofInteger(storageType, value.getAsLong())) : Optional.empty();
    }

    /**
     * Returns the distinct values of an encoding that has them apart from the rows. The last value is null if the chunk
     * has nulls.
     *
     * @throws IllegalStateException for other encodings
     */
    public ValueBlock values()
            throws IOException
    {
        if (values == null) {
            values = switch (chunk.encoding()) {
                case Constant(byte[] value) -> StoredValues.toBlock(storageType, value);
                case Bits _ -> {
                    ByteArrayBlock bits = new ByteArrayBlock(2, Optional.empty(), new byte[] {0, 1});
                    yield chunk.hasNulls() ? bits.copyWithAppendedNull() : bits;
                }
                case Dictionary _ -> dictionary.values();
                case Nulls _, Fixed _, Bytes _, Rows _ -> throw new IllegalStateException("encoding has no separate values");
            };
        }
        return values;
    }

    /**
     * Selects the rows of a run whose values match.
     *
     * @param matches whether each of {@link #values} matches
     * @param rows rows within the run; matching rows are moved to the front
     * @return number of matching rows
     * @throws IllegalArgumentException if the bytes contradict the metadata
     */
    public int selectMatching(int runIndex, boolean[] matches, int[] rows, int count)
            throws IOException
    {
        return switch (chunk.encoding()) {
            case Constant _ -> matches[0] ? count : 0;
            case Bits _ -> BitsDecoder.select(runs.run(runIndex, false), matches, rows, count);
            case Dictionary _ -> dictionary.select(runIndex, matches, rows, count);
            case Nulls _, Fixed _, Bytes _, Rows _ -> throw new IllegalStateException("encoding has no separate values");
        };
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
        return NarrowSelection.selectNulls(run.bytes(), run.offset(), run.rows(), nulls, rows, count);
    }

    /**
     * Decodes all values of a run into a block that is only valid until the next run is read.
     */
    public ValueBlock decodeForNow(int runIndex)
            throws IOException
    {
        RunBytes run = runs.run(runIndex, false);
        return switch (chunk.encoding()) {
            case Bytes _ -> BytesDecoder.decodeAll(run);
            case Fixed _, Bits _ -> decodeValues(SegmentRows.ofRun(runIndex, run.rows()));
            case Nulls _, Constant _, Dictionary _, Rows _ -> throw new IllegalStateException("encoding has no values in runs");
        };
    }

    /**
     * Selects the rows of a run of integers that match, without decoding them into a block.
     *
     * @param rows rows within the run; matching rows are moved to the front
     * @return number of matching rows
     */
    public int selectIntegers(int runIndex, IntegerSelector selector, int[] rows, int count)
            throws IOException
    {
        RunBytes run = runs.run(runIndex, count, (pages, bytes) -> FixedDecoder.addNeeded(pages, bytes, rows, count));
        if (((RunEncoding.Fixed) run.encoding()).outliers() > 0) {
            return OutlierSelection.select(run, storageType, selector, rows, count);
        }
        return selector.select(new IntegerRun(run, storageType), rows, count);
    }

    /**
     * Returns the memory in bytes that this decoder retains between pages.
     */
    public long retainedSize()
    {
        if (dictionary != null) {
            return dictionary.retainedSize();
        }
        return bytes.retainedSize() + (values == null ? 0 : values.getRetainedSizeInBytes());
    }
}
