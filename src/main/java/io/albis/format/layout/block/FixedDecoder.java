package io.albis.format.layout.block;

import io.albis.format.run.RowRanges;
import io.albis.format.run.RunBytes;
import io.albis.format.run.RunEncoding.Fixed;
import io.albis.format.run.RunEncoding.Ids;
import io.albis.format.run.RunPages;
import io.albis.format.run.RunRows;
import io.albis.format.run.RunSource;
import io.albis.format.run.SegmentRows;
import io.albis.format.type.StorageType;
import io.albis.format.vector.NarrowValues;
import io.trino.spi.block.ByteArrayBlock;
import io.trino.spi.block.Fixed12Block;
import io.trino.spi.block.Int128ArrayBlock;
import io.trino.spi.block.IntArrayBlock;
import io.trino.spi.block.LongArrayBlock;
import io.trino.spi.block.ShortArrayBlock;
import io.trino.spi.block.ValueBlock;
import jakarta.annotation.Nullable;

import java.io.IOException;

import static io.albis.format.run.SegmentRows.inRun;

/**
 * Decodes values of a fixed width into the arrays of blocks.
 */
final class FixedDecoder
{
    private final StorageType storageType;
    // null for the entries of a dictionary
    @Nullable
    private final RunSource runs;
    private final ValidityDecoder validity;

    // only the array of the storage type is allocated
    private byte[] bytes;
    private short[] shorts;
    private int[] ints;
    private long[] longs;
    private int filled;

    /**
     * @param capacity number of values for which the array needs space, see {@link SegmentRows#capacity}
     */
    private FixedDecoder(StorageType storageType, @Nullable RunSource runs, int count, int capacity)
    {
        this.storageType = storageType;
        this.runs = runs;
        this.validity = new ValidityDecoder(count);
        switch (storageType) {
            case BYTE -> bytes = new byte[capacity];
            case SHORT -> shorts = new short[capacity];
            case INT -> ints = new int[capacity];
            case LONG -> longs = new long[capacity];
            case FIXED12 -> ints = new int[3 * capacity];
            case INT128 -> longs = new long[2 * capacity];
            case VARIABLE -> throw new IllegalArgumentException("a fixed-width encoding is not valid for a variable-width column");
        }
    }

    static ValueBlock decode(StorageType storageType, SegmentRows rows, RunSource runs)
            throws IOException
    {
        FixedDecoder decoder = new FixedDecoder(storageType, runs, rows.count(), rows.capacity());
        decoder.append(rows);
        return decoder.build();
    }

    /**
     * Decodes the entries of a dictionary.
     */
    static ValueBlock decodeEntries(StorageType storageType, RunBytes entries)
    {
        FixedDecoder decoder = new FixedDecoder(storageType, null, entries.rows(), entries.rows());
        check(entries, storageType);
        decoder.appendAll(entries, entries.rows());
        return decoder.build();
    }

    /**
     * Decodes ids of dictionary entries.
     *
     * @return the ids, which may be followed by further elements
     */
    static int[] decodeIds(SegmentRows rows, RunSource runs)
            throws IOException
    {
        FixedDecoder decoder = new FixedDecoder(StorageType.INT, new IdSource(runs), rows.count(), rows.capacity());
        decoder.append(rows);
        return decoder.ints;
    }

    /**
     * Checks that the length of a run matches its ids.
     *
     * @throws IllegalArgumentException if it does not
     */
    static void checkIds(RunBytes run)
    {
        int width = ((Ids) run.encoding()).width();
        if (run.length() != width * run.rows()) {
            throw new IllegalArgumentException("%s ids of %s bytes do not match the run of %s bytes".formatted(run.rows(), width, run.length()));
        }
    }

    /**
     * Provides runs of ids without nulls, because null has an id of its own.
     */
    private record IdSource(RunSource runs)
            implements RunSource
    {
        @Override
        public RunBytes run(int run, boolean keep)
                throws IOException
        {
            return toIntegers(runs.run(run, keep));
        }

        @Override
        public RunBytes run(int run, int values, NeededBytes needed)
                throws IOException
        {
            return toIntegers(runs.run(run, values, (pages, ids) -> needed.addTo(pages, toIntegers(ids))));
        }

        private static RunBytes toIntegers(RunBytes ids)
        {
            checkIds(ids);
            Ids encoding = (Ids) ids.encoding();
            return new RunBytes(ids.bytes(), ids.offset(), ids.length(), ids.rows(), 0, new Fixed(encoding.width(), encoding.base(), 0));
        }
    }

    /**
     * Checks that the length of a run matches its values, and that their encoding is valid for the storage type.
     *
     * @throws IllegalArgumentException if it does not
     */
    static void check(RunBytes run, StorageType storageType)
    {
        Fixed encoding = (Fixed) run.encoding();
        encoding.check(storageType);
        boolean empty = run.nulls() == run.rows();
        int length = empty ? 0 : run.validityLength() + encoding.width() * run.rows() + Outliers.length(encoding.outliers(), storageType);
        if (run.length() != length) {
            throw new IllegalArgumentException("%s rows of %s bytes and %s outliers require %s bytes, but the run has %s".formatted(run.rows(), encoding.width(), encoding.outliers(), length, run.length()));
        }
    }

    private void append(SegmentRows rows)
            throws IOException
    {
        if (rows.isRun()) {
            appendAll(checked(runs.run(rows.firstRun(), false)), rows.count());
            return;
        }
        for (RunRows part : rows.byRun()) {
            RunBytes run = checked(runs.run(part.run(), part.pieces(), (pages, bytes) -> {
                addCommon(pages, bytes);
                pages.addValues(bytes.validityLength(), ((Fixed) bytes.encoding()).width(), rows, part);
            }));
            if (part.ranges().isPresent()) {
                appendRanges(run, part.ranges().get());
            }
            else {
                appendSome(run, rows.list(), part.begin(), part.end());
            }
        }
    }

    private RunBytes checked(RunBytes run)
    {
        check(run, storageType);
        return run;
    }

    /**
     * Adds the pages of a run that some rows need.
     *
     * @param rows rows within the run
     */
    static void addNeeded(RunPages pages, RunBytes run, int[] rows, int count)
    {
        addCommon(pages, run);
        pages.addValues(run.validityLength(), ((Fixed) run.encoding()).width(), rows, 0, count);
    }

    /**
     * Adds the pages of a run that its rows share: those of the validity words and of the outliers.
     */
    private static void addCommon(RunPages pages, RunBytes run)
    {
        Fixed encoding = (Fixed) run.encoding();
        pages.add(0, run.validityLength());
        if (encoding.outliers() > 0) {
            pages.add(run.validityLength() + encoding.width() * run.rows(), run.length());
        }
    }

    private void appendAll(RunBytes run, int count)
    {
        validity.append(run);
        if (run.nulls() < run.rows()) {
            decode(run, 0, count);
        }
        filled += count;
    }

    /**
     * Decodes consecutive values of a run that has values.
     */
    private void decode(RunBytes run, int first, int count)
    {
        Fixed encoding = (Fixed) run.encoding();
        int width = encoding.width();
        int offset = run.offset() + run.validityLength() + width * first;
        switch (storageType) {
            case BYTE -> NarrowValues.widen(run.bytes(), offset, width, (byte) encoding.base(), count, bytes, filled);
            case SHORT -> NarrowValues.widen(run.bytes(), offset, width, (short) encoding.base(), count, shorts, filled);
            case INT -> NarrowValues.widen(run.bytes(), offset, width, (int) encoding.base(), count, ints, filled);
            case LONG -> NarrowValues.widen(run.bytes(), offset, width, encoding.base(), count, longs, filled);
            case FIXED12 -> NarrowValues.widen(run.bytes(), offset, Integer.BYTES, 0, 3 * count, ints, 3 * filled);
            case INT128 -> NarrowValues.widen(run.bytes(), offset, Long.BYTES, 0L, 2 * count, longs, 2 * filled);
            case VARIABLE -> throw new IllegalStateException();
        }
        if (encoding.outliers() > 0) {
            Outliers outliers = new Outliers(run, storageType);
            int end = outliers.indexOf(first + count);
            for (int outlier = outliers.indexOf(first); outlier < end; outlier++) {
                put(filled + outliers.position(outlier) - first, outliers.value(outlier));
            }
        }
    }

    /**
     * Decodes the values between the ranges too, and removes them.
     */
    private void appendRanges(RunBytes run, RowRanges ranges)
    {
        validity.append(run, ranges);
        if (run.nulls() < run.rows()) {
            decode(run, ranges.first(), ranges.span());
            switch (storageType) {
                case BYTE -> ranges.compact(bytes, filled);
                case SHORT -> ranges.compact(shorts, filled);
                case INT -> ranges.compact(ints, filled, 1);
                case LONG -> ranges.compact(longs, filled, 1);
                case FIXED12 -> ranges.compact(ints, filled, 3);
                case INT128 -> ranges.compact(longs, filled, 2);
                case VARIABLE -> throw new IllegalStateException();
            }
        }
        filled += ranges.rows();
    }

    private void put(int position, long value)
    {
        switch (storageType) {
            case BYTE -> bytes[position] = (byte) value;
            case SHORT -> shorts[position] = (short) value;
            case INT -> ints[position] = (int) value;
            case LONG -> longs[position] = value;
            case FIXED12, INT128, VARIABLE -> throw new IllegalStateException();
        }
    }

    private void appendSome(RunBytes run, int[] rows, int begin, int end)
    {
        validity.append(run, rows, begin, end);
        if (run.nulls() < run.rows()) {
            Fixed encoding = (Fixed) run.encoding();
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
            if (encoding.outliers() > 0) {
                putOutliers(new Outliers(run, storageType), rows, begin, end);
            }
        }
        filled += end - begin;
    }

    private void putOutliers(Outliers outliers, int[] rows, int begin, int end)
    {
        long[] bitmap = outliers.bitmap();
        for (int i = begin; i < end; i++) {
            int row = inRun(rows[i]);
            if ((bitmap[row / Long.SIZE] >>> row & 1) != 0) {
                put(filled - begin + i, outliers.value(outliers.indexOf(row)));
            }
        }
    }

    private ValueBlock build()
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
