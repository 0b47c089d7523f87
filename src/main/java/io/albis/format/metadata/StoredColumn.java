package io.albis.format.metadata;

import com.google.common.collect.ImmutableList;
import io.albis.format.type.FieldIds;
import io.albis.format.type.NestedKind;
import io.albis.format.type.NestedTypes;
import io.albis.format.type.StorageType;
import io.albis.format.type.Widening;
import io.trino.spi.type.Type;

import java.util.List;
import java.util.Optional;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

/**
 * A column of a column group, or a node below a nested column.
 *
 * @param id id of the column; below a nested column, an id that is unique among the children of its parent
 * @param storageType storage type of the values; for a nested type, of the own values
 * @param typeId id of the Trino type, as in the schema; empty for a nested type
 * @param kind the kind of a nested type; empty for a scalar type
 * @param children the nodes below a nested type
 */
public record StoredColumn(int id, StorageType storageType, String typeId, Optional<NestedKind> kind, List<StoredColumn> children)
{
    public StoredColumn
    {
        requireNonNull(storageType, "storageType is null");
        requireNonNull(typeId, "typeId is null");
        requireNonNull(kind, "kind is null");
        children = ImmutableList.copyOf(children);
    }

    /**
     * Creates a column of a scalar type.
     */
    public StoredColumn(int id, StorageType storageType, String typeId)
    {
        this(id, storageType, typeId, Optional.empty(), ImmutableList.of());
    }

    /**
     * Returns the form in which a column of a type is stored.
     *
     * @param fields ids of the nodes below the type
     */
    public static StoredColumn of(int id, Type type, FieldIds fields)
    {
        Optional<NestedKind> kind = NestedKind.of(type);
        if (kind.isEmpty()) {
            return new StoredColumn(id, StorageType.of(type), type.getTypeId().getId());
        }
        ImmutableList.Builder<StoredColumn> children = ImmutableList.builder();
        List<Type> types = NestedTypes.children(type);
        for (int child = 0; child < types.size(); child++) {
            children.add(of(fields.id(type, child), types.get(child), fields.below(type, child)));
        }
        return new StoredColumn(id, kind.get().storageType(), "", kind, children.build());
    }

    /**
     * Returns the stored type, for error messages.
     */
    public String description()
    {
        if (kind.isEmpty()) {
            return "%s (%s)".formatted(storageType, typeId);
        }
        return children.stream()
                .map(StoredColumn::description)
                .collect(joining(", ", kind.get() + "(", ")"));
    }

    /**
     * Returns whether the elements, keys, and values below this have the ids that they always have. Only a newer
     * version gives others.
     */
    public boolean hasKnownIds()
    {
        for (int child = 0; child < children.size(); child++) {
            boolean known = kind.orElse(null) == NestedKind.ROW || children.get(child).id() == child + 1;
            if (!known || !children.get(child).hasKnownIds()) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns the number of nodes: that of the column and those below it.
     */
    public int nodes()
    {
        int nodes = 1;
        for (StoredColumn child : children) {
            nodes += child.nodes();
        }
        return nodes;
    }

    /**
     * Returns how the values are converted to a wider type than that with which they are stored.
     *
     * @return empty if there is no such conversion, or if the type is not wider
     */
    public Optional<Widening> wideningTo(Type type)
    {
        if (kind.isPresent()) {
            return Optional.empty();
        }
        return Widening.find(typeId, type)
                .filter(widening -> StorageType.of(widening.from()) == storageType);
    }

    /**
     * Returns whether the values have a type. No ids are compared.
     */
    public boolean hasType(Type type)
    {
        List<Type> types = NestedTypes.children(type);
        if (!kind.equals(NestedKind.of(type)) || children.size() != types.size()) {
            return false;
        }
        for (int child = 0; child < types.size(); child++) {
            if (!children.get(child).hasType(types.get(child))) {
                return false;
            }
        }
        // compares the type id and not only the storage type, because with a different scale the same bytes are a
        // different number
        return kind.isPresent() || (storageType == StorageType.of(type) && typeId.equals(type.getTypeId().getId()));
    }
}
