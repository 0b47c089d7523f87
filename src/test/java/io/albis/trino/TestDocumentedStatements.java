package io.albis.trino;

import io.airlift.slice.Slices;
import io.albis.format.metadata.ColumnGroupMetadata;
import io.albis.format.metadata.MetadataCodec;
import io.albis.format.run.Chunk;
import io.albis.format.run.ChunkEncoding;
import io.albis.format.run.Compression;
import io.albis.format.run.RunEncoding;
import io.trino.Session;
import io.trino.filesystem.Location;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.QueryRunner;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static io.trino.testing.TestingSession.testSessionBuilder;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs the statements of docs/format.md ("A statement for each part"), and compares the types and the encodings that it
 * names with those of the columns.
 */
final class TestDocumentedStatements
        extends AbstractTestQueryFramework
{
    private static final Pattern ROW = Pattern.compile("\\| (.+?) \\| `(.+)` \\|");
    private static final Pattern TYPE = Pattern.compile("`([a-z0-9(), ]+)`");
    private static final Pattern TABLE = Pattern.compile("CREATE TABLE (t_[a-z_]+) .*");
    private static final Pattern ENCODING = Pattern.compile(".*encoding `([a-z]+)`.*");
    private static final Pattern ENCODED_TABLE = Pattern.compile("CREATE TABLE (e_[a-z0-9_]+) .*");

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        QueryRunner queryRunner = AlbisQueryRunner.builder().build();
        queryRunner.execute("CREATE SCHEMA albis.parts");
        return queryRunner;
    }

    @Test
    void testStatementsOfThePage()
            throws IOException
    {
        Session session = testSessionBuilder(getSession())
                .setCatalog("albis")
                .setSchema("parts")
                .setSystemProperty("redistribute_writes", "false")
                .setSystemProperty("task_concurrency", "1")
                .setSystemProperty("task_min_writer_count", "1")
                .build();
        String page = Files.readString(Path.of("docs/format.md"), UTF_8);
        int start = page.indexOf("<!-- statements -->");
        Matcher row = ROW.matcher(page.substring(start, page.indexOf("\n## ", start)));
        int statements = 0;
        int types = 0;
        Map<String, Chunk> encodings = new HashMap<>();
        while (row.find()) {
            String statement = row.group(2).replace("\\|", "|");
            computeActual(session, statement);
            statements++;
            Matcher type = TYPE.matcher(row.group(1));
            Matcher table = TABLE.matcher(statement);
            if (table.matches()) {
                assertThat(type.matches()).isTrue();
                Object actual = computeScalar(session, "SELECT data_type FROM information_schema.columns WHERE table_schema = 'parts' AND table_name = '%s'".formatted(table.group(1)));
                assertThat(((String) actual).replace(", ", ",")).isEqualTo(type.group(1));
                types++;
            }
            Matcher encoding = ENCODING.matcher(row.group(1));
            Matcher encodedTable = ENCODED_TABLE.matcher(statement);
            if (encodedTable.matches()) {
                assertThat(encoding.matches()).isTrue();
                Chunk chunk = metadata(encodedTable.group(1)).chunk(0, 0);
                assertThat(chunk.encoding().getClass().getSimpleName()).isEqualToIgnoringCase(encoding.group(1));
                encodings.put(encodedTable.group(1), chunk);
            }
        }
        assertThat(statements).isGreaterThan(30);
        assertThat(types).isEqualTo(24);
        assertThat(encodings).hasSize(14);
        assertThat(compression(encodings.get("e_bytes"))).isEqualTo(Compression.NONE);
        assertThat(compression(encodings.get("e_lz4"))).isEqualTo(Compression.LZ4);
        assertThat(compression(encodings.get("e_zstd"))).isEqualTo(Compression.ZSTD);
        assertThat(encodings.get("e_unsorted").encoding()).isInstanceOfSatisfying(ChunkEncoding.Dictionary.class, dictionary -> assertThat(dictionary.sorted()).isFalse());
        assertThat(encodings.get("e_null_run").runs().getLast()).satisfies(run -> assertThat(run.nulls()).isEqualTo(10000 - 8192));
        assertThat(encodings.get("e_outlier").runs().getFirst().encoding()).isInstanceOfSatisfying(RunEncoding.Fixed.class, run -> assertThat(run.outliers()).isEqualTo(1));
        assertThat(encodings.get("e_bounds").runs()).hasSize(2)
                .allSatisfy(run -> assertThat(run.stored().length()).isEqualTo(0));
        assertThat(metadata("e_bounds").runStatistics(0, 0)).hasSize(2);
    }

    private static Compression compression(Chunk chunk)
    {
        return chunk.runs().getFirst().stored().compression();
    }

    /**
     * Returns the metadata of the first column group of a table.
     */
    private ColumnGroupMetadata metadata(String table)
            throws IOException
    {
        Path schema = getDistributedQueryRunner().getCoordinator().getBaseDataDir().resolve("albis/warehouse/parts");
        try (Stream<Path> files = Files.walk(folder(schema, table))) {
            Path file = files.filter(path -> path.endsWith("metadata")).findFirst().orElseThrow();
            return MetadataCodec.decode(Location.of("local://" + file), Optional.empty(), Slices.wrappedBuffer(Files.readAllBytes(file)));
        }
    }

    private static Path folder(Path schema, String table)
            throws IOException
    {
        try (Stream<Path> folders = Files.list(schema)) {
            return folders.filter(path -> path.getFileName().toString().startsWith(table + "-")).findFirst().orElseThrow();
        }
    }
}
