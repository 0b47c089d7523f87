package io.albis.table.sketch;

import io.airlift.slice.Slice;
import io.airlift.stats.cardinality.HyperLogLog;

import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.math.LongMath.saturatedAdd;
import static io.airlift.slice.SizeOf.instanceSize;
import static java.util.Objects.requireNonNull;

/**
 * A mergeable summary of the values of a column, which estimates the number of distinct values.
 *
 * @param columnId id of the column
 * @param values number of values that are not null
 * @param bytes total size of the values in bytes if the type has variable width, else 0
 * @param distinct HyperLogLog with {@link #BUCKETS} buckets in the serialized form of the library, or in that of
 *         {@link ShortRegisters}, which is much shorter in memory too
 */
public record ColumnSketch(int columnId, long values, long bytes, Slice distinct)
{
    private static final int INSTANCE_SIZE = instanceSize(ColumnSketch.class);

    static final int INDEX_BITS = 11;
    /**
     * The number of buckets. The standard error is 1.04 divided by the square root of this number, which is 2.3 %.
     */
    static final int BUCKETS = 1 << INDEX_BITS;

    /**
     * Validates the sketch.
     *
     * @throws IllegalArgumentException or IndexOutOfBoundsException if the sketch is not valid
     */
    public ColumnSketch
    {
        checkArgument(values >= 0, "values is negative: %s", values);
        checkArgument(bytes >= 0, "bytes is negative: %s", bytes);
        requireNonNull(distinct, "distinct is null");
        HyperLogLogFormat.check(distinct);
    }

    /**
     * Returns the sketch of a column without values.
     */
    static ColumnSketch empty(int columnId)
    {
        return new ColumnSketch(columnId, 0, 0, HyperLogLog.newInstance(BUCKETS).serialize());
    }

    /**
     * Returns the size in memory, in bytes.
     */
    long retainedSize()
    {
        return INSTANCE_SIZE + distinct.getRetainedSize();
    }

    /**
     * Merges sketches of the same column.
     *
     * @param sketches at least one sketch
     * @throws IllegalArgumentException if the sketches have different column ids
     */
    public static ColumnSketch merge(List<ColumnSketch> sketches)
    {
        ColumnSketch first = sketches.getFirst();
        if (sketches.size() == 1) {
            return first;
        }
        long values = 0;
        long bytes = 0;
        HyperLogLog distinct = HyperLogLog.newInstance(BUCKETS);
        for (ColumnSketch sketch : sketches) {
            checkArgument(sketch.columnId == first.columnId, "sketches of different columns: %s, %s", first.columnId, sketch.columnId);
            // Sketches are not checked against the rows, so damaged ones may have any sum
            values = saturatedAdd(values, sketch.values);
            bytes = saturatedAdd(bytes, sketch.bytes);
            distinct.mergeWith(HyperLogLogFormat.toHyperLogLog(sketch.distinct));
        }
        return new ColumnSketch(first.columnId, values, bytes, ShortRegisters.shorten(distinct.serialize()));
    }

    /**
     * Returns the same sketch of another number of values with the same average size.
     */
    ColumnSketch withValues(long newValues)
    {
        long newBytes = values == 0 ? 0 : Math.round((double) bytes / values * newValues);
        return new ColumnSketch(columnId, newValues, newBytes, distinct);
    }

    /**
     * Returns the estimated number of distinct values, which is at most the number of values.
     */
    public long distinctValues()
    {
        return Math.clamp(HyperLogLogFormat.toHyperLogLog(distinct).cardinality(), Math.min(values, 1), values);
    }
}
