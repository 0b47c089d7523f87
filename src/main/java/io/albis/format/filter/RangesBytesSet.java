package io.albis.format.filter;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.Slice;
import io.trino.spi.predicate.Range;

import java.util.List;
import java.util.Optional;

import static io.airlift.slice.SizeOf.estimatedSizeOf;
import static io.airlift.slice.SizeOf.instanceSize;
import static io.trino.spi.type.Chars.compareChars;

/**
 * A set of byte strings in one or more ranges, which are found by binary search.
 */
final class RangesBytesSet
        implements BytesSet
{
    // excludes the bytes of the bounds, which the domain retains
    private static final int RANGE_SIZE = instanceSize(Range.class) + 2 * (instanceSize(Optional.class) + instanceSize(Slice.class));

    private final List<Range> ranges;
    private final boolean padded;
    private final long retainedSize;

    /**
     * Creates the set of the byte strings in the ranges.
     *
     * @param ranges non-overlapping ranges in ascending order
     * @param padded whether values compare as if padded with spaces
     */
    RangesBytesSet(List<Range> ranges, boolean padded)
    {
        this.ranges = ImmutableList.copyOf(ranges);
        this.padded = padded;
        this.retainedSize = estimatedSizeOf(this.ranges, _ -> RANGE_SIZE);
    }

    @Override
    public boolean contains(Slice slice, int offset, int length)
    {
        int begin = 0;
        int end = ranges.size();
        while (begin < end) {
            int middle = (begin + end) >>> 1;
            if (isBelow(slice, offset, length, ranges.get(middle))) {
                end = middle;
            }
            else {
                begin = middle + 1;
            }
        }
        return begin > 0 && !isAbove(slice, offset, length, ranges.get(begin - 1));
    }

    private boolean isBelow(Slice slice, int offset, int length, Range range)
    {
        if (range.isLowUnbounded()) {
            return false;
        }
        int comparison = compare(slice, offset, length, (Slice) range.getLowBoundedValue());
        return comparison < 0 || (comparison == 0 && !range.isLowInclusive());
    }

    private boolean isAbove(Slice slice, int offset, int length, Range range)
    {
        if (range.isHighUnbounded()) {
            return false;
        }
        int comparison = compare(slice, offset, length, (Slice) range.getHighBoundedValue());
        return comparison > 0 || (comparison == 0 && !range.isHighInclusive());
    }

    private int compare(Slice slice, int offset, int length, Slice bound)
    {
        return padded ? compareChars(slice.slice(offset, length), bound) : slice.compareTo(offset, length, bound, 0, bound.length());
    }

    @Override
    public long retainedSize()
    {
        return retainedSize;
    }
}
