package io.albis.trino.documented;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.airlift.configuration.Config;
import io.albis.trino.AlbisQueryRunner;
import io.albis.trino.config.AlbisConfig;
import io.albis.trino.config.AlbisListingConfig;
import io.albis.trino.config.AlbisMaintenanceConfig;
import io.albis.trino.config.AlbisReadConfig;
import io.albis.trino.handle.HiddenColumn;
import io.albis.trino.security.AlbisSecurityConfig;
import io.albis.trino.system.SystemTableType;
import io.trino.spi.connector.Connector;
import io.trino.spi.connector.TableProcedureMetadata;
import io.trino.spi.function.table.ConnectorTableFunction;
import io.trino.spi.procedure.Procedure;
import io.trino.spi.session.PropertyMetadata;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.MaterializedResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static io.albis.trino.AlbisQueryRunner.CATALOG;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Locale.ENGLISH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Runs the SQL statements of the pages for users, in their order. They succeed, except for those with a time or a
 * location that a test cannot have. A documented result has the columns of the statement before it. Its values may be
 * those of another table.
 */
final class TestDocumentedPages
{
    private static final Pattern BLOCK = Pattern.compile("(?m)^```sql\n(?<text>(?s:.*?))^```$(\n\n^```\n(?<header>.*)\n[-+]+$)?");
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
            "SELECT item, \"$row_group\"", ImmutableList.of("INSERT INTO albis.shop.sales VALUES (1, DATE '2018-07-11', 9.99), (2, DATE '2018-07-12', 0.50), (3, DATE '2018-07-13', 5.00)"),
            "SELECT * FROM albis.shop.\"visits$usage\"", ImmutableList.of(
                    "INSERT INTO albis.shop.visits SELECT n, TIMESTAMP '2026-01-01 00:00:00' + n * INTERVAL '1' MINUTE, 'page', 'agent' FROM UNNEST(sequence(1, 1000)) t (n)",
                    "SELECT page FROM albis.shop.visits WHERE at > TIMESTAMP '2026-01-01 01:00:00'",
                    "SELECT page FROM albis.shop.visits WHERE at < TIMESTAMP '2026-01-01 01:00:00'",
                    "SELECT max(page) FROM albis.shop.visits WHERE at > TIMESTAMP '2026-01-01 02:00:00'",
                    "SELECT id, agent FROM albis.shop.visits"),
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

    /**
     * @param columns names of the columns of the documented result; empty if the page has no table of it
     */
    private record Example(String statement, Optional<List<String>> columns) {}

    @ParameterizedTest
    @ValueSource(strings = {"connector", "maintenance", "schema-changes"})
    void testPage(String page)
            throws Exception
    {
        List<Example> examples = examples(page);
        assertThat(examples).hasSizeGreaterThan(8);
        try (DistributedQueryRunner queryRunner = AlbisQueryRunner.builder()
                .setWorkerCount(0)
                .addAlbisProperty("albis.register-table-procedure.enabled", "true")
                .build()) {
            TABLES.get(page).forEach(queryRunner::execute);
            for (Example example : examples) {
                String statement = example.statement();
                matching(BEFORE, statement).ifPresent(preparations -> preparations.forEach(queryRunner::execute));
                dropExisting(queryRunner, statement);
                Optional<String> failure = matching(FAILURES, statement);
                if (failure.isPresent()) {
                    assertThatThrownBy(() -> queryRunner.execute(statement)).as("%s: %s", page, statement).message().matches(Pattern.compile(failure.get(), Pattern.DOTALL));
                }
                else {
                    MaterializedResult result = run(queryRunner, page, statement);
                    example.columns().ifPresent(columns -> assertThat(result.getColumnNames()).as("%s: %s", page, statement).isEqualTo(columns));
                }
            }
        }
    }

    /**
     * The pages name everything that users can set, call, and query.
     */
    @Test
    void testNames()
            throws Exception
    {
        Set<String> documented = new HashSet<>();
        for (String page : TABLES.keySet()) {
            Pattern.compile("`\"?(?<name>[\\w.$-]+)\"?`").matcher(Files.readString(Path.of("docs", page + ".md"), UTF_8)).results()
                    .forEach(name -> documented.add(name.group("name")));
        }
        try (DistributedQueryRunner queryRunner = AlbisQueryRunner.builder().setWorkerCount(0).build()) {
            Connector connector = queryRunner.getCoordinator().getConnector(CATALOG);
            Set<String> names = new TreeSet<>();
            addProperties(connector.getSchemaProperties(), names);
            addProperties(connector.getTableProperties(), names);
            addProperties(connector.getMaterializedViewProperties(), names);
            addProperties(connector.getSessionProperties(), names);
            for (TableProcedureMetadata procedure : connector.getTableProcedures()) {
                names.add(procedure.getName().toLowerCase(ENGLISH));
                addProperties(procedure.getProperties(), names);
            }
            for (Procedure procedure : connector.getProcedures()) {
                names.add(procedure.getName());
                procedure.getArguments().forEach(argument -> names.add(argument.getName().toLowerCase(ENGLISH)));
            }
            for (ConnectorTableFunction function : connector.getTableFunctions()) {
                names.add(function.getName());
                function.getArguments().forEach(argument -> names.add(argument.getName().toLowerCase(ENGLISH)));
            }
            for (Class<?> config : List.of(AlbisConfig.class, AlbisListingConfig.class, AlbisMaintenanceConfig.class, AlbisReadConfig.class, AlbisSecurityConfig.class)) {
                Arrays.stream(config.getMethods())
                        .filter(method -> method.isAnnotationPresent(Config.class))
                        .forEach(method -> names.add(method.getAnnotation(Config.class).value()));
            }
            HiddenColumn.SELECTABLE.forEach(column -> names.add(column.columnName()));
            queryRunner.execute("CREATE TABLE albis.tpch.documented (a bigint, b bigint) WITH (partitioned_by = ARRAY['a'])");
            for (SystemTableType table : SystemTableType.values()) {
                String suffix = "$" + table.name().toLowerCase(ENGLISH);
                names.add(suffix);
                names.addAll(queryRunner.execute("SELECT * FROM albis.tpch.\"documented%s\"".formatted(suffix)).getColumnNames());
            }
            assertThat(names).hasSizeGreaterThan(100).isSubsetOf(documented);
        }
    }

    private static void addProperties(List<PropertyMetadata<?>> properties, Set<String> names)
    {
        properties.forEach(property -> names.add(property.getName()));
    }

    private static MaterializedResult run(DistributedQueryRunner queryRunner, String page, String statement)
    {
        try {
            return queryRunner.execute(statement);
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

    private static List<Example> examples(String page)
            throws IOException
    {
        List<Example> examples = new ArrayList<>();
        Matcher block = BLOCK.matcher(Files.readString(Path.of("docs", page + ".md"), UTF_8));
        while (block.find()) {
            List<String> statements = Pattern.compile(";\\s*(\n|$)").splitAsStream(block.group("text"))
                    .map(String::strip)
                    .filter(statement -> !statement.isEmpty())
                    // Generating more rows would only take time
                    .map(statement -> statement.replace("tpch.sf1.", "tpch.tiny."))
                    .toList();
            Optional<List<String>> columns = Optional.ofNullable(block.group("header")).map(header -> Splitter.on('|').trimResults().splitToList(header));
            for (int i = 0; i < statements.size(); i++) {
                examples.add(new Example(statements.get(i), i == statements.size() - 1 ? columns : Optional.empty()));
            }
        }
        return examples;
    }
}
