package io.albis.trino.differential;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

/**
 * The columns of a table whose values depend on a number.
 */
record SchemaModel(List<ModelColumn> columns)
{
    static final SchemaModel INITIAL = new SchemaModel(ImmutableList.of(
            new ModelColumn("id", ValueKind.NUMBER, "bigint", Optional.empty()),
            new ModelColumn("a", ValueKind.INTEGER, "integer", Optional.empty()),
            new ModelColumn("b", ValueKind.TEXT, "varchar(8)", Optional.empty()),
            new ModelColumn("c", ValueKind.DECIMAL, "decimal(5,2)", Optional.empty())));

    SchemaModel
    {
        columns = ImmutableList.copyOf(columns);
    }

    /**
     * Values of types, of which each can be changed to those that follow.
     */
    enum ValueKind
    {
        INTEGER("CAST((%s) %% 50 AS integer)", "%s", "tinyint", "smallint", "integer", "bigint"),
        NUMBER("(%s)", "%s", "bigint"),
        FLOAT("CAST((%s) %% 50 AS real) / 4", "%s.25", "real", "double"),
        DECIMAL("CAST((%s) %% 50 AS decimal(5, 2)) + DECIMAL '0.75'", "%s.75", "decimal(5,2)", "decimal(12,2)", "decimal(30,2)"),
        TEXT("'v' || CAST((%s) %% 50 AS varchar)", "'v%s'", "varchar(8)", "varchar(20)", "varchar"),
        CHARACTERS("'v' || CAST((%s) %% 50 AS varchar)", "'v%s'", "char(8)", "char(12)"),
        DATE("date_add('day', (%s) %% 50, DATE '2020-01-01')", "DATE '20%02d-01-01'", "date"),
        TIMESTAMP("date_add('day', (%s) %% 50, TIMESTAMP '2020-01-01 01:02:03.123')", "TIMESTAMP '20%02d-01-01 01:02:03.123'", "timestamp(3)", "timestamp(6)"),
        BOOLEAN("(%s) %% 2 = 0", "%s", "boolean"),
        // the values of fields depend on their names
        ROW("", "", "row(x tinyint, y varchar(8))", "row(x integer, y varchar(8))", "row(z bigint, x integer, y varchar(20))", "row(y varchar, w double, z bigint)"),
        ARRAY("repeat((%1$s) %% 50, CAST((%1$s) %% 4 AS integer))", "", "array(integer)", "array(bigint)"),
        ROWS("", "", "array(row(x tinyint, y varchar(8)))", "array(row(y varchar(8), x integer))", "array(row(x bigint, y varchar, z bigint))"),
        MAP("MAP(ARRAY['k', 'n' || CAST((%1$s) %% 3 AS varchar)], ARRAY[(%1$s) %% 50, NULL])", "", "map(varchar, integer)", "map(varchar, bigint)");

        private final String value;
        private final String literal;
        private final List<String> types;

        ValueKind(String value, String literal, String... types)
        {
            this.value = requireNonNull(value, "value is null");
            this.literal = requireNonNull(literal, "literal is null");
            this.types = ImmutableList.copyOf(types);
        }

        List<String> types()
        {
            return types;
        }

        /**
         * Returns whether this is not a scalar type. There are no literals of such types, and thus no default values.
         */
        boolean isNested()
        {
            return literal.isEmpty();
        }

        /**
         * Returns a literal with the value of a number below 50.
         */
        String literal(int number)
        {
            checkArgument(!isNested(), "nested types have no literals");
            return this == BOOLEAN ? String.valueOf(number % 2 == 0) : literal.formatted(number);
        }
    }

    /**
     * @param literal the default value
     */
    record ModelColumn(String name, ValueKind kind, String type, Optional<String> literal)
    {
        ModelColumn withName(String name)
        {
            return new ModelColumn(name, kind, type, literal);
        }

        ModelColumn withType(String type)
        {
            return new ModelColumn(name, kind, type, literal);
        }

        ModelColumn withLiteral(Optional<String> literal)
        {
            return new ModelColumn(name, kind, type, literal);
        }

        /**
         * Returns an expression for the value of a number.
         */
        String value(String number)
        {
            String value = switch (kind) {
                case ROW -> row(type, number);
                case ROWS -> "repeat(CAST(%s AS %s), CAST((%s) %% 3 AS integer))".formatted(row(elementType(type), number), elementType(type), number);
                default -> kind.value.formatted(number);
            };
            return "CAST(%s AS %s)".formatted(value, type);
        }

        private static String row(String type, String number)
        {
            return fields(type).stream().map(field -> fieldValue(field, number)).collect(joining(", ", "ROW(", ")"));
        }

        private static String elementType(String type)
        {
            return type.substring("array(".length(), type.length() - 1);
        }

        /**
         * Returns an expression for the values of this column with another type.
         */
        String converted(String newType)
        {
            return switch (kind) {
                case ROW -> convertedRow(name, type, newType);
                case ROWS -> "transform(%s, e -> %s)".formatted(name, convertedRow("e", elementType(type), elementType(newType)));
                default -> "CAST(%s AS %s)".formatted(name, newType);
            };
        }

        private static String convertedRow(String name, String type, String newType)
        {
            String values = fields(newType).stream()
                    .map(field -> fields(type).contains(field) ? name + "." + field : "NULL")
                    .collect(joining(", "));
            return "IF(%s IS NULL, NULL, CAST(ROW(%s) AS %s))".formatted(name, values, newType);
        }

        /**
         * Returns the names of the fields of a row.
         */
        List<String> fields()
        {
            return fields(type);
        }

        private static List<String> fields(String type)
        {
            return Splitter.on(", ").splitToStream(type.substring("row(".length()))
                    .map(field -> field.substring(0, field.indexOf(' ')))
                    .collect(toImmutableList());
        }

        static String fieldValue(String field, String number)
        {
            String value = switch (field) {
                case "x" -> "(%s) %% 50";
                case "y" -> "'v' || CAST((%s) %% 50 AS varchar)";
                case "z" -> "(%s)";
                case "w" -> "CAST((%s) %% 50 AS double) / 4";
                default -> throw new IllegalArgumentException(field);
            };
            return value.formatted(number);
        }
    }

    List<String> select(Function<ModelColumn, String> expression)
    {
        return columns.stream()
                .map(expression)
                .collect(toImmutableList());
    }

    /**
     * Returns expressions for all columns.
     */
    String values(String number)
    {
        return String.join(", ", select(column -> column.value(number) + " AS " + column.name()));
    }

    SchemaModel withAdded(int index, ModelColumn column)
    {
        List<ModelColumn> added = new ArrayList<>(columns);
        added.add(index, column);
        return new SchemaModel(added);
    }

    SchemaModel without(ModelColumn column)
    {
        return new SchemaModel(columns.stream()
                .filter(other -> !other.equals(column))
                .collect(toImmutableList()));
    }

    SchemaModel replace(ModelColumn column, ModelColumn replacement)
    {
        return new SchemaModel(columns.stream()
                .map(other -> other.equals(column) ? replacement : other)
                .collect(toImmutableList()));
    }
}
