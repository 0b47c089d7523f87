package io.albis.format.delete;

import org.roaringbitmap.BatchIterator;
import org.roaringbitmap.PeekableIntIterator;
import org.roaringbitmap.RoaringBitmap;

import static com.google.common.base.Preconditions.checkArgument;
import static io.airlift.slice.SizeOf.instanceSize;
import static java.lang.Math.toIntExact;
import static java.util.Objects.requireNonNull;

/**
 * The positions of the deleted rows of one row group. Immutable and thread safe.
 */
public final class DeletedPositions
{
    public static final DeletedPositions NONE = new DeletedPositions(new RoaringBitmap());

    private static final long INSTANCE_SIZE = instanceSize(DeletedPositions.class) + instanceSize(RoaringBitmap.class);
    // an estimate of the objects of one container and of the references to them
    private static final int CONTAINER_SIZE = 64;

    // never changed, and with containers as small as possible, because the format requires that
    private final RoaringBitmap positions;
    private final long cardinality;

    private DeletedPositions(RoaringBitmap positions)
    {
        this.positions = requireNonNull(positions, "positions is null");
        this.cardinality = positions.getLongCardinality();
    }

    /**
     * Returns a set of positions, which are in any order and not negative.
     */
    public static DeletedPositions of(int... positions)
    {
        return ofNew(RoaringBitmap.bitmapOfUnordered(positions));
    }

    /**
     * Returns the positions from {@code begin} to {@code end}, exclusive.
     */
    public static DeletedPositions ofRange(long begin, long end)
    {
        return ofNew(RoaringBitmap.bitmapOfRange(begin, end));
    }

    /**
     * Returns a copy of a bitmap.
     */
    public static DeletedPositions of(RoaringBitmap positions)
    {
        return ofNew(positions.clone());
    }

    /**
     * Wraps a bitmap that nothing else refers to.
     */
    private static DeletedPositions ofNew(RoaringBitmap positions)
    {
        checkArgument(positions.isEmpty() || positions.last() >= 0, "a position exceeds %s", Integer.MAX_VALUE);
        positions.runOptimize();
        return new DeletedPositions(positions);
    }

    /**
     * Wraps a bitmap that nothing else refers to and that was verified.
     */
    static DeletedPositions ofVerified(RoaringBitmap positions)
    {
        return new DeletedPositions(positions);
    }

    /**
     * Returns the positions that are in one of the sets.
     */
    public DeletedPositions union(DeletedPositions other)
    {
        return ofNew(RoaringBitmap.or(positions, other.positions));
    }

    /**
     * Returns these positions, and all positions that are not in a bitmap.
     *
     * @param kept positions, which this method does not change
     * @param rows number of rows of the row group
     */
    public DeletedPositions withoutOthers(RoaringBitmap kept, long rows)
    {
        RoaringBitmap others = RoaringBitmap.flip(kept, 0L, rows);
        others.or(positions);
        return ofNew(others);
    }

    /**
     * Returns the positions that are not in the other set.
     */
    public DeletedPositions minus(DeletedPositions other)
    {
        return ofNew(RoaringBitmap.andNot(positions, other.positions));
    }

    /**
     * Whether a position is in both sets.
     */
    public boolean intersects(DeletedPositions other)
    {
        return RoaringBitmap.intersects(positions, other.positions);
    }

    public boolean contains(int position)
    {
        return positions.contains(position);
    }

    /**
     * Returns the number of positions.
     */
    public long cardinality()
    {
        return cardinality;
    }

    public boolean isEmpty()
    {
        return cardinality == 0;
    }

    /**
     * Whether none of the rows from {@code begin} to {@code end}, exclusive, is deleted.
     */
    public boolean isEmpty(long begin, long end)
    {
        return !positions.intersects(begin, end);
    }

    /**
     * Returns the number of rows from {@code begin} to {@code end}, exclusive, that are deleted.
     */
    public long cardinality(long begin, long end)
    {
        return positions.rangeCardinality(begin, end);
    }

    /**
     * Whether all rows from {@code begin} to {@code end}, exclusive, are deleted.
     */
    public boolean isFull(long begin, long end)
    {
        // not RoaringBitmap.contains(begin, end), which takes a range for contained if the bitmap has no value at all
        // among those with the same 16 high bits as the end of the range
        return cardinality(begin, end) == end - begin;
    }

    /**
     * Selects the rows that are not deleted.
     *
     * @param begin position of the first row
     * @param count number of rows
     * @param rows receives the rows, ascending, relative to the first one
     * @return the number of rows that are not deleted
     */
    public int selectLive(long begin, int count, int[] rows)
    {
        PeekableIntIterator deleted = positions.getIntIterator();
        deleted.advanceIfNeeded(toIntExact(begin));
        int live = 0;
        int row = 0;
        while (row < count) {
            int nextDeleted = deleted.hasNext() ? (int) Math.min(deleted.next() - begin, count) : count;
            int range = nextDeleted - row;
            for (int i = 0; i < range; i++) {
                rows[live + i] = row + i;
            }
            live += range;
            row = nextDeleted + 1;
        }
        return live;
    }

    /**
     * Returns the rows from {@code begin} to {@code begin + count}, exclusive, that are deleted, relative to the first
     * one.
     */
    public int[] deletedRows(long begin, int count)
    {
        int[] rows = new int[toIntExact(cardinality(begin, begin + count))];
        BatchIterator deleted = positions.getBatchIterator();
        deleted.advanceIfNeeded(toIntExact(begin));
        int filled = rows.length == 0 ? 0 : deleted.nextBatch(rows);
        while (filled < rows.length) {
            // a batch ends at the end of a container of the bitmap
            int[] batch = new int[rows.length - filled];
            int size = deleted.nextBatch(batch);
            System.arraycopy(batch, 0, rows, filled, size);
            filled += size;
        }
        for (int i = 0; i < rows.length; i++) {
            rows[i] -= (int) begin;
        }
        return rows;
    }

    /**
     * Removes deleted rows from a list of rows.
     *
     * @param begin position of the row 0
     * @param rows rows relative to the row 0, ascending; those that are not deleted are moved to the front
     * @param count number of rows
     * @return the number of rows that are not deleted
     */
    public int removeFrom(long begin, int[] rows, int count)
    {
        PeekableIntIterator deleted = positions.getIntIterator();
        long nextDeleted = -1;
        int live = 0;
        for (int i = 0; i < count; i++) {
            long position = begin + rows[i];
            if (nextDeleted < position) {
                deleted.advanceIfNeeded(toIntExact(position));
                nextDeleted = deleted.hasNext() ? deleted.next() : Long.MAX_VALUE;
            }
            rows[live] = rows[i];
            live += nextDeleted == position ? 0 : 1;
        }
        return live;
    }

    /**
     * Returns the positions of rows that are not deleted.
     *
     * @param first number of rows before the first row that are not deleted
     * @param count number of rows
     */
    public long[] livePositions(long first, int count)
    {
        long[] live = new long[count];
        long position = livePosition(first);
        PeekableIntIterator deleted = positions.getIntIterator();
        // a position after the last possible one means that no further row is deleted
        long nextDeleted = -1;
        for (int i = 0; i < count; position++) {
            if (nextDeleted < position) {
                deleted.advanceIfNeeded(toIntExact(position));
                nextDeleted = deleted.hasNext() ? deleted.next() : Long.MAX_VALUE;
            }
            if (nextDeleted != position) {
                live[i] = position;
                i++;
            }
        }
        return live;
    }

    private long livePosition(long index)
    {
        // the position is index plus the number of deleted rows before it, which is between 0 and the cardinality
        long low = index;
        long high = index + cardinality;
        while (low < high) {
            long middle = (low + high) >>> 1;
            // number of live rows up to and including the row in the middle
            long live = middle + 1 - positions.rankLong((int) Math.min(middle, Integer.MAX_VALUE));
            if (live > index) {
                high = middle;
            }
            else {
                low = middle + 1;
            }
        }
        return low;
    }

    /**
     * Returns the memory that this set retains in bytes.
     */
    public long retainedSize()
    {
        return INSTANCE_SIZE + positions.getLongSizeInBytes() + (long) positions.getContainerCount() * CONTAINER_SIZE;
    }

    /**
     * Returns the bitmap, which must not be changed.
     */
    RoaringBitmap bitmap()
    {
        return positions;
    }

    @Override
    public boolean equals(Object other)
    {
        return other instanceof DeletedPositions that && positions.equals(that.positions);
    }

    @Override
    public int hashCode()
    {
        return positions.hashCode();
    }

    @Override
    public String toString()
    {
        return "%s deleted rows".formatted(cardinality);
    }
}
