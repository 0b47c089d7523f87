package io.albis.table.manifest;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.Slices;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.table.model.ManifestBounds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.format.statistics.ValueOrder.UNORDERED;
import static io.trino.spi.type.BigintType.BIGINT;
import static org.assertj.core.api.Assertions.assertThat;

final class TestPieceSummary
{
    private static final int ROWS = 100;

    /**
     * Each row group has its own columns, with statistics of some of them in any order.
     */
    @Test
    void testBounds()
    {
        List<AlbisColumn> columns = columns(5);
        ManifestBounds bounds = summarize(
                columns,
                // a query uses the first statistics of a column, and column 9 was dropped
                rowGroup(ImmutableList.of(3, 1, 9, 2, 4), statistics(3, 30, 31), statistics(9, 0, 1), statistics(1, 10, 11), statistics(1, -5, 500), statistics(2, 20, 21)),
                rowGroup(ImmutableList.of(1, 2, 3, 4), statistics(2, 22, 23), statistics(4, 40, 41), statistics(1, 8, 9), statistics(3, 5, 6)),
                rowGroup(ImmutableList.of(4, 3, 2), statistics(3, 7, 40), statistics(4, 42, 43), statistics(2, 0, 1)));
        assertThat(bounds).isEqualTo(ManifestBounds.of(ImmutableList.of(
                new ColumnStatistics(1, ROWS, UNORDERED, bytes(8), bytes(11)),
                new ColumnStatistics(2, 0, UNORDERED, bytes(0), bytes(23)),
                new ColumnStatistics(3, 0, UNORDERED, bytes(5), bytes(40)),
                // nothing is known about column 4 in the first row group, and no row group stores column 5
                new ColumnStatistics(5, 3 * ROWS, UNORDERED, Optional.empty(), Optional.empty()))));
    }

    /**
     * Merging the bounds takes time with the number of columns. With the square of it, this test would take minutes.
     */
    @Test
    @Timeout(60)
    void testManyColumns()
    {
        List<AlbisColumn> columns = columns(400_000);
        List<Integer> stored = IntStream.rangeClosed(1, columns.size() / 2).boxed().collect(toImmutableList());
        RowGroup rowGroup = rowGroup(stored, stored.stream().map(id -> statistics(id, id, id)).toArray(ColumnStatistics[]::new));
        ManifestBounds bounds = summarize(columns, rowGroup, rowGroup);
        assertThat(bounds.columns()).hasSameSizeAs(columns);
    }

    private static ManifestBounds summarize(List<AlbisColumn> columns, RowGroup... rowGroups)
    {
        PieceSummary summary = new PieceSummary(columns);
        for (RowGroup rowGroup : rowGroups) {
            summary.add(rowGroup);
        }
        return summary.finish(Slices.EMPTY_SLICE).bounds();
    }

    private static List<AlbisColumn> columns(int count)
    {
        return IntStream.rangeClosed(1, count)
                .mapToObj(id -> AlbisColumn.make(id, "column" + id, BIGINT))
                .collect(toImmutableList());
    }

    private static RowGroup rowGroup(List<Integer> columnIds, ColumnStatistics... statistics)
    {
        return new RowGroup(UUID.randomUUID(), ROWS, ImmutableList.of(new ColumnGroupInstance(UUID.randomUUID(), columnIds, 100, 50)), ImmutableList.copyOf(statistics));
    }

    private static ColumnStatistics statistics(int columnId, long min, long max)
    {
        return new ColumnStatistics(columnId, 0, UNORDERED, bytes(min), bytes(max)).withBoundsType("bigint");
    }

    private static Optional<byte[]> bytes(long value)
    {
        return Optional.of(ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array());
    }
}
