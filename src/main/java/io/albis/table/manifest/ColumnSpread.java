package io.albis.table.manifest;

import com.google.common.collect.ImmutableList;
import io.albis.format.metadata.StatisticsDomains;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.table.model.ManifestEntry;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.ValueSet;

import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import static java.util.Comparator.comparingInt;

/**
 * How well the bounds of a column distinguish the manifests of a version.
 *
 * @param bytes size of the bounds of the column in all manifests
 * @param ranges number of ranges that remain if overlapping ranges are combined
 */
record ColumnSpread(int columnId, long bytes, int ranges)
{
    private static final int FIXED_SIZE = Integer.BYTES + Long.BYTES + 2;

    /**
     * Returns the columns that have bounds. Those that distinguish the manifests best come first, and columns that
     * distinguish them equally well are in the given order.
     */
    static List<ColumnSpread> rank(List<AlbisColumn> columns, List<ManifestEntry> manifests)
    {
        ImmutableList.Builder<ColumnSpread> spreads = ImmutableList.builder();
        for (AlbisColumn column : columns) {
            spreads.add(of(column, manifests));
        }
        return ImmutableList.sortedCopyOf(comparingInt(ColumnSpread::ranges).reversed(), spreads.build());
    }

    private static ColumnSpread of(AlbisColumn column, List<ManifestEntry> manifests)
    {
        long bytes = 0;
        List<Range> ranges = new ArrayList<>();
        for (ManifestEntry manifest : manifests) {
            Optional<ColumnStatistics> bounds = manifest.bounds().find(column.id());
            if (bounds.isPresent()) {
                bytes += FIXED_SIZE + size(bounds.get().min()) + size(bounds.get().max());
                range(column, bounds.get(), manifest.rows()).ifPresent(ranges::add);
            }
        }
        return new ColumnSpread(column.id(), bytes, ranges.isEmpty() ? 0 : ValueSet.copyOfRanges(column.type(), ranges).getRanges().getRangeCount());
    }

    private static Optional<Range> range(AlbisColumn column, ColumnStatistics bounds, long rows)
    {
        Domain domain;
        try {
            domain = StatisticsDomains.toDomain(bounds, column.type(), rows);
        }
        catch (UncheckedIOException _) {
            // A damaged bound, which a query reports when it uses it
            return Optional.empty();
        }
        if (!column.type().isOrderable() || domain.getValues().isNone() || domain.getValues().isAll()) {
            return Optional.empty();
        }
        return Optional.of(domain.getValues().getRanges().getSpan());
    }

    private static int size(Optional<byte[]> bound)
    {
        return bound.map(bytes -> Short.BYTES + bytes.length).orElse(0);
    }
}
