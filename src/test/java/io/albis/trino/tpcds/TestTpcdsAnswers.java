package io.albis.trino.tpcds;

import io.albis.trino.AlbisQueryRunner;
import io.albis.trino.tpcds.TpcdsComparison.Answer;
import io.trino.testing.DistributedQueryRunner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import static io.albis.trino.tpcds.TpcdsComparison.GENERATOR;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Checks that the recorded answers equal those of the TPC-DS generator.
 */
@Tag("slow")
final class TestTpcdsAnswers
{
    private final StringBuilder record = new StringBuilder();

    @Test
    void testRecord()
            throws Exception
    {
        try (DistributedQueryRunner queryRunner = AlbisQueryRunner.builder().setWorkerCount(0).build()) {
            TpcdsComparison generator = new TpcdsComparison(queryRunner, GENERATOR);
            for (String table : TpcdsComparison.tables(queryRunner)) {
                add("tiny." + table, generator.checksums(GENERATOR, "tiny", table));
            }
            TpcdsComparison.queries().forEach(query -> add(TpcdsComparison.name(query, "tiny"), generator.answer(GENERATOR, "tiny", query)));
            for (int query : TpcdsComparison.QUERIES_THAT_DIVIDE_BY_ZERO) {
                generator.assertDividesByZero(query, "tiny");
                add(TpcdsComparison.name(query, "sf1"), generator.answer(GENERATOR, "sf1", query));
            }
        }
        assertThat(record.toString()).as("the record; a new one is %s, to be copied to src/test/resources/io/albis/trino/tpcds", save()).isEqualTo(TpcdsAnswers.recordedText());
    }

    private void add(String name, Answer answer)
    {
        record.append(name).append(' ').append(TpcdsAnswers.checksum(answer.types(), answer.rows())).append('\n');
    }

    private Path save()
            throws IOException
    {
        Path file = Path.of("target", TpcdsAnswers.RESOURCE);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, record, UTF_8);
    }
}
