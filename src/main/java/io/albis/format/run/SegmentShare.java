package io.albis.format.run;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * A share of the segments of a row group, which is divided into shares of about the same size.
 *
 * @param index index of the share
 * @param count number of shares
 */
public record SegmentShare(int index, int count)
{
    public static final SegmentShare ALL = new SegmentShare(0, 1);

    public SegmentShare
    {
        checkArgument(count > 0 && index >= 0 && index < count, "share %s of %s", index, count);
    }

    /**
     * Returns the index of the first segment of the share.
     */
    public int begin(int segments)
    {
        return (int) ((long) segments * index / count);
    }

    /**
     * Returns the index after the last segment of the share.
     */
    public int end(int segments)
    {
        return (int) ((long) segments * (index + 1) / count);
    }
}
