package io.albis.trino.tpcds;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.albis.trino.AlbisQueryRunner;
import io.albis.trino.tpcds.TpcdsComparison.Answer;
import io.trino.testing.DistributedQueryRunner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.Set;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.albis.trino.tpcds.TpcdsComparison.GENERATOR;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Checks that recorded answers equal those of the TPC-DS generator: those of all tables at scale tiny, of a ninth of
 * the queries, and of one table at scale 1. A new record has all of them.
 */
@Tag("slow")
final class TestTpcdsAnswers
{
    private static final String GENERATED = "generated";
    private static final String RECORD = "tpcds.record";

    private final StringBuilder record = new StringBuilder();

    @Test
    void testRecord()
            throws Exception
    {
        try (DistributedQueryRunner queryRunner = AlbisQueryRunner.builder().setWorkerCount(0).build()) {
            // The queries read the generated rows from memory, because generating them takes longer than all queries
            queryRunner.createCatalog(GENERATED, "memory", ImmutableMap.of("memory.max-data-per-node", "1GB"));
            TpcdsComparison generated = new TpcdsComparison(queryRunner, GENERATED);
            List<String> tables = TpcdsComparison.tables(queryRunner);
            generated.load("tiny", tables);
            for (String table : tables) {
                add("tiny." + table, generated.checksums(GENERATED, "tiny", table));
            }
            Set<Integer> generatedQueries = generatedQueries();
            TpcdsComparison.queries().forEach(query -> {
                String name = TpcdsComparison.name(query, "tiny");
                if (generatedQueries.contains(query)) {
                    add(name, generated.answer(GENERATED, "tiny", query));
                }
                else {
                    add(name, TpcdsAnswers.recorded(name));
                }
            });
            Set<String> generatedTables = generatedTables(tables);
            for (String table : tables) {
                String name = "sf1." + table;
                if (generatedTables.contains(table)) {
                    add(name, generated.checksums(GENERATOR, "sf1", table));
                }
                else {
                    add(name, TpcdsAnswers.recorded(name));
                }
            }
            for (int query : TpcdsComparison.QUERIES_THAT_DIVIDE_BY_ZERO) {
                generated.assertDividesByZero(query, "tiny");
                add(TpcdsComparison.name(query, "sf1"), generated.answer(GENERATOR, "sf1", query));
            }
        }
        assertThat(record.toString()).as("the record; a new one is %s, to be copied to src/test/resources/io/albis/trino/tpcds", save()).isEqualTo(TpcdsAnswers.recordedText());
    }

    /**
     * Returns the queries to run on generated tables. A wrong checksum of another one does not pass unnoticed, because
     * {@link TestAlbisTpcds} then fails.
     */
    private static Set<Integer> generatedQueries()
    {
        if (Boolean.getBoolean(RECORD)) {
            return TpcdsComparison.queries().boxed().collect(toImmutableSet());
        }
        return TpcdsComparison.someQueries(9);
    }

    /**
     * Returns the tables to generate at scale 1: one, or all for a new record, which takes minutes. A wrong checksum of
     * another one does not pass unnoticed, because {@link TestTpcdsScaleFactorOne} then generates the table.
     */
    private static Set<String> generatedTables(List<String> tables)
    {
        if (Boolean.getBoolean(RECORD)) {
            return ImmutableSet.copyOf(tables);
        }
        String table = tables.get(new Random().nextInt(tables.size()));
        System.out.println("Table of TPC-DS that is generated at scale 1: " + table);
        return ImmutableSet.of(table);
    }

    private void add(String name, Answer answer)
    {
        add(name, TpcdsAnswers.checksum(answer.types(), answer.rows()));
    }

    private void add(String name, String checksum)
    {
        record.append(name).append(' ').append(checksum).append('\n');
    }

    private Path save()
            throws IOException
    {
        Path file = Path.of("target", TpcdsAnswers.RESOURCE);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, record, UTF_8);
    }
}
