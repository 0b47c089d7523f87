package io.albis.format.layout.block;

import io.albis.format.run.ChunkEncoding.Fixed;
import io.albis.format.run.NarrowValues;
import io.albis.format.run.RunBytes;
import io.albis.format.run.RunSource;
import io.albis.format.run.SegmentRows;
import io.albis.format.type.StorageType;
import io.trino.spi.block.Block;
import io.trino.spi.block.ByteArrayBlock;
import io.trino.spi.block.Fixed12Block;
import io.trino.spi.block.Int128ArrayBlock;
import io.trino.spi.block.IntArrayBlock;
import io.trino.spi.block.LongArrayBlock;
import io.trino.spi.block.ShortArrayBlock;

import java.io.IOException;

import static io.albis.format.run.SegmentRows.inRun;
import static io.albis.format.run.SegmentRows.run;

/**
 * Decodes values of a fixed width into the arrays of blocks.
 */
final class FixedDecoder
{
    private final StorageType storageType;
    private final Fixed encoding;
    private final RunSource runs;
    private final ValidityDecoder validity;

    // only the array of the storage type is allocated
    private byte[] bytes;
    private short[] shorts;
    private int[] ints;
    private long[] longs;
    private int filled;

    private FixedDecoder(StorageType storageType, Fixed encoding, RunSource runs, int count)
    {
        this.storageType = storageType;
        this.encoding = encoding;
        this.runs = runs;
        this.validity = new ValidityDecoder(count);
        switch (storageType) {
            case BYTE -> bytes = new byte[count];
            case SHORT -> shorts = new short[count];
            case INT -> ints = new int[count];
            case LONG -> longs = new long[count];
            case FIXED12 -> ints = new int[3 * count];
            case INT128 -> longs = new long[2 * count];
            case VARIABLE -> throw new IllegalArgumentException("a fixed-width encoding is not valid for a variable-width column");
        }
    }

    static Block decode(StorageType storageType, Fixed encoding, SegmentRows rows, RunSource runs)
            throws IOException
    {
        FixedDecoder decoder = new FixedDecoder(storageType, encoding, runs, rows.count());
        decoder.append(rows);
        return decoder.build();
    }

    /**
     * Decodes ids of dictionary entries.
     */
    static int[] decodeIds(int width, SegmentRows rows, RunSource runs)
            throws IOException
    {
        FixedDecoder decoder = new FixedDecoder(StorageType.INT, new Fixed(width, 0), new IdSource(runs, width), rows.count());
        decoder.append(rows);
        return decoder.ints;
    }

    /**
     * Checks that the length of a run matches its ids.
     *
     * @throws IllegalArgumentException if it does not
     */
    static void checkIds(RunBytes run, int width)
    {
        if (run.length() != width * run.rows()) {
            throw new IllegalArgumentException("%s ids of %s bytes do not match the run of %s bytes".formatted(run.rows(), width, run.length()));
        }
    }

    /**
     * Provides runs of ids without nulls, because null has an id of its own.
     */
    private record IdSource(RunSource runs, int width)
            implements RunSource
    {
        @Override
        public RunBytes run(int run, boolean keep)
                throws IOException
        {
            RunBytes ids = runs.run(run, keep);
            checkIds(ids, width);
            return new RunBytes(ids.bytes(), ids.offset(), ids.length(), ids.rows(), 0);
        }

        @Override
        public RunBytes dictionary()
        {
            throw new UnsupportedOperationException();
        }
    }

    /**
     * Checks that the length of a run matches its values, and that the width is valid for the storage type.
     *
     * @throws IllegalArgumentException if it does not
     */
    static void check(RunBytes run, Fixed encoding, StorageType storageType)
    {
        int width = encoding.width();
        int slotSize = storageType.slotSize();
        boolean wide = slotSize > Long.BYTES;
        if (width > slotSize || (wide && width != slotSize) || (slotSize == Integer.BYTES && width > Integer.BYTES)) {
            throw new IllegalArgumentException("a width of %s bytes is not valid for storage type %s".formatted(width, storageType));
        }
        int length = run.nulls() == run.rows() ? 0 : run.validityLength() + width * run.rows();
        if (run.length() != length) {
            throw new IllegalArgumentException("%s rows of %s bytes require %s bytes, but the run has %s".formatted(run.rows(), width, length, run.length()));
        }
    }

    private void append(SegmentRows rows)
            throws IOException
    {
        if (rows.rows() == null) {
            appendAll(load(run(rows.begin())), rows.count());
            return;
        }
        for (int begin = rows.begin(); begin < rows.end(); ) {
            int end = rows.runEnd(begin);
            RunBytes run = load(run(rows.rows()[begin]));
            appendSome(run, rows.rows(), begin, end);
            begin = end;
        }
    }

    private RunBytes load(int index)
            throws IOException
    {
        RunBytes run = runs.run(index, false);
        check(run, encoding, storageType);
        return run;
    }

    private void appendAll(RunBytes run, int count)
    {
        validity.append(run);
        if (run.nulls() < run.rows()) {
            int offset = run.offset() + run.validityLength();
            int width = encoding.width();
            switch (storageType) {
                case BYTE -> NarrowValues.widen(run.bytes(), offset, width, (byte) encoding.base(), count, bytes, filled);
                case SHORT -> NarrowValues.widen(run.bytes(), offset, width, (short) encoding.base(), count, shorts, filled);
                case INT -> NarrowValues.widen(run.bytes(), offset, width, (int) encoding.base(), count, ints, filled);
                case LONG -> NarrowValues.widen(run.bytes(), offset, width, encoding.base(), count, longs, filled);
                case FIXED12 -> NarrowValues.widen(run.bytes(), offset, Integer.BYTES, 0, 3 * count, ints, 3 * filled);
                case INT128 -> NarrowValues.widen(run.bytes(), offset, Long.BYTES, 0L, 2 * count, longs, 2 * filled);
                case VARIABLE -> throw new IllegalStateException();
            }
        }
        filled += count;
    }

    private void appendSome(RunBytes run, int[] rows, int begin, int end)
    {
        validity.append(run, rows, begin, end);
        if (run.nulls() < run.rows()) {
            byte[] source = run.bytes();
            int offset = run.offset() + run.validityLength();
            int width = encoding.width();
            long mask = NarrowValues.mask(Math.min(width, Long.BYTES));
            long base = encoding.base();
            int output = filled - begin;
            switch (storageType) {
                case BYTE -> {
                    for (int i = begin; i < end; i++) {
                        bytes[output + i] = (byte) (base + NarrowValues.get(source, offset, width, mask, inRun(rows[i])));
                    }
                }
                case SHORT -> {
                    for (int i = begin; i < end; i++) {
                        shorts[output + i] = (short) (base + NarrowValues.get(source, offset, width, mask, inRun(rows[i])));
                    }
                }
                case INT -> {
                    for (int i = begin; i < end; i++) {
                        ints[output + i] = (int) (base + NarrowValues.get(source, offset, width, mask, inRun(rows[i])));
                    }
                }
                case LONG -> {
                    for (int i = begin; i < end; i++) {
                        longs[output + i] = base + NarrowValues.get(source, offset, width, mask, inRun(rows[i]));
                    }
                }
                case FIXED12 -> {
                    for (int i = begin; i < end; i++) {
                        int value = offset + 12 * inRun(rows[i]);
                        ints[3 * (output + i)] = NarrowValues.getInt(source, value);
                        ints[3 * (output + i) + 1] = NarrowValues.getInt(source, value + 4);
                        ints[3 * (output + i) + 2] = NarrowValues.getInt(source, value + 8);
                    }
                }
                case INT128 -> {
                    for (int i = begin; i < end; i++) {
                        int value = offset + 16 * inRun(rows[i]);
                        longs[2 * (output + i)] = NarrowValues.getLong(source, value);
                        longs[2 * (output + i) + 1] = NarrowValues.getLong(source, value + 8);
                    }
                }
                case VARIABLE -> throw new IllegalStateException();
            }
        }
        filled += end - begin;
    }

    private Block build()
    {
        return switch (storageType) {
            case BYTE -> new ByteArrayBlock(filled, validity.build(), bytes);
            case SHORT -> new ShortArrayBlock(filled, validity.build(), shorts);
            case INT -> new IntArrayBlock(filled, validity.build(), ints);
            case LONG -> new LongArrayBlock(filled, validity.build(), longs);
            case FIXED12 -> new Fixed12Block(filled, validity.build(), ints);
            case INT128 -> new Int128ArrayBlock(filled, validity.build(), longs);
            case VARIABLE -> throw new IllegalStateException();
        };
    }
}
