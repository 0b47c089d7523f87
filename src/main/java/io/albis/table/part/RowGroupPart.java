package io.albis.table.part;

import io.albis.format.metadata.RowGroup;
import io.albis.format.metadata.StatisticsDomains;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.statistics.ColumnStatistics;
import io.trino.spi.predicate.TupleDomain;

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * The rows of a row group.
 */
record RowGroupPart(RowGroup rowGroup)
        implements TablePart
{
    RowGroupPart
    {
        requireNonNull(rowGroup, "rowGroup is null");
    }

    @Override
    public int rowGroups()
    {
        return 1;
    }

    @Override
    public long rows()
    {
        return rowGroup.rows();
    }

    @Override
    public long liveRows()
    {
        return rowGroup.liveRows();
    }

    @Override
    public boolean hasDeletedRows()
    {
        return rowGroup.deletedRows().isPresent();
    }

    @Override
    public boolean hasTightBounds()
    {
        return true;
    }

    @Override
    public boolean isMissing(AlbisColumn column)
    {
        return rowGroup.columnGroup(column.id()).isEmpty();
    }

    @Override
    public Optional<ColumnStatistics> statistics(AlbisColumn column)
    {
        return rowGroup.statistics(column);
    }

    @Override
    public boolean overlaps(TupleDomain<AlbisColumn> predicate)
    {
        return StatisticsDomains.overlaps(rowGroup, predicate);
    }

    @Override
    public boolean isWithin(TupleDomain<AlbisColumn> predicate)
    {
        return StatisticsDomains.containsAll(rowGroup, predicate);
    }
}
