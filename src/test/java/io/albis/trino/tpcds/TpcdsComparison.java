package io.albis.trino.tpcds;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.io.Resources;
import io.trino.Session;
import io.trino.spi.type.Type;
import io.trino.testing.MaterializedResult;
import io.trino.testing.QueryRunner;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.trino.testing.TestingSession.testSessionBuilder;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Compares the tables and queries of TPC-DS on a catalog with those on the catalog that generates them.
 */
public final class TpcdsComparison
{
    static final String GENERATOR = "tpcds";
    // These queries fail at scale tiny
    static final Set<Integer> QUERIES_THAT_DIVIDE_BY_ZERO = ImmutableSet.of(12, 90);
    // Takes as long as ten others
    static final int LONGEST_QUERY = 64;
    private static final String SEED = "tpcds.seed";

    // Precedes the name of a table in the text of a query. Two queries also contain it inside quotes
    private static final String PREFIX = "${database}.${schema}.";
    private static final Pattern TABLE = Pattern.compile("(?<![\"'])" + Pattern.quote(PREFIX) + "(\\w+)");

    // The answers that are not recorded
    private static final Map<String, Answer> GENERATED_ANSWERS = new ConcurrentHashMap<>();

    private final QueryRunner queryRunner;
    private final String catalog;

    public TpcdsComparison(QueryRunner queryRunner, String catalog)
    {
        this.queryRunner = requireNonNull(queryRunner, "queryRunner is null");
        this.catalog = requireNonNull(catalog, "catalog is null");
    }

    record Answer(List<Type> types, List<String> rows) {}

    /**
     * Returns the numbers of the queries that have a result at scale tiny.
     */
    public static IntStream queries()
    {
        return IntStream.rangeClosed(1, 99).filter(query -> !QUERIES_THAT_DIVIDE_BY_ZERO.contains(query));
    }

    /**
     * Returns the numbers of a random part of the queries, without the longest one, and prints them with their seed.
     *
     * @param divisor the number of all queries is divided by it
     */
    static Set<Integer> someQueries(int divisor)
    {
        long seed = Long.getLong(SEED, System.nanoTime());
        List<Integer> queries = new ArrayList<>(queries().filter(query -> query != LONGEST_QUERY).boxed().toList());
        Collections.shuffle(queries, new Random(seed));
        Set<Integer> some = ImmutableSet.copyOf(queries.subList(0, queries.size() / divisor));
        System.out.println("Some queries of TPC-DS, with -D%s=%s: %s".formatted(SEED, seed, some));
        return some;
    }

    public static List<String> tables(QueryRunner queryRunner)
    {
        List<String> tables = queryRunner.execute("SELECT table_name FROM tpcds.information_schema.tables WHERE table_schema = 'tiny' AND table_name <> 'dbgen_version'").getOnlyColumn()
                .map(String.class::cast)
                .sorted()
                .collect(toImmutableList());
        assertThat(tables).hasSize(24);
        return tables;
    }

    /**
     * Creates those of the tables that do not exist yet, in a schema with the same name.
     */
    public void load(String schema, Collection<String> tables)
    {
        queryRunner.execute("CREATE SCHEMA IF NOT EXISTS %s.%s".formatted(catalog, schema));
        for (String table : tables) {
            queryRunner.execute("CREATE TABLE IF NOT EXISTS %1$s.%2$s.%3$s AS SELECT * FROM tpcds.%2$s.%3$s".formatted(catalog, schema, table));
        }
    }

    /**
     * Returns the tables that a query reads.
     */
    public static Set<String> tables(int query)
    {
        return TABLE.matcher(queryTemplate(query)).results()
                .map(table -> table.group(1))
                .collect(toImmutableSet());
    }

    public void assertSameTable(String table, String schema)
    {
        String columns = "SELECT column_name, data_type FROM %s.information_schema.columns WHERE table_schema = '%s' AND table_name = '%s' ORDER BY ordinal_position";
        assertThat(queryRunner.execute(columns.formatted(catalog, schema, table)).getMaterializedRows()).as(table)
                .isEqualTo(queryRunner.execute(columns.formatted(GENERATOR, schema, table)).getMaterializedRows());
        assertSame("%s.%s".formatted(schema, table), checksums(catalog, schema, table), () -> checksums(GENERATOR, schema, table));
    }

    /**
     * Returns the number of rows and an order-independent checksum of each column.
     */
    Answer checksums(String catalog, String schema, String table)
    {
        String checksums = queryRunner.execute("SELECT column_name FROM tpcds.information_schema.columns WHERE table_schema = 'tiny' AND table_name = '%s' ORDER BY ordinal_position".formatted(table)).getOnlyColumn()
                .map("to_hex(checksum(%s))"::formatted)
                .collect(Collectors.joining(", "));
        return answer(queryRunner.execute("SELECT count(*), %s FROM %s.%s.%s".formatted(checksums, catalog, schema, table)));
    }

    public void assertSameRows(int query, String schema)
    {
        assertSame(name(query, schema), answer(catalog, schema, query), () -> answer(GENERATOR, schema, query));
    }

    // The answer of the generator is authoritative, and only it shows which rows differ
    private static void assertSame(String name, Answer actual, Supplier<Answer> generator)
    {
        if (TpcdsAnswers.isRecorded(name, actual.types(), actual.rows())) {
            return;
        }
        Answer expected = GENERATED_ANSWERS.computeIfAbsent(name, _ -> generator.get());
        assertThat(actual.types()).as(name).isEqualTo(expected.types());
        if (!actual.rows().equals(expected.rows())) {
            // Rows with equal ORDER BY keys may come in any order
            assertThat(actual.rows()).as(name).containsExactlyInAnyOrderElementsOf(expected.rows());
        }
    }

    static String name(int query, String schema)
    {
        return "%s.q%02d".formatted(schema, query);
    }

    Answer answer(String catalog, String schema, int query)
    {
        return answer(queryRunner.execute(session(catalog, schema), queryText(query)));
    }

    private static Answer answer(MaterializedResult result)
    {
        return new Answer(ImmutableList.copyOf(result.getTypes()), rows(result));
    }

    public void assertDividesByZero(int query, String schema)
    {
        assertThatThrownBy(() -> answer(catalog, schema, query))
                .as("q%s on %s", query, catalog)
                .hasMessageContaining("Division by zero");
    }

    private static List<String> rows(MaterializedResult result)
    {
        return result.getMaterializedRows().stream()
                .map(row -> Joiner.on(" | ").useForNull("NULL").join(row.getFields().stream()
                        .map(TpcdsComparison::rounded)
                        .toArray()))
                .collect(toImmutableList());
    }

    // A sum of floating-point numbers depends on the order of rows
    private static Object rounded(Object value)
    {
        if (value instanceof Double number && Double.isFinite(number)) {
            return new BigDecimal(number).round(new MathContext(9)).stripTrailingZeros();
        }
        return value;
    }

    private static Session session(String catalog, String schema)
    {
        return testSessionBuilder()
                .setCatalog(catalog)
                .setSchema(schema)
                .build();
    }

    private static String queryText(int query)
    {
        return queryTemplate(query).replace(PREFIX, "");
    }

    private static String queryTemplate(int query)
    {
        try {
            return Resources.toString(Resources.getResource("sql/presto/tpcds/q%02d.sql".formatted(query)), UTF_8);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
