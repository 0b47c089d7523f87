package io.albis.format.type;

import com.google.common.collect.ImmutableList;
import io.trino.spi.type.RowType;
import io.trino.spi.type.Type;

import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/**
 * A type with the ids of the nodes below it.
 */
public record FieldTree(Type type, FieldIds fields)
{
    /**
     * A field of a row, the elements of an array, or the keys or values of a map.
     *
     * @param name empty if it has none, as all except fields of rows
     */
    public record Field(int id, Optional<String> name, FieldTree tree)
    {
        public Field
        {
            requireNonNull(name, "name is null");
            requireNonNull(tree, "tree is null");
        }

        public Field withName(String name)
        {
            return new Field(id, Optional.of(name), tree);
        }

        public Field withTree(FieldTree tree)
        {
            return new Field(id, name, tree);
        }
    }

    public FieldTree
    {
        requireNonNull(type, "type is null");
        fields.check(type);
    }

    /**
     * Returns the tree of a type whose fields have never changed.
     */
    public static FieldTree of(Type type)
    {
        return new FieldTree(type, FieldIds.of(type));
    }

    /**
     * Returns the nodes directly below the type; none for a scalar type.
     */
    public List<Field> children()
    {
        List<Type> types = NestedTypes.children(type);
        ImmutableList.Builder<Field> children = ImmutableList.builderWithExpectedSize(types.size());
        for (int child = 0; child < types.size(); child++) {
            Optional<String> name = type instanceof RowType row ? row.getFields().get(child).getName() : Optional.empty();
            children.add(new Field(fields.id(type, child), name, new FieldTree(types.get(child), fields.below(type, child))));
        }
        return children.build();
    }

    /**
     * Returns the tree of the same kind with other nodes directly below the type.
     *
     * @param children at least one field for a row; one for an array, and two for a map
     */
    public FieldTree withChildren(List<Field> children)
    {
        NestedKind kind = NestedKind.of(type).orElseThrow();
        checkArgument(kind.hasChildren(children.size()), "a type of kind %s cannot have %s children", kind, children.size());
        List<RowType.Field> rowFields = children.stream()
                .map(child -> new RowType.Field(child.name(), child.tree().type()))
                .collect(toImmutableList());
        ImmutableList.Builder<Integer> ids = ImmutableList.builder();
        for (Field child : children) {
            ids.add(child.id());
            ids.addAll(child.tree().fields().ids());
        }
        return new FieldTree(NestedTypeNames.create(kind, rowFields), new FieldIds(ids.build()));
    }

    /**
     * Changes a part of the type.
     *
     * @param path ids of the nodes from the type downward to the part; empty for the type itself
     * @return empty if there is no such part
     */
    public Optional<FieldTree> change(List<Integer> path, UnaryOperator<FieldTree> change)
    {
        if (path.isEmpty()) {
            return Optional.of(change.apply(this));
        }
        ImmutableList.Builder<Field> changed = ImmutableList.builder();
        boolean found = false;
        for (Field child : children()) {
            if (child.id() != path.getFirst()) {
                changed.add(child);
                continue;
            }
            Optional<FieldTree> tree = child.tree().change(path.subList(1, path.size()), change);
            if (tree.isEmpty()) {
                return Optional.empty();
            }
            found = true;
            changed.add(child.withTree(tree.get()));
        }
        return found ? Optional.of(withChildren(changed.build())) : Optional.empty();
    }
}
