package io.albis.trino.differential;

import com.google.common.collect.ImmutableList;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

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
     * Values of types, of which each can be widened to those that follow.
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
        BOOLEAN("(%s) %% 2 = 0", "%s", "boolean");

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
         * Returns a literal with the value of a number below 50.
         */
        String literal(int number)
        {
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
            return "CAST(%s AS %s)".formatted(kind.value.formatted(number), type);
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
