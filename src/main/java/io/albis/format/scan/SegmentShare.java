package io.albis.format.scan;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * A part of the segments of a row group: of {@code count} parts of about the same size, the one at {@code index}.
 */
public record SegmentShare(int index, int count)
{
    public static final SegmentShare ALL = new SegmentShare(0, 1);

    public SegmentShare
    {
        checkArgument(count > 0 && index >= 0 && index < count, "share %s of %s", index, count);
    }

    int begin(int segments)
    {
        return (int) ((long) segments * index / count);
    }

    int end(int segments)
    {
        return (int) ((long) segments * (index + 1) / count);
    }
}
