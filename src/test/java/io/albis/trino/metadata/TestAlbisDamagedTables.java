package io.albis.trino.metadata;

import com.google.common.collect.ImmutableList;
import io.albis.format.run.Segment;
import io.albis.trino.AlbisQueryRunner;
import io.albis.trino.error.AlbisErrorCode;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.QueryRunner;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.trino.error.AlbisErrorCode.ALBIS_BAD_DATA;
import static io.albis.trino.error.AlbisErrorCode.ALBIS_DATA_TOO_NEW;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A query on a damaged file fails with a dedicated error code and a message that names the file. Once the file is
 * repaired, queries return the correct rows.
 */
final class TestAlbisDamagedTables
        extends AbstractTestQueryFramework
{
    private static final String QUERY = "SELECT count(*), sum(nationkey), sum(regionkey), max(name), min(comment) FROM nation";

    private Path warehouse;

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        DistributedQueryRunner queryRunner = AlbisQueryRunner.builder()
                // A cached file is not read again, so its damage would go unnoticed
                .addAlbisProperty("albis.metadata-cache.max-size", "0B")
                .addAlbisProperty("albis.manifest-cache.max-size", "0B")
                .setWorkerCount(0)
                .build();
        warehouse = AlbisQueryRunner.warehouse(queryRunner);
        queryRunner.execute("CREATE TABLE nation WITH (column_groups = ARRAY[ARRAY['nationkey', 'name'], ARRAY['regionkey', 'comment']]) AS SELECT * FROM tpch.tiny.nation");
        return queryRunner;
    }

    // These checks run in sequence because they damage the same files
    @Test
    void test()
            throws IOException
    {
        testEveryFile();
        testNewerVersion();
        testDrop();
        testDamagedSchema();
    }

    private void testDrop()
            throws IOException
    {
        assertUpdate("CREATE SCHEMA damaged");
        for (String file : ImmutableList.of("tables", "versions")) {
            assertUpdate("CREATE TABLE damaged.numbers AS SELECT 1 AS number", 1);
            damage("damaged", file);
            assertTrinoExceptionThrownBy(() -> computeActual("TABLE damaged.numbers")).hasErrorCode(ALBIS_BAD_DATA);
            assertTrinoExceptionThrownBy(() -> computeActual("INSERT INTO damaged.numbers VALUES 2")).hasErrorCode(ALBIS_BAD_DATA);
            assertTrinoExceptionThrownBy(() -> computeActual("ALTER TABLE damaged.numbers RENAME TO damaged.others")).hasErrorCode(ALBIS_BAD_DATA);
            assertUpdate("DROP TABLE damaged.numbers");
            assertThat(computeActual("SHOW TABLES FROM damaged").getRowCount()).isZero();
        }
        assertUpdate("CREATE TABLE damaged.numbers AS SELECT 1 AS number", 1);
        damage("damaged", "tables");
        assertUpdate("DROP SCHEMA damaged CASCADE");
    }

    private void testDamagedSchema()
            throws IOException
    {
        for (String cascade : ImmutableList.of("", " CASCADE")) {
            assertUpdate("CREATE SCHEMA damaged");
            assertUpdate("CREATE TABLE damaged.numbers AS SELECT 1 AS number", 1);
            damage("damaged", ".schema");
            assertThat(computeActual("SHOW SCHEMAS").getOnlyColumnAsSet()).contains("damaged");
            assertThat(computeActual("SHOW TABLES FROM damaged").getOnlyColumnAsSet()).containsExactly("numbers");
            assertThat(computeScalar("SELECT number FROM damaged.numbers")).isEqualTo(1);
            assertThat(computeActual("SELECT table_name FROM information_schema.columns WHERE table_schema = 'damaged'").getRowCount()).isEqualTo(1);
            assertTrinoExceptionThrownBy(() -> computeActual("SHOW CREATE SCHEMA damaged")).hasErrorCode(ALBIS_BAD_DATA);
            assertTrinoExceptionThrownBy(() -> computeActual("CREATE TABLE damaged.more (a bigint)")).hasErrorCode(ALBIS_BAD_DATA);
            assertUpdate("CREATE TABLE damaged.more (a bigint) WITH (location = 'local:///warehouse/more')");
            assertUpdate("DROP TABLE damaged.more");
            if (cascade.isEmpty()) {
                assertUpdate("DROP TABLE damaged.numbers");
            }
            assertUpdate("DROP SCHEMA damaged" + cascade);
            assertThat(computeActual("SHOW SCHEMAS").getOnlyColumnAsSet()).doesNotContain("damaged");
        }
    }

    private void damage(String schema, String folder)
            throws IOException
    {
        try (Stream<Path> paths = Files.walk(warehouse.resolve(schema))) {
            for (Path path : paths.filter(path -> path.toString().endsWith(".json") && path.toString().contains("/" + folder + "/")).toList()) {
                Files.writeString(path, "junk");
            }
        }
    }

    private void testEveryFile()
            throws IOException
    {
        Object expected = computeActual(QUERY).getMaterializedRows();
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (Path file : files()) {
            byte[] bytes = Files.readAllBytes(file);
            // The zeros at the end of a data file have no checksum, and the reader does not need them
            int length = bytes.length - (file.endsWith("data") ? Segment.END_SLACK : 0);
            for (int i = 0; i < 4; i++) {
                byte[] damaged = bytes.clone();
                damaged[random.nextInt(length)] ^= (byte) (1 << random.nextInt(8));
                Files.write(file, damaged);
                assertFails(file, ALBIS_BAD_DATA, "seed " + seed);
                Files.write(file, Arrays.copyOf(bytes, random.nextInt(length)));
                assertFails(file, ALBIS_BAD_DATA, "seed " + seed);
            }
            Files.write(file, bytes);
            assertThat(computeActual(QUERY).getMaterializedRows()).isEqualTo(expected);
        }
    }

    private void testNewerVersion()
            throws IOException
    {
        Path version = files().stream().filter(file -> file.getParent().endsWith("versions")).findFirst().orElseThrow();
        String text = Files.readString(version);
        assertThat(text).contains("\"format\":2,");
        String body = text.substring(0, text.lastIndexOf('\n', text.length() - 2) + 1).replace("\"format\":2,", "\"format\":3,");
        CRC32C checksum = new CRC32C();
        checksum.update(body.getBytes(UTF_8));
        Files.writeString(version, body + "\"crc32c\":\"%08x\"}\n".formatted(checksum.getValue()));
        assertFails(version, ALBIS_DATA_TOO_NEW, "");
        Files.writeString(version, text);
        computeActual(QUERY);
    }

    private void assertFails(Path file, AlbisErrorCode code, String description)
    {
        assertTrinoExceptionThrownBy(() -> computeActual(QUERY)).as("%s, %s", file, description)
                .hasErrorCode(code)
                .hasMessageContaining(warehouse.relativize(file).toString());
    }

    /**
     * Returns all files except the hint, which Albis does not rely on.
     */
    private List<Path> files()
            throws IOException
    {
        try (Stream<Path> paths = Files.walk(warehouse.resolve("tpch"))) {
            List<Path> files = paths
                    .filter(Files::isRegularFile)
                    .filter(path -> !path.endsWith("hint") && !path.getParent().endsWith(".schema"))
                    .collect(toImmutableList());
            // The entry of the name, the version, the manifest, and two files for each column group
            assertThat(files).hasSizeGreaterThanOrEqualTo(7);
            return ImmutableList.copyOf(files);
        }
    }
}
