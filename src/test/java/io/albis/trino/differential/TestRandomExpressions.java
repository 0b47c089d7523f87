package io.albis.trino.differential;

import com.google.common.collect.ImmutableSet;
import io.albis.trino.AlbisQueryRunner;
import io.albis.trino.IndexSearches;
import io.albis.trino.RandomAccessPaths;
import io.albis.trino.differential.RandomOptions.Option;
import io.trino.Session;
import io.trino.spi.ErrorCode;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.QueryFailedException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;

import static io.trino.spi.StandardErrorCode.DIVISION_BY_ZERO;
import static io.trino.spi.StandardErrorCode.INVALID_CAST_ARGUMENT;
import static io.trino.spi.StandardErrorCode.INVALID_FUNCTION_ARGUMENT;
import static io.trino.spi.StandardErrorCode.NUMERIC_VALUE_OUT_OF_RANGE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Queries and deletes with random functions of columns, on random tables with and without dictionaries and indexes,
 * return the same rows and fail in the same way as with the memory connector. The system property expressions.seed
 * repeats a table.
 */
@TestInstance(PER_CLASS)
final class TestRandomExpressions
{
    private static final String SEED = "expressions.seed";
    private static final Set<ErrorCode> VALUE_ERRORS = ImmutableSet.of(
            DIVISION_BY_ZERO.toErrorCode(),
            INVALID_CAST_ARGUMENT.toErrorCode(),
            INVALID_FUNCTION_ARGUMENT.toErrorCode(),
            NUMERIC_VALUE_OUT_OF_RANGE.toErrorCode());

    private static final int MAX_FURTHER_TABLES = 20;

    private final IndexSearches searches = new IndexSearches();
    private DistributedQueryRunner queryRunner;
    private RandomOptions options;

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

    @Test
    void testRandomExpressions()
    {
        run(1, 15);
    }

    @Test
    @Tag("slow")
    void testManyRandomExpressions()
    {
        run(3, 50);
    }

    private void run(int tables, int predicates)
    {
        String seed = System.getProperty(SEED);
        if (seed != null) {
            new RandomTableOfValues(Long.parseLong(seed)).run(predicates);
            return;
        }
        long firstSeed = new Random().nextLong();
        int decided = 0;
        for (int i = 0; i < tables || ((decided == 0 || searches.excludedRows() == 0) && i < tables + MAX_FURTHER_TABLES); i++) {
            decided += new RandomTableOfValues(firstSeed + i).run(predicates);
        }
        // the others return no row or fail
        assertThat(decided).isPositive();
        searches.assertSearched();
    }

    /**
     * What a statement has returned.
     *
     * @param failed whether it has failed for a value. With several such values, the first one decides about the error
     */
    private record Outcome(List<Object> rows, boolean failed) {}

    private final class RandomTableOfValues
    {
        private final long seed;
        private final Random random;
        private final RandomExpressions expressions;
        private final String actual;
        private final List<String> log = new ArrayList<>();
        // a table for the rows after each delete
        private final List<String> expectedTables = new ArrayList<>();
        private String expected;

        RandomTableOfValues(long seed)
        {
            this.seed = seed;
            random = new Random(seed);
            expressions = new RandomExpressions(random);
            actual = "albis.tpch.expressions_" + Long.toUnsignedString(seed);
            expected = nextExpected();
        }

        private String nextExpected()
        {
            String name = "memory.default.expressions_%s_%s".formatted(Long.toUnsignedString(seed), expectedTables.size());
            expectedTables.add(name);
            return name;
        }

        /**
         * Returns the number of predicates that were true for some rows.
         */
        int run(int predicates)
        {
            try {
                queryRunner.execute("CREATE TABLE %s AS %s".formatted(expected, expressions.rows(500 + random.nextInt(9_500))));
                List<Option> writing = options.writing(random);
                writing.forEach(option -> log.add(option.toSql()));
                assertThat(execute("CREATE TABLE %s WITH (%s) AS SELECT * FROM %s".formatted(actual, properties(), expected), Option.apply(writing, queryRunner.getDefaultSession())).failed()).isFalse();
                int decided = 0;
                for (int i = 0; i < predicates; i++) {
                    if (random.nextInt(6) == 0) {
                        delete();
                    }
                    decided += compare() ? 1 : 0;
                }
                return decided;
            }
            catch (RuntimeException | AssertionError e) {
                throw new AssertionError("-D%s=%s\n%s".formatted(SEED, seed, String.join("\n", log)), e);
            }
            finally {
                queryRunner.execute("DROP TABLE IF EXISTS " + actual);
                expectedTables.forEach(table -> queryRunner.execute("DROP TABLE IF EXISTS " + table));
            }
        }

        private String properties()
        {
            return "layout = '%s', row_group_rows = %s, segment_size = '%skB'%s".formatted(
                    random.nextInt(4) == 0 ? "row" : "block",
                    500 + random.nextInt(10_000),
                    1 << random.nextInt(11),
                    RandomAccessPaths.properties(random, RandomExpressions.columns()));
        }

        private boolean compare()
        {
            boolean single = random.nextInt(3) > 0;
            String predicate = single ? expressions.ofColumn() : expressions.ofColumns();
            List<Option> reading = options.reading(random);
            reading.forEach(option -> log.add(option.toSql()));
            String query = "SELECT id FROM %s WHERE %s";
            Outcome reference = execute(query.formatted(expected, predicate), queryRunner.getDefaultSession());
            Outcome outcome = execute(query.formatted(actual, predicate), Option.apply(reading, queryRunner.getDefaultSession()));
            // A part of a predicate that removes a row first can hide that another part fails
            if (single || !reference.failed() || outcome.failed()) {
                assertThat(outcome).isEqualTo(reference);
            }
            return !reference.rows().isEmpty();
        }

        /**
         * Deletes rows, so that values remain in dictionaries and indexes without a row.
         */
        private void delete()
        {
            String predicate = expressions.ofColumn();
            String next = nextExpected();
            Outcome reference = execute("CREATE TABLE %s AS SELECT * FROM %s WHERE coalesce(NOT (%s), true)".formatted(next, expected, predicate), queryRunner.getDefaultSession());
            Outcome outcome = execute("DELETE FROM %s WHERE %s".formatted(actual, predicate), Option.apply(options.reading(random), queryRunner.getDefaultSession()));
            assertThat(outcome.failed()).isEqualTo(reference.failed());
            if (!reference.failed()) {
                expected = next;
            }
        }

        private Outcome execute(String sql, Session session)
        {
            log.add(sql);
            try {
                return new Outcome(queryRunner.execute(session, sql).getMaterializedRows().stream().map(row -> row.getField(0)).sorted().toList(), false);
            }
            catch (QueryFailedException e) {
                ErrorCode error = queryRunner.getCoordinator().getDispatchManager().getQueryInfo(e.getQueryId()).getErrorCode();
                if (!VALUE_ERRORS.contains(error)) {
                    throw e;
                }
                return new Outcome(List.of(), true);
            }
        }
    }
}
