package io.albis.format.layout.block;

import io.airlift.slice.Slices;
import io.airlift.slice.XxHash64;
import io.albis.format.run.ChunkEncoding.Dictionary;
import io.albis.format.run.ChunkOutput;
import io.albis.format.run.Run;
import io.albis.format.run.RunEncoding;
import io.albis.format.run.Segment;
import io.albis.format.type.OrderKeys;
import io.albis.format.vector.NarrowValues;
import io.trino.spi.block.VariableWidthBlock;

import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;

/**
 * Assigns ids to the distinct values of a column in a segment, and stops when there are too many of them.
 */
final class DictionaryBuilder
{
    // After this number of rows, the builder stops if there are fewer rows per entry than the minimum.
    private static final int ROWS_BEFORE_GIVING_UP = 2048;
    private static final int MIN_ROWS_PER_ENTRY = 2;
    private static final int INITIAL_TABLE_SIZE = 512;

    private boolean built;
    private int entries;
    private int[] ids = new int[0];
    private long[] hashes = new long[0];
    private int[] begins = new int[0];
    private int[] lengths = new int[0];
    // Entry plus one by hash, with open addressing. At most half full.
    private int[] table = new int[0];

    void reset(boolean build)
    {
        built = build;
        entries = 0;
        if (build) {
            if (ids.length == 0) {
                ids = new int[Segment.MAX_ROWS];
                allocate(INITIAL_TABLE_SIZE / 2);
                table = new int[INITIAL_TABLE_SIZE];
            }
            Arrays.fill(table, 0);
        }
    }

    boolean isBuilt()
    {
        return built;
    }

    int entries()
    {
        return entries;
    }

    void addNull(int row)
    {
        if (built) {
            ids[row] = -1;
        }
    }

    /**
     * Adds the value of a row.
     *
     * @param bytes array that contains the values of all rows so far
     */
    void add(byte[] bytes, int offset, int length, int row)
    {
        if (!built) {
            return;
        }
        long hash = hash(bytes, offset, length);
        int mask = table.length - 1;
        int index = (int) hash & mask;
        while (table[index] != 0) {
            int entry = table[index] - 1;
            if (hashes[entry] == hash && lengths[entry] == length && Arrays.equals(bytes, begins[entry], begins[entry] + length, bytes, offset, offset + length)) {
                ids[row] = entry;
                return;
            }
            index = (index + 1) & mask;
        }
        if (entries == Dictionary.MAX_ENTRIES - 1 || (row >= ROWS_BEFORE_GIVING_UP && entries > row / MIN_ROWS_PER_ENTRY)) {
            built = false;
            return;
        }
        if (entries == hashes.length) {
            grow();
            add(bytes, offset, length, row);
            return;
        }
        hashes[entries] = hash;
        begins[entries] = offset;
        lengths[entries] = length;
        ids[row] = entries;
        entries++;
        table[index] = entries;
    }

    private static long hash(byte[] bytes, int offset, int length)
    {
        if (length > 2 * Long.BYTES) {
            return XxHash64.hash(Slices.wrappedBuffer(bytes, offset, length));
        }
        long hash = length;
        if (length >= Long.BYTES) {
            // overlapping reads cover all bytes
            hash = mix(hash ^ NarrowValues.getLong(bytes, offset));
            hash = mix(hash ^ NarrowValues.getLong(bytes, offset + length - Long.BYTES));
            return hash;
        }
        long word = 0;
        for (int i = 0; i < length; i++) {
            word = (word << Byte.SIZE) | (bytes[offset + i] & 0xFF);
        }
        return mix(hash ^ (word << 3));
    }

    private static long mix(long value)
    {
        long mixed = value * 0x9E37_79B9_7F4A_7C15L;
        return mixed ^ (mixed >>> 32);
    }

    private void grow()
    {
        allocate(2 * hashes.length);
        int[] newTable = new int[2 * hashes.length];
        int mask = newTable.length - 1;
        for (int entry = 0; entry < entries; entry++) {
            int index = (int) hashes[entry] & mask;
            while (newTable[index] != 0) {
                index = (index + 1) & mask;
            }
            newTable[index] = entry + 1;
        }
        table = newTable;
    }

    private void allocate(int capacity)
    {
        hashes = Arrays.copyOf(hashes, capacity);
        begins = Arrays.copyOf(begins, capacity);
        lengths = Arrays.copyOf(lengths, capacity);
    }

    /**
     * Returns whether the dictionary encoding takes substantially fewer bytes than the values themselves.
     *
     * @param rows number of rows
     * @param size size of all values in bytes
     */
    boolean isSmaller(int rows, long size)
    {
        long dictionary = (long) entries * Short.BYTES;
        for (int entry = 0; entry < entries; entry++) {
            dictionary += lengths[entry];
        }
        // without a dictionary, each value takes at least one more byte for its length
        return 4 * (dictionary + (long) rows * idWidth()) <= 3 * (size + rows);
    }

    // The id that equals the number of entries represents null.
    private int idWidth()
    {
        return entries <= 0xFF ? 1 : 2;
    }

    /**
     * Writes the entries in the order of their type, and changes the ids accordingly.
     *
     * @param bytes array that contains the values of all rows
     */
    Dictionary write(byte[] bytes, OrderKeys orderKeys, int rows, ChunkOutput output)
            throws IOException
    {
        EntryOrder order = EntryOrder.of(entries, orderKeys, () -> block(bytes));
        order.renumber(ids, rows);
        int[] offsets = new int[entries + 1];
        for (int place = 0; place < entries; place++) {
            offsets[place + 1] = offsets[place] + lengths[order.entries()[place]];
        }
        RunEncoding.Bytes encoding = BytesEncoder.lengths(offsets, 0, entries);
        int header = BytesEncoder.valuesOffset(encoding, entries);
        int size = Math.addExact(header, offsets[entries]);
        byte[] buffer = output.buffer(size);
        BytesEncoder.writeLengths(encoding, offsets, 0, entries, buffer, 0);
        for (int place = 0; place < entries; place++) {
            int entry = order.entries()[place];
            System.arraycopy(bytes, begins[entry], buffer, header + offsets[place], lengths[entry]);
        }
        return new Dictionary(entries, order.sorted(), encoding, output.write(size));
    }

    private VariableWidthBlock block(byte[] bytes)
    {
        int[] offsets = new int[entries + 1];
        for (int entry = 0; entry < entries; entry++) {
            offsets[entry + 1] = offsets[entry] + lengths[entry];
        }
        byte[] values = new byte[offsets[entries]];
        for (int entry = 0; entry < entries; entry++) {
            System.arraycopy(bytes, begins[entry], values, offsets[entry], lengths[entry]);
        }
        return new VariableWidthBlock(entries, Slices.wrappedBuffer(values), offsets, Optional.empty());
    }

    Run writeRun(int run, int rows, int nulls, ChunkOutput output)
            throws IOException
    {
        return IdEncoder.writeRun(ids, run * Run.MAX_ROWS, Segment.runRows(rows, run), entries, nulls, output);
    }

    long retainedSize()
    {
        return (long) Integer.BYTES * (ids.length + 2L * begins.length + table.length) + (long) Long.BYTES * hashes.length;
    }
}
