package io.albis.table.alter;

import com.google.common.collect.ImmutableList;
import io.albis.format.type.FieldTree;
import io.albis.format.type.FieldTree.Field;
import io.albis.format.type.NestedKind;
import io.albis.format.type.Widening;
import io.albis.table.model.TableException;
import io.trino.spi.type.Type;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;
import java.util.function.Predicate;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.table.model.TableException.Reason.ALREADY_EXISTS;
import static java.util.Objects.requireNonNull;

/**
 * Gives nested types other fields. Scalar types become wider ones. A field of a row keeps the values of the field that
 * had its name, and one with a new name is new. If no field has a name, they keep their positions.
 */
final class FieldTypes
{
    private final IntSupplier newIds;

    /**
     * @param newIds supplies ids that no field of the column has ever had
     */
    FieldTypes(IntSupplier newIds)
    {
        this.newIds = requireNonNull(newIds, "newIds is null");
    }

    /**
     * Returns the ids of another type.
     *
     * @return empty if values of the earlier type cannot be read as the other one
     */
    Optional<FieldTree> change(FieldTree from, Type to)
    {
        if (from.type().equals(to)) {
            return Optional.of(from);
        }
        Optional<NestedKind> kind = NestedKind.of(to);
        if (!NestedKind.of(from.type()).equals(kind)) {
            return Optional.empty();
        }
        if (kind.isEmpty()) {
            return Widening.find(from.type(), to).map(_ -> FieldTree.of(to));
        }
        List<Field> children = FieldTree.of(to).children();
        return (kind.get() == NestedKind.ROW ? changeFields(from.children(), children) : changeParts(from.children(), children))
                // the types of maps have the operators of the engine
                .map(changed -> new FieldTree(to, from.withChildren(changed).fields()));
    }

    private Optional<List<Field>> changeParts(List<Field> from, List<Field> to)
    {
        ImmutableList.Builder<Field> changed = ImmutableList.builder();
        for (int part = 0; part < from.size(); part++) {
            Optional<FieldTree> tree = change(from.get(part).tree(), to.get(part).tree().type());
            if (tree.isEmpty()) {
                return Optional.empty();
            }
            changed.add(from.get(part).withTree(tree.get()));
        }
        return Optional.of(changed.build());
    }

    private Optional<List<Field>> changeFields(List<Field> from, List<Field> to)
    {
        boolean named = from.stream().allMatch(field -> field.name().isPresent()) && to.stream().allMatch(field -> field.name().isPresent());
        if (!named && !(from.stream().allMatch(field -> field.name().isEmpty()) && to.stream().allMatch(field -> field.name().isEmpty()))) {
            return Optional.empty();
        }
        checkNames(from, to);
        List<Field> left = new ArrayList<>(from);
        ImmutableList.Builder<Field> changed = ImmutableList.builder();
        for (Field field : to) {
            List<Field> candidates = named ? withName(left, field.name().orElseThrow()) : left.stream().limit(1).collect(toImmutableList());
            if (candidates.size() > 1) {
                return Optional.empty();
            }
            if (candidates.isEmpty()) {
                changed.add(new Field(newIds.getAsInt(), field.name(), field.tree()));
                continue;
            }
            Field earlier = candidates.getFirst();
            left.remove(earlier);
            Optional<FieldTree> tree = change(earlier.tree(), field.tree().type());
            if (tree.isEmpty()) {
                return Optional.empty();
            }
            changed.add(new Field(earlier.id(), field.name(), tree.get()));
        }
        return Optional.of(changed.build());
    }

    /**
     * Checks that no field gets a name that differs from that of another field of the row only in case.
     */
    private static void checkNames(List<Field> from, List<Field> to)
    {
        List<String> earlier = names(from);
        List<String> names = names(to);
        for (int index = 0; index < names.size(); index++) {
            String name = names.get(index);
            for (String other : names.subList(0, index)) {
                // a row may have had both names when the table was created
                boolean hadBoth = !name.equals(other) && earlier.contains(name) && earlier.contains(other);
                if (name.equalsIgnoreCase(other) && !hadBoth) {
                    throw new TableException(ALREADY_EXISTS, "A row cannot have the fields '%s' and '%s', whose names differ at most in case", other, name);
                }
            }
        }
    }

    private static List<String> names(List<Field> fields)
    {
        return fields.stream()
                .flatMap(field -> field.name().stream())
                .collect(toImmutableList());
    }

    private static List<Field> withName(List<Field> fields, String name)
    {
        List<Field> same = filter(fields, name::equals);
        return same.isEmpty() ? filter(fields, name::equalsIgnoreCase) : same;
    }

    private static List<Field> filter(List<Field> fields, Predicate<String> name)
    {
        return fields.stream()
                .filter(field -> name.test(field.name().orElseThrow()))
                .collect(toImmutableList());
    }
}
