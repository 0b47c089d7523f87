package io.albis.trino.documented;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.trino.AlbisQueryRunner;
import io.trino.testing.DistributedQueryRunner;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Runs the SQL statements of the pages for users, in their order. They succeed, except for those with a time or a
 * location that a test cannot have.
 */
final class TestDocumentedPages
{
    private static final Pattern BLOCK = Pattern.compile("(?m)^```sql\n(?<text>(?s:.*?))^```$");
    private static final Pattern CREATE = Pattern.compile("CREATE (?<kind>TABLE|VIEW|MATERIALIZED VIEW|SCHEMA) (?<name>[\\w.]+).*", Pattern.DOTALL);
    // By page, the statements that create what its examples begin with
    private static final Map<String, List<String>> TABLES = ImmutableMap.of(
            "connector", ImmutableList.of(),
            "maintenance", ImmutableList.of(
                    "CREATE SCHEMA albis.shop",
                    "CREATE SCHEMA albis.archive",
                    "CREATE TABLE albis.shop.sales WITH (sorted_by = ARRAY['day']) AS SELECT DATE '2026-01-01' + n * INTERVAL '1' DAY AS day, n AS item FROM UNNEST(sequence(1, 100)) t (n)"),
            "schema-changes", ImmutableList.of(
                    "CREATE SCHEMA albis.shop",
                    "CREATE TABLE albis.shop.sales AS SELECT CAST(n AS integer) AS item, CAST(n AS decimal(7, 2)) AS price, 'Comment' AS comment FROM UNNEST(sequence(1, 10)) t (n)",
                    "CREATE TABLE albis.shop.baskets AS SELECT 1 AS id, MAP(ARRAY[VARCHAR 'a'], ARRAY[VARCHAR 'b']) AS tags"));
    // What exists before statements that begin with these words
    private static final Map<String, List<String>> BEFORE = ImmutableMap.of(
            "DELETE FROM albis.shop.sales", ImmutableList.of(
                    "CREATE TABLE albis.shop.sales AS SELECT n AS item, DATE '2018-01-01' + n * INTERVAL '1' DAY AS sold, CAST(n AS decimal(7, 2)) AS price FROM UNNEST(sequence(-5, 10)) t (n)",
                    "CREATE TABLE albis.shop.changes AS SELECT n AS item, CAST(IF(n = 3, NULL, 1) AS decimal(7, 2)) AS price FROM UNNEST(sequence(3, 20)) t (n)"),
            "ALTER TABLE albis.shop.visits EXECUTE regroup(", ImmutableList.of("INSERT INTO albis.shop.visits VALUES (1, TIMESTAMP '2026-01-01 00:00:00', 'page', 'agent')"),
            "ALTER TABLE albis.shop.orders SET PROPERTIES", ImmutableList.of("CREATE TABLE albis.shop.orders (item bigint, sold date, price decimal(7, 2), comment varchar)"),
            "CREATE OR REPLACE TABLE albis.shop.sales AS", ImmutableList.of("CREATE OR REPLACE TABLE albis.shop.sales AS SELECT 1 AS item, DATE '2018-01-01' AS sold, 1.00 AS price"));
    // Statements that fail in a test, and why
    private static final Map<String, String> FAILURES = ImmutableMap.of(
            "SELECT * FROM albis.shop.sales FOR TIMESTAMP AS OF", "Table 'shop.sales' has no version of .* or before.*",
            "CALL albis.system.register_table(", ".*s3://bucket/warehouse.*");

    @ParameterizedTest
    @ValueSource(strings = {"connector", "maintenance", "schema-changes"})
    void testPage(String page)
            throws Exception
    {
        List<String> statements = statements(page);
        assertThat(statements).hasSizeGreaterThan(8);
        try (DistributedQueryRunner queryRunner = AlbisQueryRunner.builder()
                .setWorkerCount(0)
                .addAlbisProperty("albis.register-table-procedure.enabled", "true")
                .build()) {
            TABLES.get(page).forEach(queryRunner::execute);
            for (String statement : statements) {
                matching(BEFORE, statement).ifPresent(preparations -> preparations.forEach(queryRunner::execute));
                dropExisting(queryRunner, statement);
                Optional<String> failure = matching(FAILURES, statement);
                if (failure.isPresent()) {
                    assertThatThrownBy(() -> queryRunner.execute(statement)).as("%s: %s", page, statement).message().matches(Pattern.compile(failure.get(), Pattern.DOTALL));
                }
                else {
                    run(queryRunner, page, statement);
                }
            }
        }
    }

    private static void run(DistributedQueryRunner queryRunner, String page, String statement)
    {
        try {
            queryRunner.execute(statement);
        }
        catch (RuntimeException e) {
            throw new AssertionError("%s: %s".formatted(page, statement), e);
        }
    }

    /**
     * The sections of a page are independent of each other, and some create tables of the same name.
     */
    private static void dropExisting(DistributedQueryRunner queryRunner, String statement)
    {
        Matcher create = CREATE.matcher(statement);
        if (create.matches() && !create.group("kind").equals("SCHEMA")) {
            queryRunner.execute("DROP %s IF EXISTS %s".formatted(create.group("kind"), create.group("name")));
        }
    }

    private static <T> Optional<T> matching(Map<String, T> values, String statement)
    {
        return values.entrySet().stream()
                .filter(entry -> statement.startsWith(entry.getKey()))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    private static List<String> statements(String page)
            throws IOException
    {
        List<String> statements = new ArrayList<>();
        Matcher block = BLOCK.matcher(Files.readString(Path.of("docs", page + ".md"), UTF_8));
        while (block.find()) {
            Pattern.compile(";\\s*(\n|$)").splitAsStream(block.group("text"))
                    .map(String::strip)
                    .filter(statement -> !statement.isEmpty())
                    // Generating more rows would only take time
                    .map(statement -> statement.replace("tpch.sf1.", "tpch.tiny."))
                    .forEach(statements::add);
        }
        return statements;
    }
}
