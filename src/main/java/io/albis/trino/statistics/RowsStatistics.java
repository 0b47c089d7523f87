package io.albis.trino.statistics;

import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.table.model.ManifestEntry;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * Rows with common statistics: those of a row group, or of all row groups of a manifest.
 */
sealed interface RowsStatistics
{
    /**
     * Returns the number of rows that the statistics describe, including deleted rows.
     */
    long rows();

    /**
     * Returns the number of rows that are not deleted. It includes those of the row groups that a sampled one stands
     * for.
     */
    double liveRows();

    /**
     * Returns the statistics of a column or of a part of it, if they are known.
     */
    Optional<ColumnStatistics> find(AlbisColumn column);

    /**
     * Returns the statistics of all columns for which they are known.
     */
    List<ColumnStatistics> columns();

    /**
     * Returns the ids of the columns that these rows store. The others have their initial value in all rows.
     */
    Set<Integer> storedColumns();

    /**
     * The statistics of a row group.
     *
     * @param weight number of row groups that it stands for in a sample, at least 1
     */
    record OfRowGroup(RowGroup rowGroup, double weight)
            implements RowsStatistics
    {
        public OfRowGroup
        {
            requireNonNull(rowGroup, "rowGroup is null");
            checkArgument(weight >= 1, "weight is less than 1: %s", weight);
        }

        @Override
        public long rows()
        {
            return rowGroup.rows();
        }

        @Override
        public double liveRows()
        {
            return weight * rowGroup.liveRows();
        }

        @Override
        public Optional<ColumnStatistics> find(AlbisColumn column)
        {
            return rowGroup.statistics(column);
        }

        @Override
        public List<ColumnStatistics> columns()
        {
            return rowGroup.statistics();
        }

        @Override
        public Set<Integer> storedColumns()
        {
            return new HashSet<>(rowGroup.columnIds());
        }
    }

    /**
     * The bounds of a manifest in the version. They cover row groups that do not store a column.
     *
     * @param storedColumns ids of all columns of the table, which all have bounds in the manifest
     */
    record OfManifest(ManifestEntry manifest, Set<Integer> storedColumns)
            implements RowsStatistics
    {
        public OfManifest
        {
            requireNonNull(manifest, "manifest is null");
            requireNonNull(storedColumns, "storedColumns is null");
        }

        @Override
        public long rows()
        {
            return manifest.rows();
        }

        @Override
        public double liveRows()
        {
            return manifest.liveRows();
        }

        @Override
        public Optional<ColumnStatistics> find(AlbisColumn column)
        {
            return manifest.statistics(column);
        }

        @Override
        public List<ColumnStatistics> columns()
        {
            return manifest.bounds().columns();
        }
    }
}
