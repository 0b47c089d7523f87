package io.albis.table.manifest;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.ImmutableSortedSet;
import io.albis.format.metadata.RowGroup;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.table.model.ManifestBounds;
import io.albis.table.model.ManifestEntry;
import io.albis.table.model.TableRows;
import io.albis.table.sketch.ColumnSketches;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.format.statistics.ValueOrder.UNORDERED;
import static java.util.Objects.requireNonNull;

/**
 * A manifest of which a commit changes or drops entries.
 *
 * @param manifest reference to the manifest
 * @param content all entries of the file, including those that are removed
 * @param changes the entries that replace others, by the indexes of these; empty for a row group that is dropped
 * @param newValues sketches of values in these entries that the sketches of the manifest do not cover
 * @param columnsWithInitialValue ids of columns that are not null in row groups that do not store them
 */
public record ChangedManifest(ManifestEntry manifest, TableRows content, Map<Integer, Optional<RowGroup>> changes, ColumnSketches newValues, Set<Integer> columnsWithInitialValue)
{
    // A manifest with more removed entries than both limits is rewritten
    static final int MIN_REMOVED = 16;
    static final int REMOVED_SHARE = 8;

    public ChangedManifest
    {
        requireNonNull(manifest, "manifest is null");
        requireNonNull(content, "content is null");
        changes = ImmutableSortedMap.copyOf(changes);
        requireNonNull(newValues, "newValues is null");
        columnsWithInitialValue = ImmutableSet.copyOf(columnsWithInitialValue);
        checkArgument(!changes.isEmpty(), "nothing changes");
        checkArgument(changes.keySet().stream().noneMatch(manifest::isRemoved), "a changed entry is removed");
    }

    /**
     * Returns whether all row groups of the manifest are dropped.
     */
    boolean isDropped()
    {
        return changes.size() == manifest.rowGroups() && changes.values().stream().allMatch(Optional::isEmpty);
    }

    /**
     * Returns whether the manifest should be written again instead of being kept with more removed entries.
     *
     * @param rewriteLength length below which a manifest is always written again
     */
    boolean shouldRewrite(long rewriteLength)
    {
        return manifest.length() < rewriteLength ||
                changes.size() == manifest.rowGroups() ||
                manifest.removed().size() + changes.size() > Math.max(MIN_REMOVED, manifest.entries() / REMOVED_SHARE);
    }

    /**
     * Returns the row groups that remain, with the changed entries.
     */
    TableRows rewritten()
    {
        ImmutableList.Builder<RowGroup> remaining = ImmutableList.builder();
        for (int index = 0; index < content.rowGroups().size(); index++) {
            if (!manifest.isRemoved(index)) {
                changes.getOrDefault(index, Optional.of(content.rowGroups().get(index))).ifPresent(remaining::add);
            }
        }
        return new TableRows(remaining.build(), withNewValues(content.sketches())).addedBy(manifest.addedVersions().last());
    }

    /**
     * Returns the changed entries for another manifest. The sketches of this one still cover their values.
     */
    TableRows moved()
    {
        List<RowGroup> moved = changes.values().stream()
                .flatMap(Optional::stream)
                .collect(toImmutableList());
        return new TableRows(moved, withNewValues(content.sketches().withoutValues())).addedBy(manifest.addedVersions().last());
    }

    private ColumnSketches withNewValues(ColumnSketches sketches)
    {
        return sketches.withReplaced(newValues, columnId -> !content.hasColumn(columnId));
    }

    /**
     * Returns a reference to the manifest without the changed entries.
     */
    ManifestEntry reduced()
    {
        long rows = manifest.rows();
        long liveRows = manifest.liveRows();
        long bytes = manifest.bytes();
        for (int index : changes.keySet()) {
            RowGroup rowGroup = content.rowGroups().get(index);
            rows -= rowGroup.rows();
            liveRows -= rowGroup.liveRows();
            bytes -= rowGroup.bytes();
        }
        return new ManifestEntry(
                manifest.id(),
                manifest.length(),
                manifest.rowGroups() - changes.size(),
                rows,
                liveRows,
                bytes,
                manifest.addedVersions(),
                reducedBounds(rows),
                manifest.sketchManifest(),
                ImmutableSortedSet.<Integer>naturalOrder().addAll(manifest.removed()).addAll(changes.keySet()).build().asList());
    }

    /**
     * Returns the bounds with the exact number of nulls. A manifest of which all rows are null is pruned for any value,
     * so the nulls must be those of the remaining rows. The other bounds remain, as they may be wider than necessary.
     */
    private ManifestBounds reducedBounds(long rows)
    {
        ImmutableList.Builder<ColumnStatistics> reduced = ImmutableList.builder();
        for (ColumnStatistics column : manifest.bounds().columns()) {
            OptionalLong nulls = removedNulls(column.columnId());
            long remaining = column.nullCount() - nulls.orElse(0);
            if (nulls.isPresent() && remaining >= 0 && remaining <= rows) {
                reduced.add(new ColumnStatistics(column.columnId(), remaining, UNORDERED, column.min(), column.max()));
            }
        }
        return ManifestBounds.of(reduced.build());
    }

    private OptionalLong removedNulls(int columnId)
    {
        long nulls = 0;
        for (int index : changes.keySet()) {
            RowGroup rowGroup = content.rowGroups().get(index);
            Optional<ColumnStatistics> statistics = rowGroup.statistics(columnId);
            if (statistics.isPresent()) {
                nulls += statistics.get().nullCount();
            }
            else if (!rowGroup.columnIds().contains(columnId)) {
                nulls += columnsWithInitialValue.contains(columnId) ? 0 : rowGroup.rows();
            }
            else {
                return OptionalLong.empty();
            }
        }
        return OptionalLong.of(nulls);
    }
}
