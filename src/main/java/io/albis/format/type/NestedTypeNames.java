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
        return kind(name, 0).isPresent();
    }

    private static Optional<NestedKind> kind(String name, int position)
    {
        for (NestedKind kind : NestedKind.values()) {
            if (name.startsWith(baseName(kind) + "(", position)) {
                return Optional.of(kind);
            }
        }
        return Optional.empty();
    }

    private static String baseName(NestedKind kind)
    {
        return switch (kind) {
            case ROW -> StandardTypes.ROW;
            case ARRAY -> StandardTypes.ARRAY;
            case MAP -> StandardTypes.MAP;
        };
    }

    /**
     * Returns the type that a name describes.
     *
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
        Optional<NestedKind> kind = kind(name, position);
        if (kind.isEmpty()) {
            return scalars.resolve(name.substring(position, endOfScalar()));
        }
        position += baseName(kind.get()).length();
        ImmutableList.Builder<RowType.Field> fields = ImmutableList.builder();
        do {
            position++;
            fields.add(field(kind.get(), depth));
        }
        while (next() == ',');
        checkArgument(next() == ')', "Unknown type: %s", name);
        position++;
        List<RowType.Field> parameters = fields.build();
        checkArgument(kind.get().hasChildren(parameters.size()), "Unknown type: %s", name);
        return create(kind.get(), parameters);
    }

    private RowType.Field field(NestedKind kind, int depth)
    {
        if (kind != NestedKind.ROW || next() != '"') {
            return new RowType.Field(Optional.empty(), type(depth + 1));
        }
        String field = quoted();
        checkArgument(next() == ' ', "Unknown type: %s", name);
        position++;
        return RowType.field(field, type(depth + 1));
    }

    /**
     * Returns a nested type.
     *
     * @param parameters the fields, the elements, or the keys and values
     */
    static Type create(NestedKind kind, List<RowType.Field> parameters)
    {
        return switch (kind) {
            case ROW -> RowType.from(parameters);
            case ARRAY -> new ArrayType(parameters.getFirst().getType());
            case MAP -> new MapType(parameters.getFirst().getType(), parameters.getLast().getType(), OPERATORS);
        };
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
