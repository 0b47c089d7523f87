package io.albis.trino.differential;

import com.google.common.collect.ImmutableList;

import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes random rows, and random predicates with functions of their columns. Some functions fail for some values.
 */
final class RandomExpressions
{
    private static final List<Column> COLUMNS = ImmutableList.of(
            // The first text makes the type longer than char(3): Trino 483 fails to plan casts of shorter ones
            new Column("s", List.of("'ab% x'", "'ab%'", "''", "' '", "'a'", "'A'", "'a_b'", "U&'\\00FCa'", "'12'", "'-7'", "'007'", "'x y'", "U&'\\+01F600'", "rpad('', 40, 'xa')"), text("s")),
            // more values than a dictionary or a search of an index is worth
            new Column("u", List.of("concat('u', CAST(n AS varchar))"), text("u")),
            new Column("c", List.of("CAST('a' AS char(4))", "CAST('ab' AS char(4))", "CAST('' AS char(4))", "CAST('b  1' AS char(4))", "CAST('12' AS char(4))"), List.of("c LIKE 'a%'", "c LIKE '% '", "length(c) = 4", "upper(c) = 'AB'", "CAST(c AS varchar) LIKE '%_b'", "trim(CAST(c AS varchar)) = ''", "substr(c, 2, 1) = 'b'", "CAST(c AS bigint) = 12")),
            new Column("n", List.of("-3", "0", "1", "7", "42", "2147483647"), integer("n")),
            new Column("w", List.of("BIGINT '-9223372036854775808'", "BIGINT '5'", "BIGINT '1000000000000'", "BIGINT '0'", "CAST(n AS bigint)"), integer("w")),
            new Column("d", List.of("0e0", "-0e0", "nan()", "infinity()", "15e-1", "-1e0"), floating("d")),
            new Column("r", List.of("REAL '0'", "REAL '-0'", "CAST(nan() AS real)", "REAL '1.5'"), floating("r")),
            new Column("b", List.of("true", "false"), List.of("NOT b", "CAST(b AS integer) = 1", "b IS DISTINCT FROM true", "CAST(b AS varchar) LIKE 'f%'")),
            new Column("y", List.of("DATE '2020-01-01'", "DATE '1969-12-31'", "DATE '2020-02-29'", "DATE '9999-12-31'"), List.of("year(y) = 2020", "day_of_week(y) > #", "y + INTERVAL '1' DAY > DATE '2020-01-01'", "CAST(y AS varchar) LIKE '%-01'", "date_trunc('month', y) = DATE '2020-02-01'", "last_day_of_month(y) = y")),
            new Column("t", List.of("TIMESTAMP '2020-01-01 00:00:00.000 UTC'", "TIMESTAMP '2020-01-01 01:00:00.000 +01:00'", "TIMESTAMP '2019-12-31 19:00:00.000 America/New_York'", "TIMESTAMP '1969-07-20 20:17:40.123 UTC'"), List.of("hour(t) = #", "timezone_hour(t) = 1", "CAST(t AS varchar) LIKE '%UTC'", "CAST(t AS date) = DATE '2020-01-01'", "millisecond(t) > 0", "t AT TIME ZONE 'UTC' > TIMESTAMP '2020-01-01 00:00:00.000 UTC'")),
            new Column("e", List.of("DECIMAL '00000001.50'", "DECIMAL '00000000.00'", "DECIMAL '-0000003.25'", "DECIMAL '99999999.99'"), decimal("e")),
            new Column("f", List.of("CAST('1.5' AS decimal(30, 5))", "CAST('0' AS decimal(30, 5))", "CAST('-12345678901234567890.5' AS decimal(30, 5))"), decimal("f")),
            new Column("v", List.of("X''", "X'00FF'", "X'61'", "X'FF'"), List.of("length(v) > #", "to_hex(v) LIKE '%FF'", "from_utf8(v) = 'a'", "v || X'00' = X'6100'", "starts_with(from_utf8(v), 'a')")));

    private static final Pattern CHOICE = Pattern.compile("#|~");
    private static final List<String> PATTERN_PARTS = List.of("%", "%", "_", "a", "A", "b", "u", "1", "x", " ", "$%", "$_");

    private final Random random;

    RandomExpressions(Random random)
    {
        this.random = random;
    }

    /**
     * A column.
     *
     * @param values SQL of its values, which may depend on the number {@code n} of the row
     * @param predicates SQL of predicates, in which # stands for a small number and ~ for a pattern
     */
    private record Column(String name, List<String> values, List<String> predicates) {}

    private static List<String> text(String name)
    {
        return named(name, List.of(
                "@ LIKE ~ ESCAPE '$'",
                "@ LIKE ~ ESCAPE '$'",
                "@ NOT LIKE ~ ESCAPE '$'",
                "lower(@) = 'a'",
                "upper(@) IN ('A', 'AB%', 'U12')",
                "length(@) > #",
                "substr(@, #) = 'b'",
                "substr(@, 1, #) <> ''",
                "strpos(@, 'a') = #",
                "reverse(@) > 'b'",
                "replace(@, 'a', '') = ''",
                "CAST(@ AS bigint) = #",
                "TRY_CAST(@ AS integer) < #",
                "TRY(CAST(@ AS integer)) = 12",
                "regexp_like(@, '^[a-z]+$')",
                "regexp_extract(@, '\\d+') = '7'",
                "concat(@, 'x') <> 'ax'",
                "trim(@) = ''",
                "split_part(@, ' ', 2) = 'y'",
                "nullif(@, 'a') IS NULL",
                "coalesce(@, 'q') = 'q'",
                "CASE WHEN @ = 'a' THEN true ELSE length(@) > # END",
                "CAST(@ AS varchar(1)) = 'a'",
                "CAST(@ AS char(3)) = 'a'",
                "to_utf8(@) = X'61'",
                "@ || 'x' BETWEEN 'a' AND 'b'",
                "codepoint(CAST(@ AS varchar(1))) > 60",
                "starts_with(@, 'u1')",
                "levenshtein_distance(@, 'ab') < #",
                "cardinality(filter(split(@, 'a'), x -> length(x) > #)) > 0",
                "if(length(@) > #, @, 'a') LIKE ~ ESCAPE '$'"));
    }

    private static List<String> integer(String name)
    {
        return named(name, List.of("mod(@, 3) = #", "100 / @ > #", "abs(@) = 7", "@ * 2 > #", "@ + 2147483647 > #", "CAST(@ AS varchar) LIKE ~ ESCAPE '$'", "sign(@) IN (0, -1)", "bitwise_and(@, 1) = 1", "CAST(@ AS tinyint) = 7", "-@ > #", "@ + 1 NOT IN (1, 2)"));
    }

    private static List<String> floating(String name)
    {
        return named(name, List.of("is_nan(@)", "1 / @ > #", "CAST(@ AS varchar) LIKE '-0%'", "floor(@) = 1", "CAST(@ AS bigint) = #", "abs(@) <= #", "NOT (@ + 1 > #)", "@ * 2 = @"));
    }

    private static List<String> decimal(String name)
    {
        return named(name, List.of("mod(@, 2) = 0", "round(@) = #", "CAST(@ AS varchar) LIKE ~ ESCAPE '$'", "floor(@) > #", "1 / @ > #", "CAST(@ AS double) = 15e-1", "@ * @ > #"));
    }

    private static List<String> named(String name, List<String> predicates)
    {
        return predicates.stream()
                .map(predicate -> predicate.replace("@", name))
                .toList();
    }

    static List<String> columns()
    {
        return COLUMNS.stream()
                .map(Column::name)
                .toList();
    }

    /**
     * Returns a query for rows with an id and random values, of which some are null.
     */
    String rows(int count)
    {
        StringBuilder select = new StringBuilder("SELECT CAST(n AS bigint) id");
        for (Column column : COLUMNS) {
            // No row has this value, but a text has space for the prefix of starts_with. Otherwise, the engine
            // creates a domain with texts that are too long for the type, and fails when it prints the plan
            StringBuilder values = new StringBuilder(" WHEN -1 THEN ").append(column.values().getFirst());
            // each value in several places, so that the shares of values differ
            int size = 1 + random.nextInt(20);
            for (int i = 0; i < size; i++) {
                values.append(" WHEN ").append(i).append(" THEN ").append(column.values().get(random.nextInt(column.values().size())));
            }
            select.append(", CASE mod(n * %s + n / %s, %s)%s %s END %s".formatted(
                    1 + random.nextInt(1000),
                    1 + random.nextInt(100),
                    size + random.nextInt(2),
                    values,
                    // gives the column its type if all rows have a value
                    random.nextInt(3) > 0 ? "ELSE " + column.values().getFirst() : "",
                    column.name()));
        }
        return select.append(" FROM UNNEST(sequence(0, %s)) t (n)".formatted(count - 1)).toString();
    }

    /**
     * Returns a predicate on a column.
     */
    String ofColumn()
    {
        Column column = COLUMNS.get(random.nextInt(COLUMNS.size()));
        String predicate = leaf(column);
        return switch (random.nextInt(8)) {
            case 0 -> "NOT (%s)".formatted(predicate);
            case 1 -> "(%s) IS NULL".formatted(predicate);
            case 2 -> "(%s OR %s)".formatted(predicate, leaf(column));
            case 3 -> "(%s OR %s IS NULL)".formatted(predicate, column.name());
            default -> predicate;
        };
    }

    /**
     * Returns a predicate on several columns.
     */
    String ofColumns()
    {
        return switch (random.nextInt(4)) {
            case 0 -> "%s AND id > %s".formatted(ofColumn(), random.nextInt(1000));
            case 1 -> "%s OR %s".formatted(ofColumn(), ofColumn());
            default -> "%s AND %s".formatted(ofColumn(), ofColumn());
        };
    }

    private String leaf(Column column)
    {
        Matcher choices = CHOICE.matcher(column.predicates().get(random.nextInt(column.predicates().size())));
        return choices.replaceAll(choice -> Matcher.quoteReplacement(choice.group().equals("#") ? String.valueOf(random.nextInt(13)) : pattern()));
    }

    private String pattern()
    {
        StringBuilder pattern = new StringBuilder();
        int parts = random.nextInt(5);
        for (int i = 0; i < parts; i++) {
            pattern.append(PATTERN_PARTS.get(random.nextInt(PATTERN_PARTS.size())));
        }
        return "'" + pattern + "'";
    }
}
