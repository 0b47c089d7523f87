package io.albis.table.sketch;

import io.airlift.slice.Slice;
import io.airlift.slice.XxHash64;
import io.albis.format.type.OrderKeys;
import io.trino.spi.block.Bitmap;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.block.VariableWidthBlock;
import jakarta.annotation.Nullable;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

import static com.google.common.base.Preconditions.checkArgument;
import static io.airlift.slice.SizeOf.sizeOf;
import static java.lang.Math.clamp;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * Computes the hashes of a batch of values of a column. Values that are equal according to their type have the same
 * hash. The hash function is part of the format, because sketches of different writers are merged.
 */
final class HashBatch
{
    /**
     * The maximum number of values in a batch, chosen so that the hashes fit into the L1 cache.
     */
    static final int CAPACITY = 1024;

    private static final int BITS_PER_WORD_SHIFT = 6;
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, LITTLE_ENDIAN);

    private final long[] hashes = new long[CAPACITY];
    private final long[] low = new long[CAPACITY];
    private int size;
    private long valueBytes;

    /**
     * Replaces the batch with the hashes of those values of a range that are not null.
     *
     * @param offset first position of the range
     * @param count number of positions, at most {@link #CAPACITY}
     */
    void fill(OrderKeys orderKeys, ValueBlock block, int offset, int count)
    {
        checkArgument(count <= CAPACITY, "too many values: %s", count);
        if (!orderKeys.hasKeys()) {
            fillBytes((VariableWidthBlock) block, offset, count, orderKeys.isPadded());
            return;
        }
        orderKeys.extract(block, offset, count, hashes, low);
        size = count;
        valueBytes = 0;
        block.getValidityBitmap().ifPresent(validity -> removeNulls(validity, offset, count, orderKeys.isWide()));
        if (orderKeys.isWide()) {
            for (int i = 0; i < size; i++) {
                hashes[i] = mix(hashes[i], low[i]);
            }
        }
        else {
            for (int i = 0; i < size; i++) {
                hashes[i] = mix(hashes[i]);
            }
        }
    }

    // Without a branch, because nulls are not predictable
    private void removeNulls(Bitmap validity, int offset, int count, boolean wide)
    {
        long[] words = validity.getRawWords();
        int firstBit = validity.getRawBitOffset() + offset;
        int kept = 0;
        for (int i = 0; i < count; i++) {
            int bit = firstBit + i;
            hashes[kept] = hashes[i];
            if (wide) {
                low[kept] = low[i];
            }
            kept += (int) (words[bit >>> BITS_PER_WORD_SHIFT] >>> bit) & 1;
        }
        size = kept;
    }

    private void fillBytes(VariableWidthBlock block, int offset, int count, boolean padded)
    {
        Slice slice = block.getRawSlice();
        byte[] bytes = slice.byteArray();
        int base = slice.byteArrayOffset();
        int[] offsets = block.getRawOffsets();
        int first = block.getRawArrayBase() + offset;
        @Nullable long[] validity = block.getRawValueIsValid();
        long valueBytes = 0;
        int kept = 0;
        for (int i = first; i < first + count; i++) {
            if (validity != null && !Bitmap.isSet(validity, 0, i)) {
                continue;
            }
            int start = base + offsets[i];
            int end = base + offsets[i + 1];
            valueBytes += end - start;
            while (padded && end > start && bytes[end - 1] == ' ') {
                end--;
            }
            hashes[kept] = hash(bytes, start, end - start);
            kept++;
        }
        size = kept;
        this.valueBytes = valueBytes;
    }

    // XXH64 is fast for many bytes, but most texts are short
    private static long hash(byte[] bytes, int start, int length)
    {
        if (length > 2 * Long.BYTES) {
            return XxHash64.hash(bytes, start, length);
        }
        if (start + 2 * Long.BYTES > bytes.length) {
            // Too close to the end of the array to read two words
            bytes = Arrays.copyOfRange(bytes, start, start + 2 * Long.BYTES);
            start = 0;
        }
        long first = word(bytes, start, length);
        long second = word(bytes, start + Long.BYTES, length - Long.BYTES);
        return mix(mix(mix(length) ^ first) ^ second);
    }

    /**
     * Reads a word of which only the first bytes are significant.
     *
     * @param length number of significant bytes, clamped to 0 to 8; the others are set to zero
     */
    private static long word(byte[] bytes, int start, int length)
    {
        // Without a branch, because lengths are not predictable. Java has no shift by 64, so this shifts twice
        int halfBits = clamp(length, 0, Long.BYTES) * (Byte.SIZE / 2);
        return (long) LONG.get(bytes, start) & ~((-1L << halfBits) << halfBits);
    }

    private static long mix(long high, long low)
    {
        return mix(mix(high) ^ low);
    }

    /**
     * Applies the finalizer of SplitMix64. Each bit of the key changes about half of the bits of the hash.
     */
    static long mix(long key)
    {
        long hash = key + 0x9E3779B97F4A7C15L;
        hash = (hash ^ (hash >>> 30)) * 0xBF58476D1CE4E5B9L;
        hash = (hash ^ (hash >>> 27)) * 0x94D049BB133111EBL;
        return hash ^ (hash >>> 31);
    }

    /**
     * Returns the hashes. Only the first {@link #size} elements are valid.
     */
    long[] hashes()
    {
        return hashes;
    }

    int size()
    {
        return size;
    }

    /**
     * Returns the total size of the values in bytes if the type has variable width, else 0.
     */
    long valueBytes()
    {
        return valueBytes;
    }

    long retainedSize()
    {
        return sizeOf(hashes) + sizeOf(low);
    }
}
