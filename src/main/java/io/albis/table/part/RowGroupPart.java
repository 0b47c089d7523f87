package io.albis.table.part;

import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.table.partition.RowGroupPredicate;

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
    public boolean overlaps(RowGroupPredicate predicate)
    {
        return predicate.overlaps(rowGroup);
    }

    @Override
    public boolean isWithin(RowGroupPredicate predicate)
    {
        return predicate.containsAll(rowGroup);
    }
}
