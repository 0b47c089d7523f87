package io.albis.format.type;

import com.google.common.collect.ImmutableList;
import io.trino.spi.type.ArrayType;
import io.trino.spi.type.MapType;
import io.trino.spi.type.RowType;
import io.trino.spi.type.StandardTypes;
import io.trino.spi.type.Type;
import io.trino.spi.type.TypeOperators;

import java.util.List;
import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * Resolves names of nested types, such as {@code map(bigint,row("a" integer,"b" array(varchar)))}.
 */
final class NestedTypeNames
{
    private static final TypeOperators OPERATORS = new TypeOperators();

    private final TypeResolver scalars;
    private final String name;
    private int position;

    private NestedTypeNames(TypeResolver scalars, String name)
    {
        this.scalars = requireNonNull(scalars, "scalars is null");
        this.name = requireNonNull(name, "name is null");
    }

    static boolean isNested(String name)
    {
        return isNested(name, 0);
    }

    private static boolean isNested(String name, int position)
    {
        return name.startsWith(StandardTypes.ARRAY + "(", position) || name.startsWith(StandardTypes.MAP + "(", position) || name.startsWith(StandardTypes.ROW + "(", position);
    }

    /**
     * @param scalars resolves the names of scalar types
     * @throws IllegalArgumentException if there is no such type
     */
    static Type resolve(TypeResolver scalars, String name)
    {
        NestedTypeNames parser = new NestedTypeNames(scalars, name);
        Type type = parser.type(1);
        checkArgument(parser.position == name.length(), "Unknown type: %s", name);
        return type;
    }

    private Type type(int depth)
    {
        checkArgument(depth <= NestedTypes.MAX_DEPTH, "Type has more than %s levels: %s", NestedTypes.MAX_DEPTH, name);
        if (!isNested(name, position)) {
            return scalars.resolve(name.substring(position, endOfScalar()));
        }
        int begin = position;
        position = name.indexOf('(', begin);
        String base = name.substring(begin, position);
        ImmutableList.Builder<RowType.Field> fields = ImmutableList.builder();
        do {
            position++;
            fields.add(field(base, depth));
        }
        while (next() == ',');
        checkArgument(next() == ')', "Unknown type: %s", name);
        position++;
        return create(base, fields.build());
    }

    private RowType.Field field(String base, int depth)
    {
        if (!base.equals(StandardTypes.ROW) || next() != '"') {
            return new RowType.Field(Optional.empty(), type(depth + 1));
        }
        String field = quoted();
        checkArgument(next() == ' ', "Unknown type: %s", name);
        position++;
        return RowType.field(field, type(depth + 1));
    }

    private Type create(String base, List<RowType.Field> parameters)
    {
        if (base.equals(StandardTypes.ROW)) {
            return RowType.from(parameters);
        }
        boolean array = base.equals(StandardTypes.ARRAY);
        checkArgument(parameters.size() == (array ? 1 : 2), "Unknown type: %s", name);
        return array ? new ArrayType(parameters.getFirst().getType()) : new MapType(parameters.getFirst().getType(), parameters.getLast().getType(), OPERATORS);
    }

    private char next()
    {
        checkArgument(position < name.length(), "Unknown type: %s", name);
        return name.charAt(position);
    }

    // a quotation mark inside of the name is doubled
    private String quoted()
    {
        StringBuilder field = new StringBuilder();
        position++;
        while (true) {
            char character = next();
            position++;
            if (character == '"') {
                if (next() != '"') {
                    return field.toString();
                }
                position++;
            }
            field.append(character);
        }
    }

    private int endOfScalar()
    {
        int depth = 0;
        while (position < name.length()) {
            char character = name.charAt(position);
            if (depth == 0 && (character == ',' || character == ')')) {
                break;
            }
            depth += character == '(' ? 1 : character == ')' ? -1 : 0;
            position++;
        }
        return position;
    }
}
