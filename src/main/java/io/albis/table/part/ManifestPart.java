package io.albis.table.part;

import io.albis.format.schema.AlbisColumn;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.table.model.ManifestEntry;
import io.albis.table.partition.RowGroupPredicate;

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * The rows of all row groups of a manifest, according to the version that refers to it.
 */
record ManifestPart(ManifestEntry manifest)
        implements TablePart
{
    ManifestPart
    {
        requireNonNull(manifest, "manifest is null");
    }

    @Override
    public int rowGroups()
    {
        return manifest.rowGroups();
    }

    @Override
    public long rows()
    {
        return manifest.rows();
    }

    @Override
    public long liveRows()
    {
        return manifest.liveRows();
    }

    @Override
    public boolean hasDeletedRows()
    {
        return manifest.liveRows() < manifest.rows();
    }

    /**
     * Removed entries may have had the values that are the bounds.
     */
    @Override
    public boolean hasTightBounds()
    {
        return manifest.removed().isEmpty();
    }

    /**
     * The bounds include row groups that do not store the column, and a version does not know which ones these are.
     */
    @Override
    public boolean isMissing(AlbisColumn column)
    {
        return false;
    }

    @Override
    public Optional<ColumnStatistics> statistics(AlbisColumn column)
    {
        return manifest.statistics(column);
    }

    @Override
    public boolean overlaps(RowGroupPredicate predicate)
    {
        return manifest.overlaps(predicate.predicate());
    }

    @Override
    public boolean isWithin(RowGroupPredicate predicate)
    {
        return manifest.isWithin(predicate.predicate());
    }
}
