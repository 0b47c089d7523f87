package io.albis.table.alter;

import com.google.common.collect.ImmutableList;
import io.albis.format.type.FieldTree;
import io.albis.format.type.FieldTree.Field;
import io.albis.format.type.NestedKind;
import io.albis.format.type.NestedTypes;
import io.albis.table.model.TableColumn;
import io.albis.table.model.TableException;
import io.albis.table.model.TableVersion;
import io.trino.spi.type.Type;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import java.util.function.UnaryOperator;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.Iterables.getLast;
import static io.albis.table.model.TableException.Reason.ALREADY_EXISTS;
import static io.albis.table.model.TableException.Reason.CONFLICT;
import static io.albis.table.model.TableException.Reason.NOT_SUPPORTED;
import static java.util.Objects.requireNonNull;

/**
 * A change of the fields of rows in a nested column. Row groups keep the fields with which they were written, and a
 * reader finds them by their ids. No field gets a name that differs from that of another field of the row only in case.
 */
public sealed interface FieldChange
        extends SchemaChange
{
    int columnId();

    /**
     * Returns the changed type of the column.
     *
     * @param newIds supplies ids that no field of the column has ever had
     */
    FieldTree change(TableColumn column, FieldTree tree, IntSupplier newIds);

    @Override
    default TableVersion apply(TableVersion version)
    {
        TableColumn column = SchemaChange.find(version, columnId());
        FieldTree tree = new FieldTree(column.type(), column.fields());
        AtomicInteger newIds = new AtomicInteger(Math.max(version.lastColumnId(), tree.fields().max()));
        FieldTree changed = change(column, tree, newIds::incrementAndGet);
        if (!MapKeys.keepFields(tree, changed)) {
            throw new TableException(NOT_SUPPORTED, "The keys of maps in column '%s' cannot get or lose fields, because keys must be unique and contain no nulls. The names and types of their fields can be changed", column.name());
        }
        if (!NestedTypes.isWithinLimits(changed.type())) {
            throw new TableException(NOT_SUPPORTED, "Column '%s' would have a type that consists of %s types in %s levels. At most %s types in %s levels are possible", column.name(), NestedTypes.nodes(changed.type()), NestedTypes.depth(changed.type()), NestedTypes.MAX_NODES, NestedTypes.MAX_DEPTH);
        }
        return SchemaChange.update(version, columnId(), _ -> column.withFields(changed.type(), changed.fields()));
    }

    /**
     * Adds a field after the others of a row. It is null in rows that exist already.
     *
     * @param row ids of the nodes that lead from the column to the row; empty for the column itself
     * @param ignoreExisting whether to do nothing if the row has a field of the name
     */
    record AddField(int columnId, List<Integer> row, String name, Type type, boolean ignoreExisting)
            implements FieldChange
    {
        public AddField
        {
            row = ImmutableList.copyOf(row);
            requireNonNull(name, "name is null");
            requireNonNull(type, "type is null");
        }

        @Override
        public FieldTree change(TableColumn column, FieldTree tree, IntSupplier newIds)
        {
            return changeRow(column, tree, row, fields -> add(fields, newIds));
        }

        private List<Field> add(List<Field> fields, IntSupplier newIds)
        {
            if (ignoreExisting && fields.stream().anyMatch(field -> hasName(field, name))) {
                return fields;
            }
            checkName(fields, name);
            return ImmutableList.<Field>builder()
                    .addAll(fields)
                    .add(new Field(newIds.getAsInt(), Optional.of(name), FieldTree.of(type)))
                    .build();
        }
    }

    /**
     * Removes a field of a row. Row groups may continue to store it, and nobody reads it any more.
     *
     * @param path ids of the nodes that lead from the column to the field
     */
    record DropField(int columnId, List<Integer> path)
            implements FieldChange
    {
        public DropField
        {
            path = ImmutableList.copyOf(path);
            checkArgument(!path.isEmpty(), "path is empty");
        }

        @Override
        public FieldTree change(TableColumn column, FieldTree tree, IntSupplier newIds)
        {
            return changeRow(column, tree, row(path), fields -> {
                List<Field> others = fields.stream()
                        .filter(field -> field.id() != getLast(path))
                        .collect(toImmutableList());
                if (others.size() == fields.size()) {
                    throw missing(column);
                }
                if (others.isEmpty()) {
                    throw new TableException(NOT_SUPPORTED, "The only field of a row in column '%s' cannot be dropped", column.name());
                }
                return others;
            });
        }
    }

    /**
     * Gives a field of a row another name.
     *
     * @param path ids of the nodes that lead from the column to the field
     */
    record RenameField(int columnId, List<Integer> path, String name)
            implements FieldChange
    {
        public RenameField
        {
            path = ImmutableList.copyOf(path);
            checkArgument(!path.isEmpty(), "path is empty");
            requireNonNull(name, "name is null");
        }

        @Override
        public FieldTree change(TableColumn column, FieldTree tree, IntSupplier newIds)
        {
            return changeRow(column, tree, row(path), fields -> rename(column, fields));
        }

        private List<Field> rename(TableColumn column, List<Field> fields)
        {
            Field renamed = fields.stream()
                    .filter(field -> field.id() == getLast(path))
                    .findFirst()
                    .orElseThrow(() -> missing(column));
            checkName(fields.stream().filter(field -> field != renamed).collect(toImmutableList()), name);
            return fields.stream()
                    .map(field -> field == renamed ? field.withName(name) : field)
                    .collect(toImmutableList());
        }
    }

    /**
     * Gives a nested column or a part of it another type; see {@link FieldTypes}.
     *
     * @param path ids of the nodes that lead from the column to the part; empty for the column itself
     */
    record SetFieldType(int columnId, List<Integer> path, Type type)
            implements FieldChange
    {
        public SetFieldType
        {
            path = ImmutableList.copyOf(path);
            requireNonNull(type, "type is null");
        }

        @Override
        public FieldTree change(TableColumn column, FieldTree tree, IntSupplier newIds)
        {
            return tree.change(path, part -> change(column, part, new FieldTypes(newIds)))
                    .orElseThrow(() -> missing(column));
        }

        private FieldTree change(TableColumn column, FieldTree part, FieldTypes types)
        {
            return types.change(part, type)
                    .orElseThrow(() -> new TableException(NOT_SUPPORTED, "The type of %scolumn '%s' cannot be changed from %s to %s. Only changes that need no rewriting of values are supported: to a wider integer type, from real to double, to a greater precision or length, and to other fields of rows", path.isEmpty() ? "" : "a part of ", column.name(), part.type().getDisplayName(), type.getDisplayName()));
        }
    }

    private static List<Integer> row(List<Integer> path)
    {
        return path.subList(0, path.size() - 1);
    }

    private static FieldTree changeRow(TableColumn column, FieldTree tree, List<Integer> row, UnaryOperator<List<Field>> change)
    {
        return tree.change(row, part -> {
            if (NestedKind.of(part.type()).orElse(null) != NestedKind.ROW) {
                throw missing(column);
            }
            return part.withChildren(change.apply(part.children()));
        }).orElseThrow(() -> missing(column));
    }

    private static boolean hasName(Field field, String name)
    {
        return field.name().isPresent() && field.name().get().equalsIgnoreCase(name);
    }

    private static void checkName(List<Field> fields, String name)
    {
        if (fields.stream().anyMatch(field -> hasName(field, name))) {
            throw new TableException(ALREADY_EXISTS, "The row already has a field '%s'", name);
        }
    }

    private static TableException missing(TableColumn column)
    {
        return new TableException(CONFLICT, "Another transaction has changed the fields of column '%s'. Retry the statement", column.name());
    }
}
