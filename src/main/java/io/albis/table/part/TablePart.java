package io.albis.table.part;

import io.albis.format.metadata.RowGroup;
import io.albis.format.metadata.StatisticsDomains;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.table.model.ManifestEntry;
import io.albis.table.partition.RowGroupPredicate;
import io.trino.spi.predicate.Domain;

import java.util.Optional;

/**
 * What is known about the rows of a part of a table without reading them. The part is a row group, or all row groups of
 * a manifest, which is not read for it. The methods with columns fail with an {@link java.io.UncheckedIOException} if
 * the statistics are damaged.
 */
public sealed interface TablePart
        permits ManifestPart, RowGroupPart
{
    static TablePart of(RowGroup rowGroup)
    {
        return new RowGroupPart(rowGroup);
    }

    static TablePart of(ManifestEntry manifest)
    {
        return new ManifestPart(manifest);
    }

    int rowGroups();

    /**
     * Returns the number of rows that the statistics describe, including deleted ones.
     */
    long rows();

    /**
     * Returns the number of rows that are not deleted.
     */
    long liveRows();

    /**
     * Returns whether the statistics may describe deleted rows.
     */
    boolean hasDeletedRows();

    /**
     * Returns whether each bound that is not truncated is a value of one of the rows, which may be deleted. Otherwise,
     * bounds may be wider.
     */
    boolean hasTightBounds();

    /**
     * Returns whether the column is known to have its initial value in all rows, because they do not store it. The
     * statistics of a part that does not know this include such rows.
     */
    boolean isMissing(AlbisColumn column);

    /**
     * Returns the statistics of a column or of a part of one; empty if they are unknown, or if the column is missing.
     * Their bounds may be those of a narrower type.
     */
    Optional<ColumnStatistics> statistics(AlbisColumn column);

    /**
     * Returns whether a row may match a predicate.
     */
    boolean overlaps(RowGroupPredicate predicate);

    /**
     * Returns whether all rows match a predicate, according to the statistics, and to the partition of a row group.
     */
    boolean isWithin(RowGroupPredicate predicate);

    /**
     * Returns a domain that contains all values of a column, except for NaN. It may also contain other values.
     */
    default Domain values(AlbisColumn column)
    {
        Optional<ColumnStatistics> statistics = isMissing(column) ? Optional.of(ColumnStatistics.ofMissing(column, rows())) : statistics(column);
        return statistics.map(known -> StatisticsDomains.toDomain(known, column.type(), rows()))
                .orElseGet(() -> Domain.all(column.type()));
    }
}
