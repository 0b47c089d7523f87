package io.albis.format;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.Slices;
import io.trino.spi.block.ArrayBlockBuilder;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.block.DictionaryBlock;
import io.trino.spi.block.MapBlockBuilder;
import io.trino.spi.block.RowBlockBuilder;
import io.trino.spi.block.RunLengthEncodedBlock;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.type.ArrayType;
import io.trino.spi.type.MapType;
import io.trino.spi.type.RowType;
import io.trino.spi.type.Type;
import io.trino.spi.type.TypeOperators;
import io.trino.spi.type.TypeUtils;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import static io.albis.format.RandomBlocks.TYPES;
import static io.albis.format.RandomBlocks.randomValue;
import static io.trino.spi.function.InvocationConvention.InvocationArgumentConvention.BLOCK_POSITION;
import static io.trino.spi.function.InvocationConvention.InvocationReturnConvention.FAIL_ON_NULL;
import static io.trino.spi.function.InvocationConvention.simpleConvention;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.VarcharType.VARCHAR;

/**
 * Random rows, arrays, and maps of all shapes.
 */
public final class RandomNestedBlocks
{
    private static final TypeOperators OPERATORS = new TypeOperators();

    private RandomNestedBlocks() {}

    /**
     * Returns a nested type.
     *
     * @param depth maximum number of nested types within each other; at least 1
     */
    public static Type randomType(Random random, int depth)
    {
        return switch (random.nextInt(3)) {
            case 0 -> new ArrayType(randomChild(random, depth));
            case 1 -> new MapType(randomKey(random), randomChild(random, depth), OPERATORS);
            default -> {
                ImmutableList.Builder<RowType.Field> fields = ImmutableList.builder();
                int count = 1 + random.nextInt(4);
                for (int field = 0; field < count; field++) {
                    fields.add(RowType.field("f" + field, randomChild(random, depth)));
                }
                yield RowType.from(fields.build());
            }
        };
    }

    private static Type randomKey(Random random)
    {
        return switch (random.nextInt(4)) {
            case 0 -> TYPES.get(random.nextInt(TYPES.size()));
            case 1 -> VARCHAR;
            default -> BIGINT;
        };
    }

    /**
     * Returns whether the keys of random maps are the numbers from 1 to 100 and a few more, or texts with these numbers
     * after {@code "key "}. Others have random keys.
     */
    public static boolean hasNumberedKeys(MapType type)
    {
        return type.getKeyType() == BIGINT || type.getKeyType() == VARCHAR;
    }

    private static Type randomChild(Random random, int depth)
    {
        return depth > 1 && random.nextBoolean() ? randomType(random, depth - 1) : TYPES.get(random.nextInt(TYPES.size()));
    }

    /**
     * Returns a block in any of the forms that a block can have.
     *
     * @param elements maximum number of elements of an array or a map
     */
    public static Block randomBlock(Random random, Type type, int positionCount, double nulls, int elements)
    {
        return switch (random.nextInt(8)) {
            case 0 -> RunLengthEncodedBlock.create(flatBlock(random, type, 1, nulls, elements), positionCount);
            case 1 -> {
                Block dictionary = flatBlock(random, type, 1 + random.nextInt(20), nulls, elements);
                yield DictionaryBlock.create(positionCount, dictionary, random.ints(positionCount, 0, dictionary.getPositionCount()).toArray());
            }
            case 2 -> flatBlock(random, type, positionCount + 7, nulls, elements).getRegion(5, positionCount);
            default -> flatBlock(random, type, positionCount, nulls, elements);
        };
    }

    public static Block flatBlock(Random random, Type type, int positionCount, double nulls, int elements)
    {
        BlockBuilder builder = type.createBlockBuilder(null, positionCount);
        for (int position = 0; position < positionCount; position++) {
            append(random, type, builder, nulls, elements);
        }
        return builder.build();
    }

    private static void append(Random random, Type type, BlockBuilder builder, double nulls, int elements)
    {
        if (random.nextDouble() < nulls) {
            builder.appendNull();
            return;
        }
        List<Type> children = type.getTypeParameters();
        switch (builder) {
            case RowBlockBuilder rows -> rows.buildEntry(fields -> {
                for (int field = 0; field < children.size(); field++) {
                    append(random, children.get(field), fields.get(field), nulls, elements);
                }
            });
            case ArrayBlockBuilder arrays -> arrays.buildEntry(values -> {
                for (int element = random.nextInt(elements + 1); element > 0; element--) {
                    append(random, children.getFirst(), values, nulls, elements);
                }
            });
            case MapBlockBuilder maps -> maps.buildEntry((keys, values) -> {
                for (ValueBlock key : randomKeys(random, (MapType) type, random.nextInt(elements + 1))) {
                    keys.append(key, 0);
                    append(random, children.getLast(), values, nulls, elements);
                }
            });
            default -> TypeUtils.writeNativeValue(type, builder, randomValue(random, type));
        }
    }

    /**
     * Returns at most a number of keys, of which no two are equal.
     */
    private static List<ValueBlock> randomKeys(Random random, MapType type, int count)
    {
        Type keyType = type.getKeyType();
        List<ValueBlock> keys = new ArrayList<>();
        long first = random.nextInt(100);
        for (int i = 0; i < count; i++) {
            Object key = hasNumberedKeys(type) ? numberedKey(keyType, first + count - i) : randomValue(random, keyType);
            ValueBlock block = TypeUtils.writeNativeValue(keyType, key);
            if (hasNumberedKeys(type) || keys.stream().noneMatch(other -> isIdentical(keyType, block, other))) {
                keys.add(block);
            }
        }
        return keys;
    }

    private static Object numberedKey(Type keyType, long key)
    {
        return keyType == BIGINT ? (Object) key : Slices.utf8Slice("key " + key);
    }

    private static boolean isIdentical(Type type, Block left, Block right)
    {
        try {
            return (boolean) OPERATORS.getIdenticalOperator(type, simpleConvention(FAIL_ON_NULL, BLOCK_POSITION, BLOCK_POSITION)).invokeExact(left, 0, right, 0);
        }
        catch (Throwable e) {
            throw new AssertionError(e);
        }
    }
}
