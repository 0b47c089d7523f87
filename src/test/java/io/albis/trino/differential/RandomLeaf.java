package io.albis.trino.differential;

import io.trino.spi.type.RowType;
import io.trino.spi.type.Type;

import java.util.List;
import java.util.Random;

/**
 * A part of a nested column that SQL can name.
 *
 * @param expression the field of a row, the field of a field, or a column that is not a row
 */
record RandomLeaf(String expression, Type type)
{
    static RandomLeaf choose(Random random, List<String> columns, List<Type> types)
    {
        int column = random.nextInt(columns.size());
        String expression = columns.get(column);
        Type type = types.get(column);
        while (type instanceof RowType row && random.nextInt(8) > 0) {
            int field = random.nextInt(row.getFields().size());
            expression += "." + row.getFields().get(field).getName().orElseThrow();
            type = row.getFields().get(field).getType();
        }
        return new RandomLeaf(expression, type);
    }
}
