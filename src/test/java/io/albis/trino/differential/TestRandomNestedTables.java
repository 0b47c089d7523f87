package io.albis.trino.differential;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.format.BlockEquality;
import io.albis.format.RandomNestedBlocks;
import io.albis.trino.AlbisQueryRunner;
import io.albis.trino.IndexSearches;
import io.albis.trino.RandomAccessPaths;
import io.albis.trino.differential.RandomOptions.Option;
import io.trino.Session;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.LongArrayBlock;
import io.trino.spi.connector.ColumnMetadata;
import io.trino.spi.type.RowType;
import io.trino.spi.type.Type;
import io.trino.testing.DistributedQueryRunner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import static io.albis.trino.AlbisQueryRunner.CATALOG;
import static io.albis.trino.AlbisQueryRunner.SCHEMA;
import static io.albis.trino.differential.PagesPlugin.CONNECTOR_NAME;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.RealType.REAL;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Runs random statements on tables with random rows, arrays, and maps of all shapes. As in
 * {@link TestRandomRowChanges}, the memory connector computes the rows of each version with queries.
 */
@TestInstance(PER_CLASS)
final class TestRandomNestedTables
{
    private static final String SEED = "nested.seed";
    private static final int STATEMENTS = 3;
    private static final int ROWS = 1000;
    private static final int MAX_FURTHER_ROUNDS = 20;

    private final Map<String, PagesTable> pagesTables = new ConcurrentHashMap<>();
    private final IndexSearches searches = new IndexSearches();
    private DistributedQueryRunner queryRunner;
    private PageQueries queries;
    private RandomOptions options;

    @BeforeAll
    void start()
            throws Exception
    {
        queryRunner = AlbisQueryRunner.builder()
                .setEventListener(searches)
                .build();
        queryRunner.installPlugin(new PagesPlugin(pagesTables));
        queryRunner.createCatalog(CONNECTOR_NAME, CONNECTOR_NAME, ImmutableMap.of());
        queries = new PageQueries(queryRunner.getCoordinator());
        options = new RandomOptions(queryRunner);
    }

    @AfterAll
    void stop()
    {
        queryRunner.close();
    }

    @Test
    void testRandomTables()
    {
        testRandomTables(1);
    }

    @Test
    @Tag("slow")
    void testManyRandomTables()
    {
        testRandomTables(5);
    }

    private void testRandomTables(int rounds)
    {
        String seed = System.getProperty(SEED);
        if (seed != null) {
            new Round(Long.parseLong(seed)).run();
            return;
        }
        long firstSeed = new Random().nextLong();
        int rows = 0;
        // otherwise the test would compare nothing
        for (int round = 0; round < rounds || ((rows == 0 || searches.excludedRows() == 0) && round < rounds + MAX_FURTHER_ROUNDS); round++) {
            rows += new Round(firstSeed + round).run();
        }
        assertThat(rows).isPositive();
        searches.assertSearched();
    }

    private final class Round
    {
        private final long seed;
        private final Random random;
        private final List<String> log = new ArrayList<>();
        private final List<Type> types;
        private final List<String> columns;
        // the names of the expected tables, by version
        private final List<String> expected = new ArrayList<>();
        private final String actual;
        // created so far, including those of statements that changed nothing
        private int tables;
        private Session session = queryRunner.getDefaultSession();

        private Round(long seed)
        {
            this.seed = seed;
            random = new Random(seed);
            log.add("-D%s=%s".formatted(SEED, seed));
            types = IntStream.range(0, 1 + random.nextInt(3))
                    .mapToObj(_ -> RandomNestedBlocks.randomType(random, 1 + random.nextInt(4)))
                    .toList();
            columns = IntStream.range(0, types.size())
                    .mapToObj("c%s"::formatted)
                    .toList();
            types.forEach(type -> log.add(type.getDisplayName()));
            actual = "%s.%s.nested_%s".formatted(CATALOG, SCHEMA, Long.toUnsignedString(seed));
        }

        private int run()
        {
            try {
                addPages("rows", 0, 1 + random.nextInt(ROWS));
                next("SELECT * FROM pages.default.rows");
                execute("CREATE TABLE %s%s AS SELECT * FROM %s".formatted(actual, properties(), newest()));
                int rows = compare(actual, newest(), "");
                for (int i = 0; i < STATEMENTS; i++) {
                    List<Option> settings = new ArrayList<>(options.reading(random));
                    settings.add(new Option(CATALOG + ".update_rewrite_threshold", random.nextBoolean() ? "0" : "1"));
                    settings.add(new Option(CATALOG + ".sort_buffer_size", random.nextBoolean() ? "1kB" : "64MB"));
                    settings.forEach(option -> log.add(option.toSql()));
                    session = Option.apply(settings, queryRunner.getDefaultSession());
                    statement();
                    rows += compare(actual, newest(), "");
                    rows += compare(actual, newest(), " WHERE " + predicate());
                    compareLeaves();
                }
                int version = 1 + random.nextInt(expected.size());
                rows += compare("%s FOR VERSION AS OF %s".formatted(actual, version), expected.get(version - 1), "");
                return rows;
            }
            catch (RuntimeException | AssertionError e) {
                throw new AssertionError(String.join("\n", log), e);
            }
            finally {
                queryRunner.execute("DROP TABLE IF EXISTS " + actual);
                expected.forEach(table -> queryRunner.execute("DROP TABLE IF EXISTS " + table));
                pagesTables.clear();
            }
        }

        private String newest()
        {
            return expected.getLast();
        }

        /**
         * Creates the expected table of the next version.
         */
        private void next(String query)
        {
            tables++;
            String name = "memory.default.nested_%s_%s".formatted(Long.toUnsignedString(seed), tables);
            queryRunner.execute("CREATE TABLE %s AS %s".formatted(name, query));
            expected.add(name);
        }

        /**
         * Makes rows with random values readable in SQL.
         */
        private void addPages(String name, long firstId, int rows)
        {
            ImmutableList.Builder<ColumnMetadata> metadata = ImmutableList.builder();
            metadata.add(new ColumnMetadata("id", BIGINT));
            for (int column = 0; column < types.size(); column++) {
                metadata.add(new ColumnMetadata(columns.get(column), types.get(column)));
            }
            double nulls = random.nextInt(3) * 0.25;
            int elements = random.nextInt(8);
            ImmutableList.Builder<Page> pages = ImmutableList.builder();
            for (int begin = 0; begin < rows; ) {
                int count = Math.min(rows - begin, 1 + random.nextInt(ROWS));
                Block[] blocks = new Block[1 + types.size()];
                blocks[0] = new LongArrayBlock(count, Optional.empty(), LongStream.range(firstId + begin, firstId + begin + count).toArray());
                for (int column = 0; column < types.size(); column++) {
                    blocks[column + 1] = RandomNestedBlocks.randomBlock(random, types.get(column), count, nulls, elements);
                }
                pages.add(new Page(blocks));
                begin += count;
            }
            pagesTables.put(name, new PagesTable(metadata.build(), pages.build()));
        }

        private String properties()
        {
            String groups = switch (random.nextInt(4)) {
                case 2 -> "layout = 'row', ";
                case 0 -> "column_groups = ARRAY[ARRAY['id']], column_group_layouts = ARRAY['row'], ";
                case 1 -> "column_groups = ARRAY[%s], ".formatted(columns.stream().map("ARRAY['%s']"::formatted).collect(joining(", ")));
                default -> "";
            };
            String compression = random.nextInt(3) == 0 ? "compression = 'lz4', " : "";
            // Nested columns have no index and no order
            return " WITH (%s%srow_group_rows = %s, segment_size = '%skB'%s)".formatted(groups, compression, 100 + random.nextInt(ROWS), 1 << random.nextInt(10), RandomAccessPaths.properties(random, ImmutableList.of("id")));
        }

        private String predicate()
        {
            int id = random.nextInt(ROWS);
            String column = columns.get(random.nextInt(columns.size()));
            return switch (random.nextInt(5)) {
                case 0 -> "id BETWEEN %s AND %s".formatted(id, id + random.nextInt(ROWS));
                case 1 -> column + " IS NULL";
                case 2 -> column + " IS NOT NULL AND id > " + id;
                case 3 -> "%s IS NULL OR id %% 3 = 0".formatted(column);
                default -> "id %% %s = 0".formatted(1 + random.nextInt(20));
            };
        }

        private void statement()
        {
            switch (random.nextInt(6)) {
                case 0 -> insert();
                case 1 -> delete();
                case 2 -> update();
                case 3 -> regroup();
                case 4 -> optimize();
                default -> merge();
            }
        }

        private void insert()
        {
            addPages("added", random.nextInt(10 * ROWS), 1 + random.nextInt(ROWS));
            String rows = "SELECT * FROM pages.default.added WHERE id NOT IN (SELECT id FROM %s)".formatted(newest());
            // the rows that the statement reads are those before it
            String statement = "INSERT INTO %s %s".formatted(actual, rows);
            next("SELECT * FROM %s UNION ALL %s".formatted(newest(), rows));
            change(statement);
        }

        private void delete()
        {
            String predicate = predicate();
            next("SELECT * FROM %s WHERE NOT (%s)".formatted(newest(), predicate));
            change("DELETE FROM %s WHERE %s".formatted(actual, predicate));
        }

        private void update()
        {
            String predicate = predicate();
            String updated = columns.get(random.nextInt(columns.size()));
            String values = columns.stream()
                    .map(column -> column.equals(updated) ? "IF(%s, NULL, %s) %s".formatted(predicate, column, column) : column)
                    .collect(joining(", "));
            next("SELECT id, %s FROM %s".formatted(values, newest()));
            change("UPDATE %s SET %s = NULL WHERE %s".formatted(actual, updated, predicate));
        }

        private void regroup()
        {
            next("SELECT * FROM " + newest());
            List<String> all = ImmutableList.<String>builder().add("id").addAll(columns).build();
            change("ALTER TABLE %s EXECUTE %s".formatted(actual, RandomGrouping.call(random, all)));
        }

        /**
         * Merges small row groups, or sorts all of them.
         */
        private void optimize()
        {
            next("SELECT * FROM " + newest());
            String arguments = switch (random.nextInt(3)) {
                case 0 -> "";
                case 1 -> "(row_group_size => '%skB')".formatted(4 << random.nextInt(10));
                default -> "(sorted_by => ARRAY['id%s'])".formatted(random.nextBoolean() ? "" : " DESC");
            };
            change("ALTER TABLE %s EXECUTE optimize%s".formatted(actual, arguments));
        }

        private void merge()
        {
            addPages("changes", random.nextInt(ROWS), 1 + random.nextInt(ROWS));
            String updated = columns.get(random.nextInt(columns.size()));
            int modulus = 2 + random.nextInt(5);
            String values = columns.stream()
                    .map(column -> column.equals(updated) ? "IF(s.id IS NULL, t.%s, s.%s) %s".formatted(column, column, column) : "t." + column)
                    .collect(joining(", "));
            next(
                    """
                    SELECT t.id, %s FROM %s t LEFT JOIN pages.default.changes s ON t.id = s.id WHERE s.id IS NULL OR s.id %% %s <> 0
                    UNION ALL
                    SELECT * FROM pages.default.changes WHERE id NOT IN (SELECT id FROM %s)
                    """.formatted(values, newest(), modulus, newest()));
            change(
                    """
                    MERGE INTO %s t USING pages.default.changes s ON t.id = s.id
                    WHEN MATCHED AND s.id %% %s = 0 THEN DELETE
                    WHEN MATCHED THEN UPDATE SET %s = s.%s
                    WHEN NOT MATCHED THEN INSERT VALUES (s.id, %s)
                    """.formatted(actual, modulus, updated, updated, columns.stream().map("s."::concat).collect(joining(", "))));
        }

        private void change(String sql)
        {
            execute(sql);
            long version = (long) queryRunner.execute("SELECT max(snapshot_id) FROM " + actual.replace(SCHEMA + ".", SCHEMA + ".\"") + "$snapshots\"").getOnlyValue();
            if (version < expected.size()) {
                // a statement that changes no rows may create no version
                queryRunner.execute("DROP TABLE " + expected.remove(expected.size() - 2));
            }
        }

        private void execute(String sql)
        {
            log.add(sql);
            queryRunner.execute(session, sql);
        }

        private int compare(String actual, String expected, String predicate)
        {
            String rest = predicate + " ORDER BY id";
            return compare("SELECT * FROM %s%s".formatted(actual, rest), "SELECT * FROM %s%s".formatted(expected, rest));
        }

        private void compareLeaves()
        {
            RandomLeaf leaf = RandomLeaf.choose(random, columns, types);
            RandomLeaf other = RandomLeaf.choose(random, columns, types);
            compareOn("SELECT id, %s FROM %%TABLE%% WHERE %s ORDER BY id".formatted(leaf.expression(), random.nextBoolean() ? "true" : predicate()));
            compareOn("SELECT * FROM %%TABLE%% WHERE %s ORDER BY id".formatted(leaf.predicate(random)));
            compareOn("SELECT id, %s FROM %%TABLE%% WHERE %s AND %s ORDER BY id".formatted(other.expression(), leaf.predicate(random), other.predicate(random)));
            // Trino cannot make dynamic filters of other types, and IN compares the fields of a row one by one.
            // Its dynamic filters of rows look for a real number by its bits, so they drop 0.0 if the list has -0.0
            if (leaf.type().isOrderable() && !(leaf.type() instanceof RowType) && leaf.type() != REAL) {
                compareOn("SELECT id, %1$s FROM %%TABLE%% WHERE %1$s IN (SELECT %1$s FROM %%TABLE%% WHERE id %% 10 = 0) ORDER BY id".formatted(leaf.expression()));
            }
        }

        private void compareOn(String sql)
        {
            compare(sql.replace("%TABLE%", actual), sql.replace("%TABLE%", newest()));
        }

        private int compare(String actualSql, String expectedSql)
        {
            log.add(actualSql);
            QueryPages actual = queries.execute(session, actualSql);
            QueryPages expected = queries.execute(queryRunner.getDefaultSession(), expectedSql);
            log.removeLast();
            assertThat(actual.types()).isEqualTo(expected.types());
            List<Position> actualRows = positions(actual);
            List<Position> expectedRows = positions(expected);
            assertThat(actualRows).as(actualSql).hasSameSizeAs(expectedRows);
            BlockEquality equality = new BlockEquality(_ -> true);
            for (int row = 0; row < actualRows.size(); row++) {
                for (int channel = 0; channel < actual.types().size(); channel++) {
                    Position one = actualRows.get(row);
                    Position other = expectedRows.get(row);
                    if (!equality.isEqual(actual.types().get(channel), one.page().getBlock(channel), one.index(), other.page().getBlock(channel), other.index())) {
                        throw new AssertionError("%s: row %s differs in channel %s".formatted(actualSql, row, channel));
                    }
                }
            }
            return actualRows.size();
        }
    }

    private record Position(Page page, int index) {}

    private static List<Position> positions(QueryPages result)
    {
        return result.pages().stream()
                .flatMap(page -> IntStream.range(0, page.getPositionCount()).mapToObj(index -> new Position(page, index)))
                .toList();
    }
}
