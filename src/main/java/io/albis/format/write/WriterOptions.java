package io.albis.format.write;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * How large the parts of a table become.
 *
 * @param rowGroupBytes a row group is closed when the data of its column groups reach this many bytes
 * @param rowGroupRows the most rows of a row group
 * @param segmentBytes a segment is closed before its widest column group passes this many bytes; a larger row gets a
 *         segment of its own. In the block layout this is the size of its widest column
 * @param narrowWidths in the block layout, integers may take fewer bytes than in memory
 * @param dictionaries in the block layout, text of few different values may be stored as numbers
 */
public record WriterOptions(long rowGroupBytes, long rowGroupRows, int segmentBytes, boolean narrowWidths, boolean dictionaries)
{
    public static final long MIN_ROW_GROUP_BYTES = 1 << 12;
    public static final int MIN_SEGMENT_BYTES = 1 << 10;
    public static final int MAX_SEGMENT_BYTES = 1 << 28;

    /**
     * Row groups of 32 MB: some 10 splits for a table of a few hundred MB; segments of 1 MB as in the paper.
     */
    public static final WriterOptions DEFAULTS = new WriterOptions(32L << 20, Long.MAX_VALUE, 1 << 20, true, true);

    public WriterOptions
    {
        checkArgument(rowGroupBytes >= MIN_ROW_GROUP_BYTES, "rowGroupBytes is %s, less than %s", rowGroupBytes, MIN_ROW_GROUP_BYTES);
        checkArgument(rowGroupRows > 0, "rowGroupRows is not positive: %s", rowGroupRows);
        checkArgument(segmentBytes >= MIN_SEGMENT_BYTES && segmentBytes <= MAX_SEGMENT_BYTES, "segmentBytes is %s, not between %s and %s", segmentBytes, MIN_SEGMENT_BYTES, MAX_SEGMENT_BYTES);
    }

    public WriterOptions withRowGroupBytes(long rowGroupBytes)
    {
        return new WriterOptions(rowGroupBytes, rowGroupRows, segmentBytes, narrowWidths, dictionaries);
    }

    public WriterOptions withRowGroupRows(long rowGroupRows)
    {
        return new WriterOptions(rowGroupBytes, rowGroupRows, segmentBytes, narrowWidths, dictionaries);
    }

    public WriterOptions withSegmentBytes(int segmentBytes)
    {
        return new WriterOptions(rowGroupBytes, rowGroupRows, segmentBytes, narrowWidths, dictionaries);
    }

    public WriterOptions withNarrowWidths(boolean narrowWidths)
    {
        return new WriterOptions(rowGroupBytes, rowGroupRows, segmentBytes, narrowWidths, dictionaries);
    }

    public WriterOptions withDictionaries(boolean dictionaries)
    {
        return new WriterOptions(rowGroupBytes, rowGroupRows, segmentBytes, narrowWidths, dictionaries);
    }
}
