package io.albis.format.index;

import io.airlift.slice.DynamicSliceOutput;
import io.airlift.slice.Slice;
import io.airlift.slice.SliceOutput;
import io.airlift.slice.Slices;
import io.albis.format.run.ChunkOutput;
import io.albis.format.run.Run;
import io.albis.format.run.StoredBytes;
import io.albis.format.type.OrderKeys;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.type.Type;
import jakarta.annotation.Nullable;
import org.roaringbitmap.RoaringBitmap;

import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * Builds the index of a column while its row group is written, and writes it behind the segments.
 */
public final class ValueListWriter
{
    /**
     * Maximum number of rows of a row group with an index. It limits the memory of a writer, which keeps the values of
     * the whole row group.
     */
    public static final int MAX_ROWS = 1 << 22;

    // The same for values of different lengths
    private static final long MAX_BYTES = 1 << 28;
    // A lookup reads the directory and one page of each range, so both are a few kilobytes
    private static final int PAGE_BYTES = 4096;

    private final OrderKeys orderKeys;
    // null if the row group gets no index
    @Nullable
    private IndexedValues values;
    private final RoaringBitmap nulls = new RoaringBitmap();
    private int position;

    private final SliceOutput directory = new DynamicSliceOutput(64);
    private final SliceOutput pages = new DynamicSliceOutput(64);
    private final SliceOutput postings = new DynamicSliceOutput(64);
    private int pageCount;
    private int pageBegin;
    private int rows;
    private int distinctValues;
    private Slice previous = Slices.EMPTY_SLICE;

    /**
     * Creates an index without values.
     *
     * @throws IllegalArgumentException if {@link #isSupported} is false for the type
     */
    public ValueListWriter(Type type)
    {
        checkArgument(isSupported(type), "type %s cannot be indexed", type.getDisplayName());
        this.orderKeys = OrderKeys.of(type);
        this.values = orderKeys.hasKeys() && !orderKeys.isWide() ? new LongValues(orderKeys) : new BytesValues(orderKeys);
    }

    /**
     * Returns whether a column of a type can have an index.
     */
    public static boolean isSupported(Type type)
    {
        return OrderKeys.of(type).hasOrder();
    }

    /**
     * Adds the next rows.
     */
    public void append(ValueBlock block, int offset, int count)
    {
        if (values == null) {
            return;
        }
        if (block.mayHaveNull()) {
            for (int i = 0; i < count; i++) {
                if (block.isNull(offset + i)) {
                    nulls.add(position + i);
                }
            }
        }
        boolean added = position + count <= MAX_ROWS && values.add(block, offset, count, position);
        position += count;
        if (!added || values.retainedSize() > MAX_BYTES) {
            values = null;
        }
    }

    /**
     * Writes the index of the rows that were added.
     *
     * @return empty if there are too many rows or bytes, or if a value is too long
     */
    public Optional<ValueList> write(ChunkOutput output)
            throws IOException
    {
        if (values == null) {
            return Optional.empty();
        }
        nulls.runOptimize();
        int[] nullPositions = nulls.toArray();
        int nullsLength = Postings.write(nullPositions, 0, nullPositions.length, postings);
        directory.writeInt(0);
        values.finish(this::add);
        Slice finishedDirectory = directory.slice();
        finishedDirectory.setInt(0, pageCount);
        return Optional.of(new ValueList(
                write(finishedDirectory, output),
                write(pages.slice(), output),
                write(postings.slice(), output),
                rows,
                distinctValues,
                nullPositions.length,
                nullsLength));
    }

    private void add(Slice key, int[] positions, int begin, int end)
    {
        int shared = sharedLength(previous, key);
        if (pageCount == 0 || pages.size() - pageBegin >= PAGE_BYTES) {
            pageBegin = pages.size();
            pageCount++;
            // A prefix of a key that is padded with spaces may be greater than the key
            int length = orderKeys.isPadded() ? key.length() : Math.min(shared + 1, key.length());
            directory.writeShort(length);
            directory.writeBytes(key, 0, length);
            directory.writeInt(pageBegin);
            directory.writeInt(postings.size());
            directory.writeInt(rows);
            shared = 0;
        }
        VariableLengthIntegers.write(shared, pages);
        VariableLengthIntegers.write(key.length() - shared, pages);
        pages.writeBytes(key, shared, key.length() - shared);
        int count = end - begin;
        VariableLengthIntegers.write(count, pages);
        int length = Postings.write(positions, begin, end, postings);
        if (count > 1) {
            VariableLengthIntegers.write(length, pages);
        }
        previous = key;
        rows += count;
        distinctValues++;
    }

    private static int sharedLength(Slice left, Slice right)
    {
        int mismatch = Arrays.mismatch(
                left.byteArray(),
                left.byteArrayOffset(),
                left.byteArrayOffset() + left.length(),
                right.byteArray(),
                right.byteArrayOffset(),
                right.byteArrayOffset() + right.length());
        return mismatch < 0 ? left.length() : mismatch;
    }

    private static StoredRange write(Slice content, ChunkOutput output)
            throws IOException
    {
        byte[] padded = Arrays.copyOf(content.getBytes(), Run.padded(content.length()));
        long offset = output.offset();
        StoredBytes stored = output.writePlain(padded, content.length());
        return new StoredRange(offset, stored);
    }

    /**
     * Returns the memory of the values in bytes.
     */
    public long retainedSize()
    {
        return (values == null ? 0 : values.retainedSize()) + nulls.getLongSizeInBytes() + directory.getRetainedSize() + pages.getRetainedSize() + postings.getRetainedSize();
    }
}
