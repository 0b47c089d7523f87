package io.albis.trino;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import com.google.common.io.Resources;
import io.albis.format.AlbisLayout;
import io.trino.Session;
import io.trino.testing.MaterializedResult;
import io.trino.testing.MaterializedRow;
import io.trino.testing.QueryRunner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.testing.TestingSession.testSessionBuilder;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * The tables and queries of TPC-DS: the same on Albis as on the catalog that generates them.
 */
@TestInstance(PER_CLASS)
class TestAlbisTpcds
{
    // The least scale at which q12 and q90, which divide by zero at tiny, have an answer
    private static final String LARGER_SCHEMA = "sf1";
    private static final List<String> LARGER_TABLES = ImmutableList.of("web_sales", "item", "date_dim", "household_demographics", "time_dim", "web_page");

    // generating the rows takes most of the time, and they are the same for all classes
    private static final Map<String, List<MaterializedRow>> GENERATED_CHECKSUMS = new ConcurrentHashMap<>();

    private QueryRunner queryRunner;
    private final Session session = session("albis", "tiny");

    @BeforeAll
    void setup()
            throws Exception
    {
        queryRunner = AlbisQueryRunner.builder()
                .addAlbisProperty("albis.default-layout", layout().name())
                .setWorkerCount(0)
                .build();
        queryRunner.execute(session, "CREATE SCHEMA albis.tiny");
        for (String table : tables()) {
            queryRunner.execute(session, "CREATE TABLE albis.tiny.%1$s AS SELECT * FROM tpcds.tiny.%1$s".formatted(table));
        }
    }

    @AfterAll
    void close()
    {
        queryRunner.close();
    }

    protected AlbisLayout layout()
    {
        return AlbisLayout.BLOCK;
    }

    private List<String> tables()
    {
        List<String> tables = queryRunner.execute(session, "SELECT table_name FROM tpcds.information_schema.tables WHERE table_schema = 'tiny' AND table_name <> 'dbgen_version'").getOnlyColumn()
                .map(String.class::cast)
                .sorted()
                .collect(toImmutableList());
        assertThat(tables).hasSize(24);
        return tables;
    }

    @Test
    void testTables()
    {
        tables().forEach(table -> assertSameTable(table, "tiny"));
    }

    @Test
    @Tag("slow")
    void testTablesAtScaleFactorOne()
    {
        queryRunner.execute(session, "CREATE SCHEMA albis.complete_sf1 WITH (location = 'local:///complete_sf1')");
        for (String table : tables()) {
            queryRunner.execute(session, "CREATE TABLE albis.complete_sf1.%1$s AS SELECT * FROM tpcds.sf1.%1$s".formatted(table));
            assertThat(checksums("albis.complete_sf1." + table, table)).as(table).isEqualTo(generatedChecksums("sf1", table));
        }
    }

    private void assertSameTable(String table, String schema)
    {
        String columns = "SELECT column_name, data_type FROM %s.information_schema.columns WHERE table_schema = '%s' AND table_name = '%s' ORDER BY ordinal_position";
        assertThat(queryRunner.execute(session, columns.formatted("albis", schema, table)).getMaterializedRows()).as(table)
                .isEqualTo(queryRunner.execute(session, columns.formatted("tpcds", schema, table)).getMaterializedRows());
        assertThat(checksums("albis.%s.%s".formatted(schema, table), table)).as(table)
                .isEqualTo(generatedChecksums(schema, table));
    }

    private List<MaterializedRow> generatedChecksums(String schema, String table)
    {
        return GENERATED_CHECKSUMS.computeIfAbsent("tpcds.%s.%s".formatted(schema, table), name -> checksums(name, table));
    }

    /**
     * The number of rows, and a checksum of each column that does not depend on their order.
     */
    private List<MaterializedRow> checksums(String qualifiedTable, String table)
    {
        String checksums = queryRunner.execute(session, "SELECT column_name FROM tpcds.information_schema.columns WHERE table_schema = 'tiny' AND table_name = '%s' ORDER BY ordinal_position".formatted(table)).getOnlyColumn()
                .map("checksum(%s)"::formatted)
                .collect(Collectors.joining(", "));
        return queryRunner.execute(session, "SELECT count(*), %s FROM %s".formatted(checksums, qualifiedTable)).getMaterializedRows();
    }

    static IntStream queries()
    {
        return IntStream.rangeClosed(1, 99).filter(query -> query != 12 && query != 90);
    }

    @ParameterizedTest
    @MethodSource("queries")
    void testQuery(int query)
    {
        assertSameRows(query, "tiny");
    }

    @ParameterizedTest
    @ValueSource(ints = {12, 90})
    void testQueryThatDividesByZero(int query)
    {
        for (String catalog : ImmutableList.of("albis", "tpcds")) {
            assertThatThrownBy(() -> queryRunner.execute(session(catalog, "tiny"), queryText(query)))
                    .as("q%s on %s", query, catalog)
                    .hasMessageContaining("Division by zero");
        }
    }

    @Test
    void testQueriesThatDivideByZeroAtLargerScale()
    {
        queryRunner.execute(session, "CREATE SCHEMA albis.%s".formatted(LARGER_SCHEMA));
        for (String table : LARGER_TABLES) {
            queryRunner.execute(session, "CREATE TABLE albis.%1$s.%2$s AS SELECT * FROM tpcds.%1$s.%2$s".formatted(LARGER_SCHEMA, table));
        }
        assertSameRows(12, LARGER_SCHEMA);
        assertSameRows(90, LARGER_SCHEMA);
    }

    private void assertSameRows(int query, String schema)
    {
        MaterializedResult actual = queryRunner.execute(session("albis", schema), queryText(query));
        MaterializedResult expected = queryRunner.execute(session("tpcds", schema), queryText(query));
        assertThat(actual.getTypes()).isEqualTo(expected.getTypes());
        List<String> actualRows = rows(actual);
        List<String> expectedRows = rows(expected);
        if (!actualRows.equals(expectedRows)) {
            // rows that are equal in what ORDER BY names may come in any order
            assertThat(actualRows).containsExactlyInAnyOrderElementsOf(expectedRows);
        }
    }

    private static List<String> rows(MaterializedResult result)
    {
        return result.getMaterializedRows().stream()
                .map(row -> Joiner.on(" | ").useForNull("NULL").join(row.getFields().stream()
                        .map(TestAlbisTpcds::rounded)
                        .toArray()))
                .collect(toImmutableList());
    }

    // sums of floating point numbers depend on the order of rows
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

    // Two of the queries have the placeholder inside of string literals as well
    private static String queryText(int query)
    {
        try {
            return Resources.toString(Resources.getResource("sql/presto/tpcds/q%02d.sql".formatted(query)), UTF_8)
                    .replace("${database}.${schema}.", "");
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
