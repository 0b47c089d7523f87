package io.albis.table.model;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Maps;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.format.type.Widening;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.table.model.SchemaFeatures.INITIAL_VALUES;
import static io.albis.table.model.SchemaFeatures.WIDENED_COLUMNS;

/**
 * The differences between the columns of two consecutive versions of a table.
 */
final class ColumnChanges
{
    private final Map<Integer, TableColumn> before;
    private final Map<Integer, TableColumn> after;

    ColumnChanges(List<TableColumn> before, List<TableColumn> after)
    {
        this.before = Maps.uniqueIndex(before, TableColumn::id);
        this.after = Maps.uniqueIndex(after, TableColumn::id);
    }

    /**
     * Returns whether rows that a write has prepared for the columns before the change may be wrong after it. Names,
     * comments, default values, and a NOT NULL constraint that is dropped do not matter, because rows refer to columns
     * by their ids.
     */
    boolean matterToWriters()
    {
        if (!before.keySet().equals(after.keySet())) {
            return true;
        }
        for (TableColumn column : after.values()) {
            TableColumn earlier = before.get(column.id());
            if (!earlier.type().equals(column.type()) || !earlier.initial().equals(column.initial()) || (earlier.nullable() && !column.nullable())) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the features that the later version needs because of its columns.
     */
    List<String> features()
    {
        ImmutableList.Builder<String> features = ImmutableList.builder();
        if (after.values().stream().anyMatch(column -> column.initial().isPresent())) {
            features.add(INITIAL_VALUES);
        }
        if (before.values().stream().anyMatch(column -> after.containsKey(column.id()) && hasOtherType(column.id()))) {
            features.add(WIDENED_COLUMNS);
        }
        return features.build();
    }

    private boolean hasOtherType(int columnId)
    {
        return !before.get(columnId).type().equals(after.get(columnId).type());
    }

    /**
     * Returns manifests with bounds of the types of the columns after the change, and without bounds of columns that do
     * not exist any more.
     */
    List<ManifestEntry> apply(List<ManifestEntry> manifests)
    {
        if (before.keySet().stream().allMatch(id -> after.containsKey(id) && !hasOtherType(id))) {
            return manifests;
        }
        return manifests.stream()
                .map(manifest -> manifest.withBounds(apply(manifest.bounds())))
                .collect(toImmutableList());
    }

    private ManifestBounds apply(ManifestBounds bounds)
    {
        return ManifestBounds.of(bounds.columns().stream()
                .map(this::apply)
                .flatMap(Optional::stream)
                .collect(toImmutableList()));
    }

    private Optional<ColumnStatistics> apply(ColumnStatistics bounds)
    {
        TableColumn earlier = before.get(bounds.columnId());
        TableColumn later = after.get(bounds.columnId());
        if (earlier == null || later == null) {
            return Optional.empty();
        }
        if (earlier.type().equals(later.type())) {
            return Optional.of(bounds);
        }
        try {
            return Widening.find(earlier.type(), later.type()).map(bounds::widen);
        }
        catch (IllegalArgumentException _) {
            // A damaged bound. A column without bounds is not pruned
            return Optional.empty();
        }
    }
}
