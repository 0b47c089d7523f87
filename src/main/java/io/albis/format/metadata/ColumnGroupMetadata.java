package io.albis.format.metadata;

import com.google.common.collect.ImmutableList;
import io.albis.format.AlbisLayout;
import io.albis.format.type.StorageType;

import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * The content of a {@code metadata} file: all that is needed to read the data file beside it. It repeats types, so that
 * the slots of a column that the table has dropped can still be skipped (Albis paper, section 3.4).
 *
 * @param layout how values stand in a run
 * @param columns in the order of their slots
 * @param dataBytes size of the data file
 * @param segments at least one, back to back from the end of the header to the end of the data file
 */
public record ColumnGroupMetadata(AlbisLayout layout, List<StoredColumn> columns, long dataBytes, List<Segment> segments)
{
    /**
     * @param typeId of the Trino type, as in the schema
     */
    public record StoredColumn(int id, StorageType storageType, String typeId)
    {
        public StoredColumn
        {
            requireNonNull(storageType, "storageType is null");
            requireNonNull(typeId, "typeId is null");
        }
    }

    public ColumnGroupMetadata
    {
        requireNonNull(layout, "layout is null");
        columns = ImmutableList.copyOf(columns);
        segments = ImmutableList.copyOf(segments);
        checkArgument(!columns.isEmpty(), "no columns");
        checkArgument(!segments.isEmpty(), "no segments");
        long end = FileFrame.HEADER_SIZE;
        for (Segment segment : segments) {
            checkArgument(segment.offset() == end, "a segment begins at %s, not at %s", segment.offset(), end);
            checkArgument(segment.statistics().size() == columns.size(), "a segment has statistics of %s columns, not of %s", segment.statistics().size(), columns.size());
            end = segment.end();
        }
        checkArgument(end == dataBytes, "the segments end at %s, the data file at %s", end, dataBytes);
    }

    public long rows()
    {
        long rows = 0;
        for (Segment segment : segments) {
            rows += segment.rows();
        }
        return rows;
    }
}
