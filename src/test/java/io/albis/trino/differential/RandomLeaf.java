package io.albis.trino.differential;

import io.albis.format.RandomNestedBlocks;
import io.trino.spi.type.ArrayType;
import io.trino.spi.type.BigintType;
import io.trino.spi.type.BooleanType;
import io.trino.spi.type.CharType;
import io.trino.spi.type.DecimalType;
import io.trino.spi.type.DoubleType;
import io.trino.spi.type.IntegerType;
import io.trino.spi.type.MapType;
import io.trino.spi.type.RealType;
import io.trino.spi.type.RowType;
import io.trino.spi.type.SmallintType;
import io.trino.spi.type.Type;
import io.trino.spi.type.VarcharType;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import static io.trino.spi.type.BigintType.BIGINT;

/**
 * A part of a nested column that SQL can name.
 *
 * @param expression a column, a field of a row, an element of an array or a map, or the number of elements, at any
 *         depth
 */
record RandomLeaf(String expression, Type type)
{
    static RandomLeaf choose(Random random, List<String> columns, List<Type> types)
    {
        int column = random.nextInt(columns.size());
        String expression = columns.get(column);
        Type type = types.get(column);
        while (random.nextInt(8) > 0) {
            switch (type) {
                case RowType row -> {
                    int field = random.nextInt(row.getFields().size());
                    expression += "." + row.getFields().get(field).getName().orElseThrow();
                    type = row.getFields().get(field).getType();
                }
                case ArrayType array when random.nextBoolean() -> {
                    expression = "element_at(%s, %s)".formatted(expression, List.of(1, 2, -1).get(random.nextInt(3)));
                    type = array.getElementType();
                }
                case MapType map when RandomNestedBlocks.hasNumberedKeys(map) && random.nextBoolean() -> {
                    // the keys of random maps
                    int key = random.nextInt(100);
                    expression = "element_at(%s, %s)".formatted(expression, map.getKeyType() == BIGINT ? "BIGINT '%s'".formatted(key) : "'key %s'".formatted(key));
                    type = map.getValueType();
                }
                case ArrayType _, MapType _ when random.nextBoolean() -> {
                    return new RandomLeaf("cardinality(%s)".formatted(expression), BIGINT);
                }
                default -> {
                    return new RandomLeaf(expression, type);
                }
            }
        }
        return new RandomLeaf(expression, type);
    }

    /**
     * Returns a predicate on the part.
     */
    String predicate(Random random)
    {
        List<String> predicates = new ArrayList<>(List.of("%s IS NULL", "%s IS NOT NULL"));
        if (type instanceof BigintType || type instanceof IntegerType || type instanceof SmallintType || type instanceof DoubleType || type instanceof RealType || type instanceof DecimalType) {
            predicates.addAll(List.of("%s > 0", "%s BETWEEN -7 AND 100", "%s <> 1", "(%s < 0 OR %1$s IS NULL)"));
            // Trino compares the values of a list of real by their bits, so 0.0 would differ from -0.0
            predicates.add(type instanceof RealType ? "%s IN (1, 7)" : "%s IN (0, 1, 7)");
        }
        if (type instanceof VarcharType || type instanceof CharType) {
            predicates.addAll(List.of("%s > 'm'", "%s LIKE 'a%%'", "%s IN ('', 'a', 'b')", "%s = ''"));
        }
        if (type instanceof BooleanType) {
            predicates.addAll(List.of("%s", "NOT %s"));
        }
        return predicates.get(random.nextInt(predicates.size())).replace("%1$s", expression).replace("%s", expression).replace("%%", "%");
    }
}
