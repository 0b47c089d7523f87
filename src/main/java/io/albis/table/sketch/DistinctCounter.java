package io.albis.table.sketch;

import io.airlift.stats.cardinality.HyperLogLog;
import jakarta.annotation.Nullable;

import static io.airlift.slice.SizeOf.sizeOf;
import static io.albis.table.sketch.ColumnSketch.BUCKETS;
import static io.albis.table.sketch.ColumnSketch.INDEX_BITS;

/**
 * Counts distinct hashes in a loop that is fast enough for every value that is written. It keeps a small number of
 * hashes in a hash set, and a larger number in the registers of a HyperLogLog, with one byte for each register. At the
 * end it converts either of them to the HyperLogLog that is stored.
 */
final class DistinctCounter
{
    // About the number of hashes from which on a sparse HyperLogLog takes more space than a dense one
    private static final int MAX_SET_SIZE = 256;
    private static final int MIN_SET_CAPACITY = 64;
    // High enough that nearly every value is in its first slot: a mispredicted branch costs more than a hash
    private static final int SLOTS_PER_VALUE = 8;
    // The bit after the end of a hash that was shifted by its index, which limits the number of leading zeros
    private static final long END = 1L << (INDEX_BITS - 1);
    static final int MAX_REGISTER = Long.SIZE - INDEX_BITS + 1;

    // 0 marks a free slot, so the hash 0 cannot be in the set
    @Nullable
    private long[] set = new long[MIN_SET_CAPACITY];
    private int setSize;
    @Nullable
    private byte[] registers;

    /**
     * Adds the first {@code count} hashes.
     */
    void add(long[] hashes, int count)
    {
        int added = 0;
        if (registers == null) {
            added = addToSet(hashes, count);
        }
        if (added < count) {
            addToRegisters(registers, hashes, added, count);
        }
    }

    /**
     * Adds hashes to the set.
     *
     * @return number of hashes added before the set was converted to registers, at most {@code count}
     */
    private int addToSet(long[] hashes, int count)
    {
        long[] slots = set;
        int mask = slots.length - 1;
        for (int i = 0; i < count; i++) {
            long hash = hashes[i];
            if (hash == 0) {
                setToRegisters();
                return i;
            }
            int slot = (int) hash & mask;
            while (slots[slot] != hash && slots[slot] != 0) {
                slot = (slot + 1) & mask;
            }
            if (slots[slot] == 0) {
                slots[slot] = hash;
                setSize++;
                if (setSize > MAX_SET_SIZE) {
                    setToRegisters();
                    return i + 1;
                }
                if (setSize * SLOTS_PER_VALUE > slots.length) {
                    grow();
                    slots = set;
                    mask = slots.length - 1;
                }
            }
        }
        return count;
    }

    private void grow()
    {
        long[] old = set;
        set = new long[2 * old.length];
        int mask = set.length - 1;
        for (long hash : old) {
            if (hash != 0) {
                int slot = (int) hash & mask;
                while (set[slot] != 0) {
                    slot = (slot + 1) & mask;
                }
                set[slot] = hash;
            }
        }
    }

    private void setToRegisters()
    {
        registers = new byte[BUCKETS];
        for (long hash : set) {
            if (hash != 0) {
                addToRegisters(registers, new long[] {hash}, 0, 1);
            }
        }
        set = null;
    }

    private static void addToRegisters(byte[] registers, long[] hashes, int start, int end)
    {
        for (int i = start; i < end; i++) {
            long hash = hashes[i];
            int bucket = (int) (hash >>> (Long.SIZE - INDEX_BITS));
            byte value = (byte) (Long.numberOfLeadingZeros((hash << INDEX_BITS) | END) + 1);
            // Rarely true after many hashes, so the branch is predictable
            if (value > registers[bucket]) {
                registers[bucket] = value;
            }
        }
    }

    HyperLogLog finish()
    {
        if (registers != null) {
            return toHyperLogLog(registers);
        }
        HyperLogLog result = HyperLogLog.newInstance(BUCKETS);
        for (long hash : set) {
            if (hash != 0) {
                result.addHash(hash);
            }
        }
        return result;
    }

    /**
     * Returns the HyperLogLog with these registers, one for each bucket.
     */
    static HyperLogLog toHyperLogLog(byte[] registers)
    {
        HyperLogLog result = HyperLogLog.newInstance(BUCKETS);
        result.makeDense();
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            int value = registers[bucket];
            if (value > 0) {
                // A hash that leads to this value of the register: the index, zeros, and a one unless the value is the
                // maximum
                long index = (long) bucket << (Long.SIZE - INDEX_BITS);
                long one = value < MAX_REGISTER ? 1L << (MAX_REGISTER - 1 - value) : 0;
                result.addHash(index | one);
            }
        }
        return result;
    }

    long retainedSize()
    {
        return (set == null ? 0 : sizeOf(set)) + (registers == null ? 0 : sizeOf(registers));
    }
}
