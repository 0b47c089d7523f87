package io.albis.table.alter;

import com.google.common.collect.ImmutableList;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.schema.InitialValue;
import io.albis.format.type.NestedTypes;
import io.albis.format.type.Widening;
import io.albis.table.model.IndexedColumns;
import io.albis.table.model.PartitionFields;
import io.albis.table.model.SortColumns;
import io.albis.table.model.TableColumn;
import io.albis.table.model.TableColumnGroup;
import io.albis.table.model.TableException;
import io.albis.table.model.TableVersion;
import io.trino.spi.type.Type;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.table.model.TableException.Reason.ALREADY_EXISTS;
import static io.albis.table.model.TableException.Reason.CONFLICT;
import static io.albis.table.model.TableException.Reason.NOT_SUPPORTED;
import static java.util.Objects.requireNonNull;

/**
 * A change of the columns of a table. Files of row groups are neither read nor written: a row group keeps the columns
 * and types with which it was written, and a reader converts them to those of the version that it reads.
 */
public sealed interface SchemaChange
        extends Change
        permits FieldChange,
                SchemaChange.AddColumn,
                SchemaChange.DropColumn,
                SchemaChange.DropNotNull,
                SchemaChange.RenameColumn,
                SchemaChange.SetDefault,
                SchemaChange.SetType
{
    /**
     * Adds a column. It gets an id that no column of the table has ever had.
     * <p>
     * If all columns are in one column group, it joins that group. New row groups then have as many files as before,
     * and an update that fills the column in others writes a column group of its own there. If the table has several
     * groups, it gets a group of its own, with the layout of the group before it.
     *
     * @param initial value of the column in rows that exist already; empty for null
     * @param place where to add the column; its id does not matter
     * @param apart whether it gets a group of its own in a table with a single column, whose grouping is not known
     */
    record AddColumn(String name, Type type, boolean nullable, Optional<String> comment, Optional<String> defaultValue, Optional<InitialValue> initial, ColumnPlace place, boolean apart)
            implements SchemaChange
    {
        // Readers repeat the value for each row. Stored values as long as this end a run or a segment
        private static final int MAX_INITIAL_LENGTH = 1024;

        public AddColumn
        {
            requireNonNull(name, "name is null");
            requireNonNull(type, "type is null");
            requireNonNull(comment, "comment is null");
            requireNonNull(defaultValue, "defaultValue is null");
            requireNonNull(initial, "initial is null");
            requireNonNull(place, "place is null");
        }

        @Override
        public TableVersion apply(TableVersion version)
        {
            checkName(version, name);
            // Deleted rows are in row groups, too, and nobody reads them
            boolean hasRows = !version.manifests().isEmpty();
            if (hasRows && !nullable && initial.isEmpty()) {
                throw new TableException(NOT_SUPPORTED, "Column '%s' cannot be NOT NULL without a default value, because the table has rows. Add the column with a DEFAULT that is not null", name);
            }
            if (hasRows) {
                checkInitialLength();
            }
            TableColumn column = new TableColumn(version.lastColumnId() + 1, name, type, nullable, comment, defaultValue, hasRows ? initial : Optional.empty());
            List<TableColumn> columns = new ArrayList<>(version.columns());
            int index = place.index(columns);
            columns.add(index, column);
            Optional<Integer> previous = index == 0 ? Optional.empty() : Optional.of(columns.get(index - 1).id());
            return version.withColumns(columns, columnGroups(version, column.id(), previous));
        }

        private List<TableColumnGroup> columnGroups(TableVersion version, int columnId, Optional<Integer> previous)
        {
            List<TableColumnGroup> columnGroups = new ArrayList<>(version.columnGroups());
            if (columnGroups.size() == 1 && (version.columns().size() > 1 || !apart)) {
                return ImmutableList.of(columnGroups.getFirst().with(columnId, previous));
            }
            int groupIndex = previous.map(id -> indexOfGroup(columnGroups, id) + 1).orElse(0);
            AlbisLayout layout = columnGroups.get(Math.max(groupIndex - 1, 0)).layout();
            columnGroups.add(groupIndex, new TableColumnGroup(layout, ImmutableList.of(columnId)));
            return columnGroups;
        }

        private void checkInitialLength()
        {
            int length = initial.map(value -> value.bytes().length()).orElse(0);
            if (length > MAX_INITIAL_LENGTH) {
                throw new TableException(NOT_SUPPORTED, "The default value of column '%s' has %s bytes, and existing rows can have one of at most %s bytes. Add the column without a default value, update its rows, and then set the default value", name, length, MAX_INITIAL_LENGTH);
            }
        }

        private static int indexOfGroup(List<TableColumnGroup> columnGroups, int columnId)
        {
            int index = 0;
            while (!columnGroups.get(index).columns().contains(columnId)) {
                index++;
            }
            return index;
        }
    }

    /**
     * Removes a column. Row groups may continue to store it, and nobody reads it any more.
     */
    record DropColumn(int columnId)
            implements SchemaChange
    {
        @Override
        public TableVersion apply(TableVersion version)
        {
            TableColumn dropped = find(version, columnId);
            if (SortColumns.contains(version.properties(), columnId)) {
                throw new TableException(NOT_SUPPORTED, "Column '%s' cannot be dropped, because new rows are sorted by it. Change the table property sorted_by first", dropped.name());
            }
            if (PartitionFields.contains(version.properties(), columnId)) {
                throw new TableException(NOT_SUPPORTED, "Column '%s' cannot be dropped, because new rows are partitioned by it. Change the table property partitioned_by first", dropped.name());
            }
            if (IndexedColumns.of(version.properties()).contains(columnId)) {
                throw new TableException(NOT_SUPPORTED, "Column '%s' cannot be dropped, because it has an index. Change the table property indexed_by first", dropped.name());
            }
            if (version.columns().size() == 1) {
                throw new TableException(NOT_SUPPORTED, "The only column of a table cannot be dropped");
            }
            return version.withColumns(
                    version.columns().stream()
                            .filter(column -> column.id() != columnId)
                            .collect(toImmutableList()),
                    version.columnGroups().stream()
                            .map(group -> group.without(columnId))
                            .flatMap(Optional::stream)
                            .collect(toImmutableList()));
        }
    }

    record RenameColumn(int columnId, String name)
            implements SchemaChange
    {
        public RenameColumn
        {
            requireNonNull(name, "name is null");
        }

        @Override
        public TableVersion apply(TableVersion version)
        {
            if (!find(version, columnId).name().equals(name)) {
                checkName(version, name);
            }
            return update(version, columnId, column -> column.withName(name));
        }
    }

    /**
     * Gives a column a wider type, or a nested column other fields. Row groups may continue to store the earlier type.
     */
    record SetType(int columnId, Type type)
            implements SchemaChange
    {
        public SetType
        {
            requireNonNull(type, "type is null");
        }

        @Override
        public TableVersion apply(TableVersion version)
        {
            if (NestedTypes.isNested(find(version, columnId).type())) {
                return new FieldChange.SetFieldType(columnId, ImmutableList.of(), type).apply(version);
            }
            return update(version, columnId, this::widen);
        }

        private TableColumn widen(TableColumn column)
        {
            if (column.type().equals(type)) {
                return column;
            }
            Widening widening = Widening.find(column.type(), type)
                    .orElseThrow(() -> new TableException(NOT_SUPPORTED, "The type of column '%s' cannot be changed from %s to %s. Only changes that need no rewriting of values are supported: to a wider integer type, from real to double, and to a greater precision or length", column.name(), column.type().getDisplayName(), type.getDisplayName()));
            return column.widen(widening);
        }
    }

    /**
     * Allows nulls in a column.
     */
    record DropNotNull(int columnId)
            implements SchemaChange
    {
        @Override
        public TableVersion apply(TableVersion version)
        {
            return update(version, columnId, column -> column.withNullable(true));
        }
    }

    /**
     * Sets or removes the value that INSERT writes into a column that it does not name. Rows that exist do not change.
     *
     * @param type type of the column, to which the engine can coerce the value
     * @param defaultValue literal of SQL; empty for null
     */
    record SetDefault(int columnId, Type type, Optional<String> defaultValue)
            implements SchemaChange
    {
        public SetDefault
        {
            requireNonNull(type, "type is null");
            requireNonNull(defaultValue, "defaultValue is null");
        }

        @Override
        public TableVersion apply(TableVersion version)
        {
            return update(version, columnId, this::change);
        }

        private TableColumn change(TableColumn column)
        {
            if (defaultValue.isPresent() && !column.type().equals(type)) {
                throw new TableException(CONFLICT, "Another transaction changed the type of column '%s' to %s. Retry the statement", column.name(), column.type().getDisplayName());
            }
            return column.withDefaultValue(defaultValue);
        }
    }

    /**
     * The place of a new column in the order of the columns.
     *
     * @param afterColumnId id of the column before it, {@link #FIRST}, or {@link #LAST}
     */
    record ColumnPlace(int afterColumnId)
    {
        private static final int FIRST = 0;
        private static final int LAST = -1;

        public ColumnPlace
        {
            checkArgument(afterColumnId >= LAST, "afterColumnId is not valid: %s", afterColumnId);
        }

        public static ColumnPlace first()
        {
            return new ColumnPlace(FIRST);
        }

        public static ColumnPlace last()
        {
            return new ColumnPlace(LAST);
        }

        private int index(List<TableColumn> columns)
        {
            if (afterColumnId == FIRST) {
                return 0;
            }
            if (afterColumnId == LAST) {
                return columns.size();
            }
            for (int i = 0; i < columns.size(); i++) {
                if (columns.get(i).id() == afterColumnId) {
                    return i + 1;
                }
            }
            throw missing(afterColumnId);
        }
    }

    /**
     * Returns a version in which one column is changed.
     *
     * @throws TableException CONFLICT if the version does not have the column
     */
    static TableVersion update(TableVersion version, int columnId, UnaryOperator<TableColumn> change)
    {
        find(version, columnId);
        return version.withColumns(version.columns().stream()
                .map(column -> column.id() == columnId ? change.apply(column) : column)
                .collect(toImmutableList()));
    }

    /**
     * Returns a column of a version.
     *
     * @throws TableException CONFLICT if the version does not have the column
     */
    static TableColumn find(TableVersion version, int columnId)
    {
        return version.columns().stream()
                .filter(column -> column.id() == columnId)
                .findFirst()
                .orElseThrow(() -> missing(columnId));
    }

    private static TableException missing(int columnId)
    {
        return new TableException(CONFLICT, "The column with id %s no longer exists in the table", columnId);
    }

    private static void checkName(TableVersion version, String name)
    {
        if (version.columns().stream().anyMatch(column -> column.name().equals(name))) {
            throw new TableException(ALREADY_EXISTS, "The table already has a column '%s'", name);
        }
    }
}
