package io.albis.format.index;

import io.airlift.slice.Slice;
import io.airlift.slice.SliceOutput;
import org.roaringbitmap.RoaringBitmap;

import java.io.IOException;
import java.nio.ByteBuffer;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * The positions of the rows of a value: a list of integers, or a Roaring bitmap if it is smaller. A bitmap never has
 * the length of the list, so the length tells which one it is.
 */
final class Postings
{
    private Postings() {}

    /**
     * Writes positions.
     *
     * @return number of bytes
     */
    static int write(int[] positions, int begin, int end, SliceOutput output)
    {
        int count = end - begin;
        if (count > 1) {
            RoaringBitmap bitmap = new RoaringBitmap();
            bitmap.addN(positions, begin, count);
            bitmap.runOptimize();
            int length = bitmap.serializedSizeInBytes();
            if (length < listLength(count)) {
                byte[] bytes = new byte[length];
                bitmap.serialize(ByteBuffer.wrap(bytes));
                output.writeBytes(bytes);
                return length;
            }
        }
        for (int i = begin; i < end; i++) {
            output.writeInt(positions[i]);
        }
        return (int) listLength(count);
    }

    private static long listLength(int count)
    {
        return (long) count * Integer.BYTES;
    }

    /**
     * Adds positions to a bitmap.
     *
     * @param count number of positions
     * @param rows number of rows of the row group
     * @throws IllegalArgumentException or IndexOutOfBoundsException if the bytes are damaged
     */
    static void addTo(RoaringBitmap target, Slice bytes, int count, long rows)
    {
        if (bytes.length() == listLength(count)) {
            for (int i = 0; i < count; i++) {
                int position = bytes.getInt(i * Integer.BYTES);
                checkArgument(position >= 0 && position < rows, "a value has the position %s of a row group with %s rows", position, rows);
                target.add(position);
            }
            return;
        }
        RoaringBitmap bitmap = new RoaringBitmap();
        try {
            bitmap.deserialize(ByteBuffer.wrap(bytes.byteArray(), bytes.byteArrayOffset(), bytes.length()));
        }
        catch (IOException | RuntimeException e) {
            // the library reports invalid bytes with many kinds of exceptions
            throw new IllegalArgumentException("the bitmap of a value is invalid", e);
        }
        checkArgument(BitmapCheck.isValid(bitmap) && bitmap.getLongCardinality() == count, "the bitmap of a value is invalid");
        checkArgument(count > 0 && Integer.toUnsignedLong(bitmap.last()) < rows, "a value has a position after the %s rows of the row group", rows);
        target.or(bitmap);
    }
}
