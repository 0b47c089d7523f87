package io.albis.format.scan;

import io.albis.format.column.ColumnReader;
import io.albis.format.metadata.StatisticsDomains;
import io.albis.format.schema.AlbisColumn;
import io.trino.spi.predicate.Domain;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import static java.util.Comparator.comparing;
import static java.util.Objects.requireNonNull;

/**
 * An order in which a scan reads the segments of a row group: that of the bounds of a column.
 *
 * @param column a column of the projection, or a part of one
 * @param bounds compares segments by the values that they may have
 */
public record SegmentOrder(AlbisColumn column, Comparator<Domain> bounds)
{
    public SegmentOrder
    {
        requireNonNull(column, "column is null");
        requireNonNull(bounds, "bounds is null");
    }

    private record Part(int segment, Domain values) {}

    /**
     * Returns the indexes of segments in this order.
     *
     * @param segmentRows the number of rows of each segment
     */
    int[] order(ColumnReader reader, int[] segmentRows, int begin, int end)
            throws IOException
    {
        List<Part> parts = new ArrayList<>();
        for (int segment = begin; segment < end; segment++) {
            try {
                parts.add(new Part(segment, values(reader, segment, segmentRows[segment])));
            }
            catch (UncheckedIOException e) {
                throw reader.invalid(segment, e.getCause());
            }
        }
        parts.sort(comparing(Part::values, bounds));
        int[] segments = new int[parts.size()];
        for (int i = 0; i < segments.length; i++) {
            segments[i] = parts.get(i).segment();
        }
        return segments;
    }

    private Domain values(ColumnReader reader, int segment, int rows)
            throws IOException
    {
        if (column.container().isPresent()) {
            return StatisticsDomains.ofElements(reader.statistics(segment), column.type(), rows);
        }
        return StatisticsDomains.toDomain(reader.statistics(segment), column.type(), rows);
    }
}
