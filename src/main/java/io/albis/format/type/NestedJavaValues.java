package io.albis.format.type;

import io.trino.spi.block.ArrayBlockBuilder;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.block.DuplicateMapKeyException;
import io.trino.spi.block.MapBlockBuilder;
import io.trino.spi.block.RowBlockBuilder;
import io.trino.spi.block.SqlMap;
import io.trino.spi.block.SqlRow;
import io.trino.spi.type.Type;
import io.trino.spi.type.TypeUtils;
import jakarta.annotation.Nullable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * Converts rows, arrays, and maps between Java values and Trino's native values. A row is a List with a value for each
 * field, an array is a List, and a map is a Map. Both may contain null, except for the keys of a map.
 */
final class NestedJavaValues
{
    private NestedJavaValues() {}

    static Object toNative(Type type, Object value)
    {
        BlockBuilder builder = type.createBlockBuilder(null, 1);
        append(type, value, builder);
        try {
            return type.getObject(builder.build(), 0);
        }
        catch (DuplicateMapKeyException e) {
            throw new IllegalArgumentException("A value of type %s has two equal keys".formatted(type.getDisplayName()), e);
        }
    }

    private static void append(Type type, @Nullable Object value, BlockBuilder builder)
    {
        if (value == null) {
            builder.appendNull();
            return;
        }
        List<Type> children = NestedTypes.children(type);
        switch (builder) {
            case RowBlockBuilder rows -> {
                List<?> fields = expect(type, value, List.class);
                checkArgument(fields.size() == children.size(), "A value of type %s must have %s fields, but has %s", type.getDisplayName(), children.size(), fields.size());
                rows.buildEntry(builders -> {
                    for (int field = 0; field < children.size(); field++) {
                        append(children.get(field), fields.get(field), builders.get(field));
                    }
                });
            }
            case ArrayBlockBuilder arrays -> {
                List<?> elements = expect(type, value, List.class);
                arrays.buildEntry(elementBuilder -> elements.forEach(element -> append(children.getFirst(), element, elementBuilder)));
            }
            case MapBlockBuilder maps -> {
                Map<?, ?> entries = expect(type, value, Map.class);
                // Keys that differ in Java can be equal in the type of the keys. Unlike strict(), this comparison is
                // defined for keys with nulls inside, too.
                maps.strictNotDistinctFrom().buildEntry((keyBuilder, valueBuilder) -> entries.forEach((key, entryValue) -> {
                    checkArgument(key != null, "A value of type %s has a key that is null", type.getDisplayName());
                    append(children.getFirst(), key, keyBuilder);
                    append(children.getLast(), entryValue, valueBuilder);
                }));
            }
            default -> TypeUtils.writeNativeValue(type, builder, JavaValues.toNative(type, value));
        }
    }

    private static <T> T expect(Type type, Object value, Class<T> javaType)
    {
        checkArgument(javaType.isInstance(value), "A value of type %s must be a %s, but is a %s", type.getDisplayName(), javaType.getSimpleName(), value.getClass().getSimpleName());
        return javaType.cast(value);
    }

    static Object fromNative(Type type, Object value)
    {
        List<Type> children = NestedTypes.children(type);
        return switch (value) {
            case SqlRow row -> {
                List<Object> fields = new ArrayList<>();
                for (int field = 0; field < children.size(); field++) {
                    fields.add(get(children.get(field), row.getRawFieldBlock(field), row.getRawIndex()));
                }
                yield Collections.unmodifiableList(fields);
            }
            case SqlMap map -> {
                Map<Object, Object> entries = new LinkedHashMap<>();
                for (int entry = map.getRawOffset(); entry < map.getRawOffset() + map.getSize(); entry++) {
                    entries.put(get(children.getFirst(), map.getRawKeyBlock(), entry), get(children.getLast(), map.getRawValueBlock(), entry));
                }
                yield Collections.unmodifiableMap(entries);
            }
            case Block array -> {
                List<Object> elements = new ArrayList<>();
                for (int element = 0; element < array.getPositionCount(); element++) {
                    elements.add(get(children.getFirst(), array, element));
                }
                yield Collections.unmodifiableList(elements);
            }
            default -> throw new IllegalArgumentException("Value is not nested: " + value.getClass().getSimpleName());
        };
    }

    @Nullable
    private static Object get(Type type, Block block, int position)
    {
        return JavaValues.fromNative(type, TypeUtils.readNativeValue(type, block, position));
    }
}
