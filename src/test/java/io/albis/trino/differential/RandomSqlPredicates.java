package io.albis.trino.differential;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.Slice;
import io.albis.format.RandomBlocks;
import io.albis.format.type.ScalarType;
import io.trino.spi.type.Type;

import java.util.List;
import java.util.Random;

import static com.google.common.base.Preconditions.checkArgument;
import static io.albis.trino.differential.SqlLiterals.literal;
import static io.albis.trino.differential.SqlLiterals.quoted;
import static java.lang.Float.intBitsToFloat;
import static java.lang.Math.toIntExact;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;
import static java.util.stream.IntStream.range;

/**
 * Creates random predicates on the columns of one table. The connector can take over some of them and not others. None
 * of them fails at run time.
 */
final class RandomSqlPredicates
{
    private static final List<String> OPERATORS = ImmutableList.of("=", "=", "<>", "<", "<=", ">", ">=");
    private static final int EQUALITIES = 3;

    private final Random random;
    private final String alias;
    private final List<QueryColumn> columns;

    RandomSqlPredicates(Random random, String alias, List<QueryColumn> columns)
    {
        this.random = requireNonNull(random, "random is null");
        this.alias = requireNonNull(alias, "alias is null");
        this.columns = ImmutableList.copyOf(columns);
        checkArgument(!columns.isEmpty(), "columns is empty");
    }

    String next()
    {
        return switch (random.nextInt(8)) {
            case 0, 1, 2 -> leaf();
            case 3, 4, 5 -> joined(" AND ", 2 + random.nextInt(2));
            case 6 -> joined(" OR ", 2 + random.nextInt(2));
            default -> "NOT (%s)".formatted(next());
        };
    }

    private String joined(String operator, int count)
    {
        return range(0, count)
                .mapToObj(_ -> random.nextInt(6) == 0 ? "(" + next() + ")" : leaf())
                .collect(joining(operator));
    }

    private String leaf()
    {
        QueryColumn column = column();
        return switch (random.nextInt(12)) {
            case 0 -> reference(column) + " IS NULL";
            case 1 -> reference(column) + " IS NOT NULL";
            case 2, 3 -> in(column);
            case 4 -> "%s IS %sDISTINCT FROM %s".formatted(reference(column), random.nextBoolean() ? "NOT " : "", equalValue(column));
            case 5, 6 -> column.isOrderable() ? between(column) : comparison(column);
            case 7, 8 -> expression(column);
            default -> comparison(column);
        };
    }

    private QueryColumn column()
    {
        return columns.get(random.nextInt(columns.size()));
    }

    private String reference(QueryColumn column)
    {
        return alias + "." + column.name();
    }

    private String value(QueryColumn column)
    {
        return literal(column.type(), random.nextInt(40) == 0 ? null : column.randomValue(random));
    }

    private String operator(QueryColumn column)
    {
        return OPERATORS.get(random.nextInt(column.isOrderable() ? OPERATORS.size() : EQUALITIES));
    }

    private String comparison(QueryColumn column)
    {
        int operator = random.nextInt(column.isOrderable() ? OPERATORS.size() : EQUALITIES);
        return "%s %s %s".formatted(reference(column), OPERATORS.get(operator), operator < EQUALITIES ? equalValue(column) : value(column));
    }

    /**
     * Returns a value that is safe to compare for equality. Trino compares a list of two to seven values that fit in 32
     * bits by these bits, whatever the type (InCodeGenerator), and the optimizer combines single values into such
     * lists. As a result, 0.0 would differ from -0.0, and the equality of instants near zero would depend on their time
     * zones.
     */
    private String equalValue(QueryColumn column)
    {
        Object value = column.randomValue(random);
        while (isComparedByBits(column.type(), value)) {
            value = RandomBlocks.randomValue(random, column.type());
        }
        return literal(column.type(), value);
    }

    private static boolean isComparedByBits(Type type, Object value)
    {
        return switch (ScalarType.of(type)) {
            case REAL -> intBitsToFloat(toIntExact((long) value)) == 0;
            case TIME_WITH_TIME_ZONE, TIMESTAMP_WITH_TIME_ZONE -> value instanceof Long number && number == number.intValue();
            case BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT, DOUBLE, DECIMAL, DATE, TIME, TIMESTAMP, CHAR, VARCHAR, VARBINARY, UUID, JSON, IPADDRESS -> false;
        };
    }

    private String between(QueryColumn column)
    {
        return "%s %sBETWEEN %s AND %s".formatted(reference(column), random.nextInt(4) == 0 ? "NOT " : "", equalValue(column), equalValue(column));
    }

    private String in(QueryColumn column)
    {
        int count = random.nextInt(10) == 0 ? 20 + random.nextInt(600) : 1 + random.nextInt(12);
        int nullAt = random.nextInt(8) == 0 ? random.nextInt(count) : -1;
        String values = range(0, count)
                .mapToObj(i -> i == nullAt ? literal(column.type(), null) : equalValue(column))
                .collect(joining(", "));
        return "%s %sIN (%s)".formatted(reference(column), random.nextInt(4) == 0 ? "NOT " : "", values);
    }

    /**
     * Returns a predicate that is not a domain of a column, or becomes one only through the optimizer's rules.
     */
    private String expression(QueryColumn column)
    {
        String reference = reference(column);
        return switch (random.nextInt(7)) {
            case 0 -> "coalesce(%s, %s) = %s".formatted(reference, equalValue(column), equalValue(column));
            case 1 -> "(%s) IS NULL".formatted(comparison(column));
            case 2 -> "CASE WHEN %s THEN %s ELSE %s END".formatted(comparison(column), comparison(column()), comparison(column()));
            case 3 -> sameTypeComparison(column);
            default -> typedExpression(column, reference);
        };
    }

    private String sameTypeComparison(QueryColumn column)
    {
        List<QueryColumn> others = columns.stream()
                .filter(other -> other.type().equals(column.type()))
                .toList();
        QueryColumn other = others.get(random.nextInt(others.size()));
        return switch (random.nextInt(3)) {
            case 0 -> "%s IN (%s, %s)".formatted(reference(column), equalValue(column), reference(other));
            case 1 -> "%s IS NOT DISTINCT FROM %s".formatted(reference(column), reference(other));
            default -> "%s %s %s".formatted(reference(column), operator(column), reference(other));
        };
    }

    private String typedExpression(QueryColumn column, String reference)
    {
        Type type = column.type();
        return switch (ScalarType.of(type)) {
            case BOOLEAN -> random.nextBoolean() ? reference : "NOT " + reference;
            case TINYINT, SMALLINT, INTEGER, BIGINT -> switch (random.nextInt(6)) {
                case 0 -> "%s %% 3 = %s".formatted(reference, random.nextInt(3));
                case 1 -> "CAST(%s AS double) %s %s".formatted(reference, operator(column), random.nextInt(200) / 2.0);
                case 2 -> "CAST(%s AS bigint) %s BIGINT '%s'".formatted(reference, operator(column), random.nextLong() >> random.nextInt(64));
                case 3 -> "%s %s DECIMAL '%s.5'".formatted(reference, operator(column), random.nextInt(200));
                case 4 -> "TRY(%s + %s) %s %s".formatted(reference, value(column), operator(column), value(column));
                default -> "CAST(%s AS varchar) LIKE '%s%%'".formatted(reference, random.nextInt(10));
            };
            case DECIMAL -> random.nextBoolean()
                    ? "CAST(%s AS double) %s %s".formatted(reference, operator(column), random.nextInt(1000))
                    : "%s %s BIGINT '%s'".formatted(reference, operator(column), random.nextInt(10) - 5);
            case REAL, DOUBLE -> switch (random.nextInt(4)) {
                case 0 -> "is_nan(%s)".formatted(reference);
                case 1 -> "is_finite(%s)".formatted(reference);
                case 2 -> "%s * 2 %s %s".formatted(reference, operator(column), random.nextInt(20) - 10);
                default -> "CAST(%s AS double) %s DOUBLE '%s'".formatted(reference, operator(column), random.nextInt(30) / 2.0 - 5);
            };
            case DATE -> random.nextBoolean()
                    ? "day_of_week(%s) = %s".formatted(reference, 1 + random.nextInt(7))
                    : "TRY(CAST(%s AS timestamp(3))) %s TIMESTAMP '1970-01-05 12:00:00'".formatted(reference, operator(column));
            case TIME, TIME_WITH_TIME_ZONE -> "hour(%s) %s %s".formatted(reference, operator(column), random.nextInt(24));
            case TIMESTAMP -> switch (random.nextInt(3)) {
                case 0 -> "CAST(%s AS date) %s DATE '1970-01-01'".formatted(reference, operator(column));
                case 1 -> "year(%s) %s %s".formatted(reference, operator(column), 1969 + random.nextInt(3));
                default -> "date_trunc('month', %s) %s TIMESTAMP '1970-01-01 00:00:00'".formatted(reference, operator(column));
            };
            case TIMESTAMP_WITH_TIME_ZONE -> random.nextBoolean()
                    ? "CAST(%s AS date) %s DATE '1970-01-01'".formatted(reference, operator(column))
                    : "timezone_hour(%s) %s %s".formatted(reference, operator(column), random.nextInt(10) - 5);
            case CHAR, VARCHAR -> textExpression(column, reference);
            case VARBINARY -> random.nextBoolean()
                    ? "length(%s) %s %s".formatted(reference, operator(column), random.nextInt(100))
                    : "to_hex(%s) LIKE 'F%%'".formatted(reference);
            case UUID, IPADDRESS -> "CAST(%s AS varchar) LIKE '%s%%'".formatted(reference, random.nextInt(10));
            case JSON -> "json_format(%s) %s '%s'".formatted(reference, operator(column), random.nextBoolean() ? "null" : random.nextInt(100));
        };
    }

    private String textExpression(QueryColumn column, String reference)
    {
        String text = ((Slice) column.randomValue(random)).toStringUtf8();
        int codePoints = text.codePointCount(0, text.length());
        String prefix = text.substring(0, text.offsetByCodePoints(0, random.nextInt(codePoints + 1)));
        return switch (random.nextInt(8)) {
            case 0, 1 -> "%s LIKE %s".formatted(reference, quoted(prefix + "%"));
            case 2 -> "%s NOT LIKE %s".formatted(reference, quoted(prefix + "_%"));
            case 3 -> "%s LIKE %s".formatted(reference, quoted("%" + prefix));
            case 4 -> "%s LIKE %s ESCAPE '$'".formatted(reference, quoted("_" + prefix + "$%"));
            case 5 -> "length(%s) %s %s".formatted(reference, operator(column), codePoints);
            case 6 -> "substr(CAST(%s AS varchar), 1, %s) = %s".formatted(reference, 1 + random.nextInt(5), quoted(prefix));
            default -> "CAST(%s AS varchar) %s %s".formatted(reference, operator(column), quoted(prefix));
        };
    }
}
