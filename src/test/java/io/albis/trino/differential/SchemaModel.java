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
    record ModelColumn(String name, ValueKind kind, String type, Optional<String> literal, Optional<String> comment)
    {
        ModelColumn(String name, ValueKind kind, String type, Optional<String> literal)
        {
            this(name, kind, type, literal, Optional.empty());
        }

        ModelColumn withName(String name)
        {
            return new ModelColumn(name, kind, type, literal, comment);
        }

        ModelColumn withType(String type)
        {
            return new ModelColumn(name, kind, type, literal, comment);
        }

        ModelColumn withLiteral(Optional<String> literal)
        {
            return new ModelColumn(name, kind, type, literal, comment);
        }

        ModelColumn withComment(Optional<String> comment)
        {
            return new ModelColumn(name, kind, type, literal, comment);
        }

        /**
         * Returns a column as CREATE TABLE AS creates it.
         */
        ModelColumn copied()
        {
            return new ModelColumn(name, kind, type, Optional.empty());
        }

        /**
         * Returns an expression for the value of a number.
         */
        String value(String number)
        {
            String value = switch (kind) {
                case ROW -> row(number);
                case ROWS -> "repeat(CAST(%s AS %s), CAST((%s) %% 3 AS integer))".formatted(row(number), ModelField.typeOf(fields()), number);
                default -> kind.value.formatted(number);
            };
            return "CAST(%s AS %s)".formatted(value, type);
        }

        private String row(String number)
        {
            return fields().stream().map(field -> field.value(number)).collect(joining(", ", "ROW(", ")"));
        }

        /**
         * Returns whether the column has rows, or arrays of rows.
         */
        boolean hasFields()
        {
            return kind == ValueKind.ROW || kind == ValueKind.ROWS;
        }

        /**
         * Returns the fields of the rows.
         */
        List<ModelField> fields()
        {
            return ModelField.fieldsOf(kind == ValueKind.ROWS ? elementType(type) : type);
        }

        private static String elementType(String type)
        {
            return type.substring("array(".length(), type.length() - 1);
        }

        /**
         * Returns this column with other fields of its rows.
         */
        ModelColumn withFields(List<ModelField> fields)
        {
            String row = ModelField.typeOf(fields);
            return withType(kind == ValueKind.ROWS ? "array(%s)".formatted(row) : row);
        }

        /**
         * Returns the types to which the column can be changed.
         */
        List<String> nextTypes()
        {
            if (!hasFields()) {
                return kind.types().subList(kind.types().indexOf(type), kind.types().size());
            }
            return kind.types().stream()
                    .filter(other -> withType(other).fields().stream().allMatch(field -> fields().stream().allMatch(field::canReplace)))
                    .collect(toImmutableList());
        }

        /**
         * Returns an expression for the values of this column with another type.
         */
        String converted(String newType)
        {
            List<ModelField> fields = hasFields() ? withType(newType).fields() : ImmutableList.of();
            return switch (kind) {
                case ROW -> convertedRow(name, fields);
                case ROWS -> "transform(%s, e -> %s)".formatted(name, convertedRow("e", fields));
                default -> "CAST(%s AS %s)".formatted(name, newType);
            };
        }

        private String convertedRow(String row, List<ModelField> fields)
        {
            String values = fields.stream()
                    .map(field -> fields().stream().anyMatch(field::hasSameName) ? row + "." + field.name() : "NULL")
                    .collect(joining(", "));
            return "IF(%s IS NULL, NULL, CAST(ROW(%s) AS %s))".formatted(row, values, ModelField.typeOf(fields));
        }
    }

    /**
     * A field of a row. The first letter of its name decides about its values, and about the types that it can have.
     */
    record ModelField(String name, String type)
    {
        static final List<String> LETTERS = ImmutableList.of("x", "y", "z", "w");

        static List<ModelField> fieldsOf(String rowType)
        {
            return Splitter.on(", ").splitToStream(rowType.substring("row(".length(), rowType.length() - 1))
                    .map(field -> new ModelField(field.substring(0, field.indexOf(' ')), field.substring(field.indexOf(' ') + 1)))
                    .collect(toImmutableList());
        }

        static String typeOf(List<ModelField> fields)
        {
            return fields.stream().map(field -> field.name() + " " + field.type()).collect(joining(", ", "row(", ")"));
        }

        private String letter()
        {
            return name.substring(0, 1);
        }

        /**
         * Returns the types of fields whose name begins with a letter. Each can be changed to those that follow.
         */
        static List<String> types(String letter)
        {
            return switch (letter) {
                case "x" -> ImmutableList.of("tinyint", "smallint", "integer", "bigint");
                case "y" -> ImmutableList.of("varchar(8)", "varchar(20)", "varchar");
                case "z" -> ImmutableList.of("bigint");
                case "w" -> ImmutableList.of("real", "double");
                default -> throw new IllegalArgumentException(letter);
            };
        }

        /**
         * Returns the types to which the field can be changed.
         */
        List<String> nextTypes()
        {
            List<String> types = types(letter());
            return types.subList(types.indexOf(type), types.size());
        }

        boolean hasSameName(ModelField other)
        {
            return name.equals(other.name());
        }

        /**
         * Returns whether a row whose field is the other one can get this one.
         */
        boolean canReplace(ModelField other)
        {
            return !hasSameName(other) || other.nextTypes().contains(type);
        }

        /**
         * Returns an expression for the value of a number.
         */
        String value(String number)
        {
            String value = switch (letter()) {
                case "x" -> "(%s) %% 50";
                case "y" -> "'v' || CAST((%s) %% 50 AS varchar)";
                case "z" -> "(%s)";
                case "w" -> "CAST((%s) %% 50 AS double) / 4";
                default -> throw new IllegalArgumentException(name);
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
