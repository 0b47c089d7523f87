package io.albis.trino.differential;

import com.google.common.collect.ImmutableMultiset;
import com.google.common.collect.Multiset;
import io.albis.trino.AlbisQueryRunner;
import io.albis.trino.IndexSearches;
import io.albis.trino.differential.RandomOptions.Option;
import io.trino.Session;
import io.trino.testing.MaterializedResult;
import io.trino.testing.MaterializedRow;
import io.trino.testing.QueryRunner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import static io.albis.trino.AlbisQueryRunner.CATALOG;
import static io.albis.trino.AlbisQueryRunner.SCHEMA;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Runs random statements on a table. The memory connector, which has few of them, computes the expected rows with
 * queries: each statement creates a new table from the previous one. Queries search the indexes of the table. A seed in
 * a system property repeats one round.
 */
@TestInstance(PER_CLASS)
abstract class BaseRandomStatementsTest
{
    private static final int MAX_FURTHER_ROUNDS = 20;

    private final IndexSearches searches = new IndexSearches();
    private final String seedProperty;
    private final String table;
    private final int statements;

    private QueryRunner queryRunner;
    private RandomOptions options;

    /**
     * @param table prefix of the names of the tables
     * @param statements number of statements in a round
     */
    BaseRandomStatementsTest(String seedProperty, String table, int statements)
    {
        this.seedProperty = requireNonNull(seedProperty, "seedProperty is null");
        this.table = requireNonNull(table, "table is null");
        this.statements = statements;
    }

    @BeforeAll
    void start()
            throws Exception
    {
        queryRunner = AlbisQueryRunner.builder()
                .setEventListener(searches)
                .build();
        options = new RandomOptions(queryRunner);
    }

    @AfterAll
    void stop()
    {
        queryRunner.close();
    }

    abstract Round createRound(long seed);

    /**
     * Runs rounds, and further ones if no statement has changed a row or no query has searched an index, because the
     * test would then compare little.
     */
    final void run(int rounds)
    {
        String seed = System.getProperty(seedProperty);
        if (seed != null) {
            createRound(Long.parseLong(seed)).run();
            return;
        }
        long firstSeed = new Random().nextLong();
        long changedRows = 0;
        for (int round = 0; round < rounds || ((changedRows == 0 || searches.excludedRows() == 0) && round < rounds + MAX_FURTHER_ROUNDS); round++) {
            changedRows += createRound(firstSeed + round).run();
        }
        assertThat(changedRows).isPositive();
        searches.assertSearched();
    }

    abstract class Round
    {
        final Random random;
        final String actual;

        private final List<String> log = new ArrayList<>();
        private final String expectedPrefix;
        private int expectedNumber;
        private Session session;

        Round(long seed)
        {
            random = new Random(seed);
            log.add("-D%s=%s".formatted(seedProperty, seed));
            List<Option> searching = RandomOptions.searching(random);
            searching.forEach(option -> log.add(option.toSql()));
            session = Option.apply(searching, queryRunner.getDefaultSession());
            String name = "%s_%s".formatted(table, Long.toUnsignedString(seed));
            actual = "%s.%s.%s".formatted(CATALOG, SCHEMA, name);
            expectedPrefix = "memory.default.%s_".formatted(name);
        }

        /**
         * Returns the query for the first rows.
         */
        abstract String firstRows();

        abstract String properties();

        /**
         * Runs a statement, and {@link #nextExpected} with what it should do. Returns the number of changed rows.
         */
        abstract long statement();

        abstract void compare();

        private long run()
        {
            long changedRows = 0;
            try {
                expect("CREATE TABLE %s AS %s".formatted(expected(), firstRows()));
                execute("CREATE TABLE %s %s AS SELECT * FROM %s".formatted(actual, properties(), expected()));
                compare();
                for (int i = 0; i < statements; i++) {
                    List<Option> reading = new ArrayList<>(options.reading(random));
                    reading.add(new Option(CATALOG + ".update_rewrite_threshold", random.nextBoolean() ? "0" : String.valueOf(random.nextDouble())));
                    reading.add(new Option(CATALOG + ".update_buffer_size", random.nextBoolean() ? "64MB" : random.nextInt(100_000) + "B"));
                    reading.add(new Option(CATALOG + ".expire_snapshots_min_retention", "0s"));
                    reading.add(new Option(CATALOG + ".remove_orphan_files_min_retention", "0s"));
                    reading.forEach(option -> log.add(option.toSql()));
                    session = Option.apply(reading, queryRunner.getDefaultSession());
                    changedRows += statement();
                    compare();
                }
                return changedRows;
            }
            catch (RuntimeException | AssertionError e) {
                throw new AssertionError(String.join("\n", log), e);
            }
            finally {
                expect("DROP TABLE IF EXISTS " + actual);
                for (int number = 0; number <= expectedNumber; number++) {
                    expect("DROP TABLE IF EXISTS " + expectedPrefix + number);
                }
            }
        }

        /**
         * Returns the name of the table of the memory connector with the expected rows.
         */
        final String expected()
        {
            return expectedPrefix + expectedNumber;
        }

        /**
         * Creates the next table with expected rows.
         */
        final void nextExpected(String query)
        {
            expect("CREATE TABLE %s AS %s".formatted(expectedPrefix + (expectedNumber + 1), query));
            expectedNumber++;
        }

        /**
         * Runs a statement on the table, with random session properties.
         */
        final MaterializedResult execute(String sql)
        {
            log.add(sql);
            return read(sql);
        }

        final long newestVersion()
        {
            return (long) expect("SELECT max(snapshot_id) FROM " + actual.replaceFirst("[^.]+$", "\"$0\\$snapshots\"")).getOnlyValue();
        }

        /**
         * Replaces row groups by others with the same rows.
         *
         * @param where empty, or a condition that selects row groups
         */
        final void optimize(String where)
        {
            String arguments = random.nextBoolean() ? "" : "(row_group_size => '%skB')".formatted(4 << random.nextInt(10));
            rewrite("optimize" + arguments, where);
        }

        /**
         * Runs a procedure that writes row groups again.
         *
         * @param where selects row groups; empty for all
         */
        final void rewrite(String procedure, String where)
        {
            String sql = "ALTER TABLE %s EXECUTE %s %s".formatted(actual, procedure, where);
            if (where.isEmpty()) {
                execute(sql);
            }
            else {
                // The connector accepts the whole predicate only with row filtering
                log.add(sql);
                expect(sql);
            }
        }

        final MaterializedResult read(String sql)
        {
            return queryRunner.execute(session, sql);
        }

        /**
         * Runs a statement with the default session properties.
         */
        final MaterializedResult expect(String sql)
        {
            return queryRunner.execute(sql);
        }

        final Multiset<MaterializedRow> rows(String table, String predicate)
        {
            return ImmutableMultiset.copyOf(read("SELECT * FROM %s WHERE %s".formatted(table, predicate)).getMaterializedRows());
        }
    }
}
