package io.albis.table.model;

import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Maps;
import io.albis.format.metadata.StoredColumn;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.format.type.NestedTypes;
import io.albis.format.type.Widening;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.Sets.intersection;
import static io.albis.table.model.SchemaFeatures.CHANGED_FIELDS;
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
     * by their ids. A name of a field is a part of the type of its column, which matters.
     */
    boolean matterToWriters()
    {
        if (!before.keySet().equals(after.keySet())) {
            return true;
        }
        for (TableColumn column : after.values()) {
            TableColumn earlier = before.get(column.id());
            if (!earlier.type().equals(column.type()) || !earlier.fields().equals(column.fields()) || !earlier.initial().equals(column.initial()) || (earlier.nullable() && !column.nullable())) {
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
        ImmutableSet.Builder<String> features = ImmutableSet.builder();
        if (after.values().stream().anyMatch(column -> column.initial().isPresent())) {
            features.add(INITIAL_VALUES);
        }
        for (int id : intersection(before.keySet(), after.keySet())) {
            if (hasOtherForm(id)) {
                features.add(NestedTypes.isNested(after.get(id).type()) ? CHANGED_FIELDS : WIDENED_COLUMNS);
            }
        }
        return features.build().asList();
    }

    /**
     * Returns the greatest id of a column, and of a field of a column whose fields change, before or after the change.
     */
    int lastId()
    {
        int last = 0;
        for (TableColumn column : after.values()) {
            last = Math.max(last, column.id());
            TableColumn earlier = before.get(column.id());
            if (earlier != null && !earlier.fields().equals(column.fields())) {
                last = Math.max(last, Math.max(earlier.fields().max(), column.fields().max()));
            }
        }
        return last;
    }

    /**
     * Returns whether row groups store a column in another form after the change. A new name of a field changes the
     * type only.
     */
    private boolean hasOtherForm(int columnId)
    {
        return !storedForm(before.get(columnId)).equals(storedForm(after.get(columnId)));
    }

    private static StoredColumn storedForm(TableColumn column)
    {
        return StoredColumn.of(column.id(), column.type(), column.fields());
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
        // a nested column has no minimum and maximum
        if (earlier.type().equals(later.type()) || NestedTypes.isNested(later.type())) {
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
