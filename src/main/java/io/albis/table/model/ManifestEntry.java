package io.albis.table.model;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.google.common.collect.ImmutableList;
import io.albis.format.metadata.StatisticsDomains;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.statistics.ColumnStatistics;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_EMPTY;
import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Collections.binarySearch;
import static java.util.Objects.requireNonNull;

/**
 * A reference from a version to one of its manifests.
 *
 * @param id id of the manifest, which is the name of the file {@code manifests/<id>} and is repeated in its header
 * @param length length of the file in bytes, positive
 * @param rowGroups number of its row groups that belong to the version, positive
 * @param rows total number of rows in these row groups, including deleted rows
 * @param liveRows total number of rows that are not deleted
 * @param bytes total size of these row groups on storage, in bytes
 * @param addedVersions versions that added its row groups. An entry of the manifest without a version was added by the
 *         last of them, which is the first version that refers to the manifest
 * @param bounds bounds of columns over these row groups; a file may omit them
 * @param sketchManifest manifest that contains the sketches of its row groups; empty if this one does
 * @param removed indexes of those entries of the manifest that do not belong to the version, ascending. They were
 *         dropped, or moved to another manifest because some of their rows were deleted
 */
public record ManifestEntry(
        UUID id,
        long length,
        int rowGroups,
        long rows,
        long liveRows,
        long bytes,
        VersionRange addedVersions,
        ManifestBounds bounds,
        Optional<UUID> sketchManifest,
        @JsonInclude(NON_EMPTY) List<Integer> removed)
{
    public ManifestEntry
    {
        requireNonNull(id, "id is null");
        checkArgument(length > 0, "length is not positive: %s", length);
        checkArgument(rowGroups > 0, "rowGroups is not positive: %s", rowGroups);
        checkArgument(rows >= 0, "rows is negative: %s", rows);
        checkArgument(liveRows >= 0 && liveRows <= rows, "liveRows is not between 0 and %s: %s", rows, liveRows);
        checkArgument(bytes >= 0, "bytes is negative: %s", bytes);
        requireNonNull(addedVersions, "addedVersions is null");
        bounds = bounds == null ? ManifestBounds.NONE : bounds;
        for (ColumnStatistics column : bounds.columns()) {
            // Otherwise the manifest would be pruned as if all its rows were null
            checkArgument(column.nullCount() <= rows, "column %s of a manifest with %s rows has %s nulls", column.columnId(), rows, column.nullCount());
        }
        requireNonNull(sketchManifest, "sketchManifest is null");
        removed = removed == null ? ImmutableList.of() : ImmutableList.copyOf(removed);
        checkArgument(removed.size() <= Integer.MAX_VALUE - rowGroups, "too many entries are removed: %s", removed.size());
        int previous = -1;
        for (int index : removed) {
            checkArgument(index > previous && index < rowGroups + removed.size(), "index of a removed entry is not between %s and %s: %s", previous + 1, rowGroups + removed.size() - 1, index);
            previous = index;
        }
    }

    /**
     * Checks that the sums of the rows and of the bytes of a version do not overflow.
     */
    static void checkSums(List<ManifestEntry> manifests)
    {
        long rows = 0;
        long bytes = 0;
        for (ManifestEntry manifest : manifests) {
            checkArgument(manifest.rows() <= Long.MAX_VALUE - rows && manifest.bytes() <= Long.MAX_VALUE - bytes, "the manifests have more rows or bytes than a table can have");
            rows += manifest.rows();
            bytes += manifest.bytes();
        }
    }

    /**
     * Returns the number of entries in the file, including removed ones.
     */
    public int entries()
    {
        return rowGroups + removed.size();
    }

    /**
     * Returns whether an entry of the file does not belong to the version.
     */
    public boolean isRemoved(int index)
    {
        return binarySearch(removed, index) >= 0;
    }

    /**
     * Returns whether only a reader that knows about deleted rows can read the manifest.
     */
    public boolean requiresRowDeletes()
    {
        return liveRows < rows || !removed.isEmpty();
    }

    public ManifestEntry withBounds(ManifestBounds bounds)
    {
        return new ManifestEntry(id, length, rowGroups, rows, liveRows, bytes, addedVersions, bounds, sketchManifest, removed);
    }

    public ManifestEntry withSketchManifest(UUID sketchManifest)
    {
        return new ManifestEntry(id, length, rowGroups, rows, liveRows, bytes, addedVersions, bounds, Optional.of(sketchManifest), removed);
    }

    /**
     * Returns the id of the manifest with the sketches of the row groups.
     */
    public UUID sketchId()
    {
        return sketchManifest.orElse(id);
    }

    /**
     * Returns whether a row of the manifest may match a predicate.
     *
     * @throws java.io.UncheckedIOException with an {@link io.albis.format.io.AlbisDataException} as its cause if the
     *         bounds are not valid for the type of their column
     */
    public boolean overlaps(TupleDomain<AlbisColumn> predicate)
    {
        if (predicate.isNone()) {
            return false;
        }
        for (Map.Entry<AlbisColumn, Domain> column : predicate.getDomains().orElseThrow().entrySet()) {
            Optional<ColumnStatistics> statistics = statistics(column.getKey());
            if (statistics.isPresent() && !StatisticsDomains.overlaps(statistics.get(), rows, column.getValue())) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns whether all rows of the manifest match a predicate, according to its bounds.
     *
     * @throws java.io.UncheckedIOException as {@link #overlaps} does
     */
    public boolean isWithin(TupleDomain<AlbisColumn> predicate)
    {
        if (predicate.isNone()) {
            return false;
        }
        for (Map.Entry<AlbisColumn, Domain> column : predicate.getDomains().orElseThrow().entrySet()) {
            Optional<ColumnStatistics> statistics = statistics(column.getKey());
            if (statistics.isEmpty() ? !column.getValue().isAll() : !StatisticsDomains.containsAll(statistics.get(), rows, column.getValue())) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns the statistics of a column or of a part of one over all row groups, including those that do not store it;
     * empty if they are unknown. The bounds may be wider than the values if entries are removed.
     */
    public Optional<ColumnStatistics> statistics(AlbisColumn column)
    {
        return StatisticsDomains.statistics(column, bounds.find(column.id()), rows);
    }
}
