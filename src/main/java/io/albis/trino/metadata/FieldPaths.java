package io.albis.trino.metadata;

import com.google.common.collect.ImmutableList;
import io.albis.format.type.FieldTree;
import io.albis.format.type.FieldTree.Field;
import io.albis.format.type.NestedKind;
import io.albis.table.model.TableColumn;
import io.trino.spi.TrinoException;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.spi.StandardErrorCode.AMBIGUOUS_NAME;
import static io.trino.spi.StandardErrorCode.COLUMN_NOT_FOUND;

/**
 * Resolves the names of fields in ALTER TABLE. The elements of an array have the name {@code element}, and the keys and
 * values of a map {@code key} and {@code value}.
 */
final class FieldPaths
{
    private static final List<String> ARRAY_PARTS = ImmutableList.of("element");
    private static final List<String> MAP_PARTS = ImmutableList.of("key", "value");

    private FieldPaths() {}

    /**
     * Returns the ids of the nodes that lead from a column to a part of it.
     *
     * @param names the names, without that of the column
     */
    static List<Integer> resolve(TableColumn column, List<String> names)
    {
        FieldTree tree = new FieldTree(column.type(), column.fields());
        ImmutableList.Builder<Integer> path = ImmutableList.builder();
        for (String name : names) {
            Field field = child(tree, name);
            path.add(field.id());
            tree = field.tree();
        }
        return path.build();
    }

    private static Field child(FieldTree tree, String name)
    {
        Optional<NestedKind> kind = NestedKind.of(tree.type());
        if (kind.isEmpty()) {
            throw missing(tree, name);
        }
        return switch (kind.get()) {
            case ROW -> field(tree, name);
            case ARRAY -> part(tree, ARRAY_PARTS, name);
            case MAP -> part(tree, MAP_PARTS, name);
        };
    }

    private static Field part(FieldTree tree, List<String> parts, String name)
    {
        int index = parts.indexOf(name);
        if (index < 0) {
            throw missing(tree, name);
        }
        return tree.children().get(index);
    }

    private static Field field(FieldTree tree, String name)
    {
        List<Field> candidates = filter(tree, name::equals);
        if (candidates.isEmpty()) {
            candidates = filter(tree, name::equalsIgnoreCase);
        }
        if (candidates.isEmpty()) {
            throw missing(tree, name);
        }
        if (candidates.size() > 1) {
            throw new TrinoException(AMBIGUOUS_NAME, "Several fields of %s have the name '%s'".formatted(tree.type().getDisplayName(), name));
        }
        return candidates.getFirst();
    }

    private static List<Field> filter(FieldTree tree, Predicate<String> name)
    {
        return tree.children().stream()
                .filter(field -> field.name().filter(name).isPresent())
                .collect(toImmutableList());
    }

    private static TrinoException missing(FieldTree tree, String name)
    {
        return new TrinoException(COLUMN_NOT_FOUND, "Type %s has no field '%s'".formatted(tree.type().getDisplayName(), name));
    }
}
