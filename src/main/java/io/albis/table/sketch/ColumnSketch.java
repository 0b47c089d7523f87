package io.albis.table.sketch;

import io.airlift.slice.Slice;
import io.airlift.stats.cardinality.HyperLogLog;

import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;
import static io.airlift.slice.SizeOf.instanceSize;
import static java.util.Objects.requireNonNull;

/**
 * How many different values a column has, about, in a form that can be merged with others.
 *
 * @param values how many there are that are not null
 * @param bytes of all values of variable width; else 0
 * @param distinct a HyperLogLog of {@link #BUCKETS} buckets
 */
public record ColumnSketch(int columnId, long values, long bytes, Slice distinct)
{
    private static final int INSTANCE_SIZE = instanceSize(ColumnSketch.class);

    static final int INDEX_BITS = 11;
    /**
     * The standard error is 1.04 divided by the root of this, which is 2.3 %.
     */
    static final int BUCKETS = 1 << INDEX_BITS;

    /**
     * @throws IllegalArgumentException or IndexOutOfBoundsException if this is no sketch
     */
    public ColumnSketch
    {
        checkArgument(values >= 0, "values is negative: %s", values);
        checkArgument(bytes >= 0, "bytes is negative: %s", bytes);
        requireNonNull(distinct, "distinct is null");
        HyperLogLogFormat.check(distinct);
    }

    /**
     * Of no value.
     */
    static ColumnSketch empty(int columnId)
    {
        return new ColumnSketch(columnId, 0, 0, HyperLogLog.newInstance(BUCKETS).serialize());
    }

    /**
     * Bytes of memory.
     */
    long retainedSize()
    {
        return INSTANCE_SIZE + distinct.getRetainedSize();
    }

    /**
     * @param sketches of one column, at least one
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
            checkArgument(sketch.columnId == first.columnId, "sketches of two columns: %s, %s", first.columnId, sketch.columnId);
            values += sketch.values;
            bytes += sketch.bytes;
            distinct.mergeWith(HyperLogLog.newInstance(sketch.distinct));
        }
        return new ColumnSketch(first.columnId, values, bytes, distinct.serialize());
    }

    /**
     * An estimate, never more than there are values.
     */
    public long distinctValues()
    {
        return Math.clamp(HyperLogLog.newInstance(distinct).cardinality(), Math.min(values, 1), values);
    }
}
