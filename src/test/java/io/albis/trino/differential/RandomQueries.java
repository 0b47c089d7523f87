package io.albis.trino.differential;

import com.google.common.collect.ImmutableList;
import io.trino.spi.type.StandardTypes;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

import static io.albis.trino.differential.RandomQuery.SMALL;
import static io.albis.trino.differential.RandomQuery.TABLE;
import static io.albis.trino.differential.SqlLiterals.literal;
import static java.lang.String.join;
import static java.util.Collections.disjoint;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;
import static java.util.stream.IntStream.range;

/**
 * Creates random queries whose results do not depend on the order in which rows are read.
 */
final class RandomQueries
{
    private static final List<String> INEQUALITIES = ImmutableList.of("<", "<=", ">", ">=");

    private final Random random;
    private final List<QueryColumn> columns;
    private final RandomSqlPredicates predicates;
    private final RandomSqlPredicates smallPredicates;

    RandomQueries(Random random, List<QueryColumn> columns)
    {
        this.random = requireNonNull(random, "random is null");
        this.columns = ImmutableList.copyOf(columns);
        this.predicates = new RandomSqlPredicates(random, "t", columns);
        this.smallPredicates = new RandomSqlPredicates(random, "b", columns);
    }

    RandomQuery next()
    {
        return switch (random.nextInt(20)) {
            case 0, 1, 2, 3, 4 -> new RandomQuery("SELECT %s FROM %s t%s".formatted(projection(), TABLE, where()), true);
            case 5 -> new RandomQuery("SELECT count(*) FROM %s t%s".formatted(TABLE, where()), true);
            case 6 -> new RandomQuery("SELECT %s FROM %s t%s".formatted(aggregates(), TABLE, where()), false);
            case 7, 8 -> grouped();
            case 9 -> new RandomQuery("SELECT DISTINCT %s FROM %s t%s".formatted(references(someColumns(3)), TABLE, where()), false);
            case 10, 11 -> limited();
            case 12 -> unioned();
            default -> joined();
        };
    }

    private String where()
    {
        return random.nextInt(8) == 0 ? "" : " WHERE " + predicates.next();
    }

    private QueryColumn column()
    {
        return columns.get(random.nextInt(columns.size()));
    }

    private List<QueryColumn> someColumns(int most)
    {
        List<QueryColumn> shuffled = new ArrayList<>(columns);
        Collections.shuffle(shuffled, random);
        return shuffled.subList(0, 1 + random.nextInt(Math.min(most, shuffled.size())));
    }

    private static String references(List<QueryColumn> columns)
    {
        return columns.stream()
                .map(column -> "t." + column.name())
                .collect(joining(", "));
    }

    private String projection()
    {
        if (random.nextInt(5) == 0) {
            return "t.*";
        }
        List<String> expressions = new ArrayList<>();
        for (QueryColumn column : someColumns(columns.size())) {
            String reference = "t." + column.name();
            expressions.add(switch (random.nextInt(12)) {
                case 0 -> reference + " IS NULL";
                case 1 -> "coalesce(%s, %s)".formatted(reference, literal(column.type(), column.randomValue(random)));
                case 2 -> "CASE WHEN %s THEN %s END".formatted(predicates.next(), reference);
                case 3 -> "1";
                default -> reference;
            });
        }
        return join(", ", expressions);
    }

    private String aggregates()
    {
        List<String> aggregates = new ArrayList<>();
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            aggregates.add(aggregate(column()));
        }
        return join(", ", aggregates);
    }

    private String aggregate(QueryColumn column)
    {
        String reference = "t." + column.name();
        return switch (random.nextInt(8)) {
            case 0 -> "count(*)";
            case 1 -> "count(%s)".formatted(reference);
            case 2 -> "count(DISTINCT %s)".formatted(reference);
            case 3 -> "checksum(%s)".formatted(reference);
            case 4 -> "count_if(%s)".formatted(predicates.next());
            case 5 -> "checksum(%s) FILTER (WHERE %s)".formatted(reference, predicates.next());
            default -> switch (column.type().getBaseName()) {
                // A sum of floating-point numbers depends on their order
                case StandardTypes.TINYINT, StandardTypes.SMALLINT, StandardTypes.INTEGER, StandardTypes.BIGINT -> "sum(CAST(%s AS decimal(38, 0)))".formatted(reference);
                case StandardTypes.JSON -> "bool_or(%s IS NULL)".formatted(reference);
                default -> "%s(%s)".formatted(random.nextBoolean() ? "min" : "max", reference);
            };
        };
    }

    private RandomQuery grouped()
    {
        String keys = references(someColumns(2));
        String having = random.nextInt(4) == 0 ? " HAVING count(*) > 1" : "";
        return new RandomQuery("SELECT %s, %s FROM %s t%s GROUP BY %s%s".formatted(keys, aggregates(), TABLE, where(), keys, having), false);
    }

    private RandomQuery limited()
    {
        int limit = 1 + random.nextInt(random.nextBoolean() ? 10 : 20_000);
        List<QueryColumn> orderable = someColumns(4).stream().filter(QueryColumn::isOrderable).toList();
        if (orderable.isEmpty() || random.nextInt(4) == 0) {
            // LIMIT may return any rows, but always the same number
            return new RandomQuery("SELECT count(*) FROM (SELECT * FROM %s t%s LIMIT %s)".formatted(TABLE, where(), limit), true);
        }
        String references = references(orderable);
        String order = orderable.stream()
                .map(column -> "t." + column.name() + (random.nextBoolean() ? " DESC" : "") + (random.nextBoolean() ? " NULLS FIRST" : ""))
                .collect(joining(", "));
        return new RandomQuery("SELECT %s FROM %s t%s ORDER BY %s LIMIT %s".formatted(references, TABLE, where(), order, limit), false);
    }

    private RandomQuery unioned()
    {
        List<QueryColumn> selected = someColumns(columns.size());
        String select = "SELECT %s FROM %s t WHERE ".formatted(references(selected), TABLE);
        return new RandomQuery(select + predicates.next() + " UNION ALL " + select + predicates.next(), true);
    }

    private RandomQuery joined()
    {
        // Trino cannot apply a dynamic filter to a type that is not orderable
        List<QueryColumn> keys = someColumns(random.nextInt(3) == 0 ? 3 : 1).stream().filter(QueryColumn::isOrderable).toList();
        if (keys.isEmpty()) {
            return grouped();
        }
        String filter = random.nextBoolean() ? "" : where();
        List<QueryColumn> selectedColumns = someColumns(columns.size());
        String selected = references(selectedColumns);
        // The engine may return the key of the other side of an inner join, and it plans other joins as inner joins
        boolean exact = disjoint(selectedColumns, keys);
        return switch (random.nextInt(12)) {
            case 0, 1, 2, 3 -> new RandomQuery("SELECT %s FROM %s t JOIN %s ON %s%s".formatted(selected, TABLE, build(keys), equalities(keys), filter), exact);
            case 4 -> new RandomQuery("SELECT %s, %s FROM %s t LEFT JOIN %s ON %s%s".formatted(selected, buildReferences(keys), TABLE, build(keys), equalities(keys), filter), false);
            case 5 -> new RandomQuery("SELECT %s, %s FROM %s t RIGHT JOIN %s ON %s".formatted(selected, buildReferences(keys), TABLE, build(keys), equalities(keys)), false);
            case 6 -> new RandomQuery("SELECT %s, %s FROM %s t FULL JOIN %s ON %s".formatted(selected, buildReferences(keys), TABLE, build(keys), equalities(keys)), false);
            case 7 -> semiJoin(selected, keys.getFirst(), exact);
            case 8 -> new RandomQuery("SELECT %s FROM %s t WHERE %sEXISTS (SELECT 1 FROM %s b WHERE %s)".formatted(selected, TABLE, random.nextBoolean() ? "NOT " : "", SMALL, equalities(keys)), exact);
            case 9 -> inequalityJoin(selected, keys.getFirst(), filter);
            case 10 -> scalarSubquery(selected, keys.getFirst(), exact);
            // A filter from the large table applies to the scan of the small one
            default -> new RandomQuery("SELECT count(*), checksum(b.%1$s), checksum(t.%1$s) FROM %2$s b JOIN (SELECT DISTINCT %3$s FROM %4$s t%5$s) t ON %6$s".formatted(
                    keys.getFirst().name(), SMALL, references(keys), TABLE, filter, equalities(keys)), true);
        };
    }

    private String equalities(List<QueryColumn> keys)
    {
        // If one of several join keys is null in all rows of the build side, Trino's dynamic filter drops all rows.
        // This happens with any connector, including its memory connector (trinodb/trino#26257)
        boolean nullsMatch = keys.size() == 1;
        return keys.stream()
                .map(key -> "t.%1$s %2$s b.%1$s".formatted(key.name(), random.nextInt(6) == 0 && nullsMatch ? "IS NOT DISTINCT FROM" : "="))
                .collect(joining(" AND "));
    }

    private static String buildReferences(List<QueryColumn> keys)
    {
        return keys.stream()
                .map(key -> "b." + key.name())
                .collect(joining(", "));
    }

    /**
     * Returns a build side with distinct values, so that the result is no longer than the table.
     */
    private String build(List<QueryColumn> keys)
    {
        String names = keys.stream().map(QueryColumn::name).collect(joining(", "));
        if (random.nextInt(3) == 0) {
            String rows = range(0, 1 + random.nextInt(12))
                    .mapToObj(_ -> keys.stream()
                            .map(key -> literal(key.type(), random.nextInt(10) == 0 ? null : key.randomValue(random)))
                            .collect(joining(", ", "(", ")")))
                    .collect(joining(", "));
            return "(SELECT DISTINCT %s FROM (VALUES %s) v (%s)) b".formatted(names, rows, names);
        }
        String filter = random.nextBoolean() ? "" : " WHERE " + smallPredicates.next();
        return "(SELECT DISTINCT %s FROM %s b%s) b".formatted(names, SMALL, filter);
    }

    private RandomQuery semiJoin(String selected, QueryColumn key, boolean exact)
    {
        String filter = random.nextBoolean() ? "" : " WHERE " + smallPredicates.next();
        String condition = "t.%1$s %2$sIN (SELECT b.%1$s FROM %3$s b%4$s)".formatted(key.name(), random.nextInt(3) == 0 ? "NOT " : "", SMALL, filter);
        if (random.nextInt(3) == 0) {
            condition += (random.nextBoolean() ? " OR " : " AND ") + predicates.next();
        }
        return new RandomQuery("SELECT %s FROM %s t WHERE %s".formatted(selected, TABLE, condition), exact);
    }

    private RandomQuery inequalityJoin(String selected, QueryColumn key, String filter)
    {
        String bound = literal(key.type(), key.randomValue(random));
        String operator = INEQUALITIES.get(random.nextInt(INEQUALITIES.size()));
        return new RandomQuery("SELECT %s FROM %s t JOIN (VALUES %s) b (bound) ON t.%s %s b.bound%s".formatted(selected, TABLE, bound, key.name(), operator, filter), true);
    }

    private RandomQuery scalarSubquery(String selected, QueryColumn key, boolean exact)
    {
        String operator = random.nextInt(5) == 0 ? "=" : INEQUALITIES.get(random.nextInt(INEQUALITIES.size()));
        return new RandomQuery("SELECT %1$s FROM %2$s t WHERE t.%3$s %4$s (SELECT %5$s(b.%3$s) FROM %6$s b)".formatted(selected, TABLE, key.name(), operator, random.nextBoolean() ? "min" : "max", SMALL), exact);
    }
}
