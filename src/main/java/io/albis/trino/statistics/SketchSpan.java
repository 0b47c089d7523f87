package io.albis.trino.statistics;

import io.albis.format.metadata.RowGroup;
import io.albis.format.metadata.StatisticsDomains;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.table.model.ManifestEntry;
import io.albis.trino.handle.AlbisColumnHandle;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.ValueSet;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The range of the values that a sketch counts. The manifests of a commit share a sketch, which a query uses even if it
 * reads only one of them, so the range is that of all these manifests. Their bounds are in the version.
 */
final class SketchSpan
{
    private SketchSpan() {}

    /**
     * Returns the range of the values that a sketch counts.
     *
     * @param sketched manifests whose values the sketch counts
     * @param rowGroups row groups of those manifests that a query reads. Their bounds are used if the version does not
     *         have the bounds of all manifests
     * @return empty if no bounds are known, if there are no values, or if they have no order
     */
    static Optional<Range> of(AlbisColumnHandle column, List<ManifestEntry> sketched, Supplier<List<RowGroup>> rowGroups)
    {
        Optional<Range> span = Optional.empty();
        if (!column.type().isOrderable()) {
            return span;
        }
        if (column.isPart()) {
            // the version has no bounds of fields, and they have no sketch
            return ofRowGroups(column, rowGroups.get());
        }
        for (ManifestEntry manifest : sketched) {
            Optional<ColumnStatistics> bounds = manifest.bounds().find(column.id());
            if (bounds.isEmpty()) {
                return ofRowGroups(column, rowGroups.get());
            }
            if (bounds.get().nullCount() < manifest.rows()) {
                if (!bounds.get().hasBothBounds()) {
                    return ofRowGroups(column, rowGroups.get());
                }
                span = union(span, bounds.get(), column, manifest.rows());
            }
        }
        return span;
    }

    private static Optional<Range> ofRowGroups(AlbisColumnHandle column, List<RowGroup> rowGroups)
    {
        Optional<Range> span = Optional.empty();
        for (RowGroup rowGroup : rowGroups) {
            Optional<ColumnStatistics> statistics = rowGroup.statistics(column.toColumn())
                    .map(found -> found.forType(column.type()));
            if (statistics.isPresent() && statistics.get().hasBothBounds()) {
                span = union(span, statistics.get(), column, rowGroup.rows());
            }
        }
        return span;
    }

    private static Optional<Range> union(Optional<Range> span, ColumnStatistics statistics, AlbisColumnHandle column, long rows)
    {
        ValueSet values = StatisticsDomains.toDomain(statistics, column.type(), rows).getValues();
        if (values.isNone()) {
            return span;
        }
        Range added = values.getRanges().getSpan();
        return Optional.of(span.map(known -> known.span(added)).orElse(added));
    }
}
