package io.albis.table.alter;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.albis.format.type.FieldTree;
import io.albis.format.type.NestedKind;
import io.trino.spi.block.ArrayBlockBuilder;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.block.MapBlockBuilder;
import io.trino.spi.block.RowBlockBuilder;
import io.trino.spi.block.SqlMap;
import io.trino.spi.block.SqlRow;
import io.trino.spi.type.ArrayType;
import io.trino.spi.type.MapType;
import io.trino.spi.type.RowType;
import io.trino.spi.type.Type;
import io.trino.spi.type.TypeOperators;
import io.trino.spi.type.TypeUtils;
import jakarta.annotation.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;

import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static io.trino.spi.type.IntegerType.INTEGER;
import static io.trino.spi.type.RealType.REAL;
import static java.lang.Float.floatToIntBits;
import static java.lang.Float.intBitsToFloat;

/**
 * A type whose fields have identities of their own, which do not depend on the ids of the table, and values whose
 * fields are found by these identities. A value keeps the fields with which it was created.
 *
 * @param scalar empty for a nested type
 * @param kind empty for a scalar type
 */
record FieldModel(Optional<Type> scalar, Optional<NestedKind> kind, List<Child> children)
{
    private static final TypeOperators OPERATORS = new TypeOperators();

    /**
     * A field of a row, the elements of an array, or the keys or values of a map.
     *
     * @param key identity, which no other child has
     */
    record Child(int key, String name, FieldModel model)
    {
        Child withModel(FieldModel model)
        {
            return new Child(key, name, model);
        }
    }

    static FieldModel of(Type scalar)
    {
        return new FieldModel(Optional.of(scalar), Optional.empty(), ImmutableList.of());
    }

    static FieldModel of(NestedKind kind, List<Child> children)
    {
        return new FieldModel(Optional.empty(), Optional.of(kind), ImmutableList.copyOf(children));
    }

    boolean isRow()
    {
        return kind.equals(Optional.of(NestedKind.ROW));
    }

    Type type()
    {
        if (kind.isEmpty()) {
            return scalar.orElseThrow();
        }
        List<Type> types = children.stream().map(child -> child.model().type()).toList();
        return switch (kind.get()) {
            case ROW -> RowType.from(children.stream().map(child -> RowType.field(child.name(), child.model().type())).toList());
            case ARRAY -> new ArrayType(types.getFirst());
            case MAP -> new MapType(types.getFirst(), types.getLast(), OPERATORS);
        };
    }

    /**
     * Returns the parts of this type, each as the indexes that lead to it.
     */
    List<List<Integer>> paths()
    {
        ImmutableList.Builder<List<Integer>> paths = ImmutableList.builder();
        paths.add(ImmutableList.of());
        for (int index = 0; index < children.size(); index++) {
            for (List<Integer> below : children.get(index).model().paths()) {
                paths.add(ImmutableList.<Integer>builder().add(index).addAll(below).build());
            }
        }
        return paths.build();
    }

    FieldModel at(List<Integer> path)
    {
        return path.isEmpty() ? this : children.get(path.getFirst()).model().at(path.subList(1, path.size()));
    }

    FieldModel with(List<Integer> path, FieldModel part)
    {
        if (path.isEmpty()) {
            return part;
        }
        List<Child> changed = new ArrayList<>(children);
        Child child = children.get(path.getFirst());
        changed.set(path.getFirst(), child.withModel(child.model().with(path.subList(1, path.size()), part)));
        return new FieldModel(scalar, kind, ImmutableList.copyOf(changed));
    }

    /**
     * Returns the ids in the table of the nodes that lead to a part.
     */
    static List<Integer> ids(FieldTree tree, List<Integer> path)
    {
        ImmutableList.Builder<Integer> ids = ImmutableList.builder();
        FieldTree next = tree;
        for (int index : path) {
            FieldTree.Field child = next.children().get(index);
            ids.add(child.id());
            next = child.tree();
        }
        return ids.build();
    }

    /**
     * Returns a value: a number, a text, a map from the keys of fields to values, or a list of elements or entries.
     */
    @Nullable
    Object randomValue(Random random, boolean nullable)
    {
        if (nullable && random.nextInt(5) == 0) {
            return null;
        }
        if (kind.isEmpty()) {
            return randomScalar(random);
        }
        return switch (kind.get()) {
            case ROW -> {
                Map<Integer, Object> fields = new HashMap<>();
                children.forEach(child -> fields.put(child.key(), child.model().randomValue(random, true)));
                yield fields;
            }
            case ARRAY -> IntStream.range(0, random.nextInt(4))
                    .mapToObj(_ -> children.getFirst().model().randomValue(random, true))
                    // may contain nulls
                    .toList();
            case MAP -> {
                Map<Object, Object> entries = new HashMap<>();
                for (int entry = random.nextInt(4); entry > 0; entry--) {
                    entries.put(children.getFirst().model().randomValue(random, false), children.getLast().model().randomValue(random, true));
                }
                yield entries;
            }
        };
    }

    private Object randomScalar(Random random)
    {
        Type type = scalar.orElseThrow();
        if (type == INTEGER || type == BIGINT) {
            return (long) random.nextInt(20) * (type == BIGINT && random.nextBoolean() ? 1L << 40 : 1);
        }
        if (type == REAL || type == DOUBLE) {
            return random.nextInt(20) / 4.0;
        }
        return "v" + random.nextInt(100);
    }

    /**
     * Appends a value that was created with the same fields.
     */
    void append(BlockBuilder builder, @Nullable Object value)
    {
        if (value == null) {
            builder.appendNull();
            return;
        }
        switch (builder) {
            case RowBlockBuilder rows -> rows.buildEntry(fields -> {
                for (int field = 0; field < children.size(); field++) {
                    children.get(field).model().append(fields.get(field), ((Map<?, ?>) value).get(children.get(field).key()));
                }
            });
            case ArrayBlockBuilder arrays -> arrays.buildEntry(elements -> ((List<?>) value).forEach(element -> children.getFirst().model().append(elements, element)));
            case MapBlockBuilder maps -> maps.buildEntry((keys, values) -> ((Map<?, ?>) value).forEach((key, entry) -> {
                children.getFirst().model().append(keys, key);
                children.getLast().model().append(values, entry);
            }));
            default -> TypeUtils.writeNativeValue(scalar.orElseThrow(), builder, toNative(value));
        }
    }

    private Object toNative(Object value)
    {
        if (scalar.orElseThrow() == REAL) {
            return (long) floatToIntBits((float) (double) value);
        }
        return value instanceof String text ? Slices.utf8Slice(text) : value;
    }

    /**
     * Returns the value of a block.
     */
    @Nullable
    Object value(Type type, Block block, int position)
    {
        if (block.isNull(position)) {
            return null;
        }
        return switch (type) {
            case RowType row -> {
                SqlRow fields = row.getObject(block, position);
                Map<Integer, Object> values = new HashMap<>();
                for (int field = 0; field < children.size(); field++) {
                    values.put(children.get(field).key(), children.get(field).model().value(row.getFields().get(field).getType(), fields.getRawFieldBlock(field), fields.getRawIndex()));
                }
                yield values;
            }
            case ArrayType array -> {
                Block elements = array.getObject(block, position);
                List<Object> values = new ArrayList<>();
                for (int element = 0; element < elements.getPositionCount(); element++) {
                    values.add(children.getFirst().model().value(array.getElementType(), elements, element));
                }
                yield values;
            }
            case MapType map -> {
                SqlMap entries = map.getObject(block, position);
                Map<Object, Object> values = new HashMap<>();
                for (int entry = entries.getRawOffset(); entry < entries.getRawOffset() + entries.getSize(); entry++) {
                    values.put(
                            children.getFirst().model().value(map.getKeyType(), entries.getRawKeyBlock(), entry),
                            children.getLast().model().value(map.getValueType(), entries.getRawValueBlock(), entry));
                }
                yield values;
            }
            default -> fromNative(type, TypeUtils.readNativeValue(type, block, position));
        };
    }

    private static Object fromNative(Type type, Object value)
    {
        if (type == REAL) {
            return (double) intBitsToFloat((int) (long) value);
        }
        return value instanceof Slice text ? text.toStringUtf8() : value;
    }

    /**
     * Returns a value as it is seen with the fields of this type: without those that were dropped, and with nulls for
     * those that were added since.
     */
    @Nullable
    Object project(@Nullable Object value)
    {
        if (value == null || kind.isEmpty()) {
            return value;
        }
        return switch (kind.get()) {
            case ROW -> {
                Map<Integer, Object> fields = new HashMap<>();
                children.forEach(child -> fields.put(child.key(), child.model().project(((Map<?, ?>) value).get(child.key()))));
                yield fields;
            }
            case ARRAY -> {
                List<Object> elements = new ArrayList<>();
                ((List<?>) value).forEach(element -> elements.add(children.getFirst().model().project(element)));
                yield elements;
            }
            case MAP -> {
                Map<Object, Object> entries = new HashMap<>();
                ((Map<?, ?>) value).forEach((key, entry) -> entries.put(children.getFirst().model().project(key), children.getLast().model().project(entry)));
                yield entries;
            }
        };
    }

    /**
     * Returns the part of a value to which only rows lead.
     */
    @Nullable
    Object part(@Nullable Object value, List<Integer> path)
    {
        if (value == null || path.isEmpty()) {
            return project(value);
        }
        Child child = children.get(path.getFirst());
        return child.model().part(((Map<?, ?>) value).get(child.key()), path.subList(1, path.size()));
    }
}
