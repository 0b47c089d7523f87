package io.albis.trino.metadata;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.albis.trino.AlbisQueryRunner;
import io.trino.Session;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.MaterializedRow;
import io.trino.testing.QueryRunner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import static io.albis.trino.error.AlbisErrorCode.ALBIS_BAD_DATA;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * If two files of the same kind are exchanged, a query fails and names one of them, or returns the right rows. The
 * files are those of two tables with the same columns, and of two views.
 */
@Tag("slow")
final class TestAlbisSwappedFiles
        extends AbstractTestQueryFramework
{
    // by the table or view that they read
    private static final Map<String, List<String>> QUERIES = ImmutableMap.of(
            // the last one uses the index
            "t", ImmutableList.of("TABLE t", "SELECT * FROM t FOR VERSION AS OF 1", "SELECT v, w FROM t WHERE k = 1007"),
            "u", ImmutableList.of("TABLE u"),
            "x", ImmutableList.of("TABLE x"),
            "y", ImmutableList.of("TABLE y"));
    private static final Set<String> KINDS = Set.of("data", "metadata", "manifests", "versions", "deletes", "tables");

    private Path warehouse;

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        DistributedQueryRunner queryRunner = AlbisQueryRunner.builder()
                // A cached file is not read again, so its damage would go unnoticed
                .addAlbisProperty("albis.metadata-cache.max-size", "0B")
                .addAlbisProperty("albis.manifest-cache.max-size", "0B")
                .setInitialTables(ImmutableList.of())
                .setWorkerCount(0)
                .build();
        warehouse = AlbisQueryRunner.warehouse(queryRunner);
        Session inPlace = Session.builder(queryRunner.getDefaultSession())
                .setCatalogSessionProperty("albis", "update_rewrite_threshold", "0")
                .build();
        for (String table : ImmutableList.of("t", "u")) {
            // two row groups of two column groups, one of which is written again, and both of which have deleted rows
            queryRunner.execute("CREATE TABLE %s WITH (row_group_rows = 1000, column_groups = ARRAY[ARRAY['k'], ARRAY['v', 'w']], indexed_by = ARRAY['k']) AS SELECT n k, n * 2 v, '%s' || CAST(n AS varchar) w FROM UNNEST(sequence(1, 2000)) t (n)".formatted(table, table));
            queryRunner.execute("DELETE FROM %s WHERE k = 17".formatted(table));
            queryRunner.execute("DELETE FROM %s WHERE k = 1003".formatted(table));
            queryRunner.execute(inPlace, "UPDATE %s SET v = 0 WHERE k > 1000".formatted(table));
        }
        queryRunner.execute("CREATE VIEW x AS SELECT 1 n");
        queryRunner.execute("CREATE VIEW y AS SELECT 2 n");
        return queryRunner;
    }

    @Test
    void testSwappedFiles()
            throws IOException
    {
        Map<String, List<MaterializedRow>> expected = new HashMap<>();
        for (List<String> queries : QUERIES.values()) {
            for (String query : queries) {
                expected.put(query, computeActual(query).getMaterializedRows());
            }
        }
        List<Path[]> pairs = pairs();
        Set<String> checked = new HashSet<>();
        int failures = 0;
        for (Path[] pair : pairs) {
            swap(pair);
            for (String relation : ImmutableSet.of(relation(pair[0]), relation(pair[1]))) {
                for (String query : QUERIES.get(relation)) {
                    String description = "%s, %s and %s".formatted(query, name(pair[0]), name(pair[1]));
                    try {
                        assertThat(computeActual(query).getMaterializedRows()).as(description).containsExactlyInAnyOrderElementsOf(expected.get(query));
                    }
                    catch (RuntimeException e) {
                        assertNamed(e, pair, description);
                        failures++;
                    }
                }
            }
            checked.add(kind(pair[0]));
            swap(pair);
        }
        assertThat(checked).isEqualTo(KINDS);
        // some files are those of versions that no query reads
        assertThat(failures).isGreaterThan(pairs.size());
        expected.forEach((query, rows) -> assertThat(computeActual(query).getMaterializedRows()).as(query).containsExactlyInAnyOrderElementsOf(rows));
        System.out.println("Damage: TestAlbisSwappedFiles exchanged %s pairs of files, so that %s queries failed".formatted(pairs.size(), failures));
    }

    private void assertNamed(RuntimeException failure, Path[] pair, String description)
    {
        assertTrinoExceptionThrownBy(() -> {
            throw failure;
        }).as(description).hasErrorCode(ALBIS_BAD_DATA);
        assertThat(List.of(name(pair[0]), name(pair[1]))).as("%s: %s", description, failure.getMessage()).anyMatch(failure.getMessage()::contains);
    }

    /**
     * Returns all pairs of files of the same kind.
     */
    private List<Path[]> pairs()
            throws IOException
    {
        List<Path> files;
        try (Stream<Path> paths = Files.walk(warehouse.resolve("tpch"))) {
            files = paths.filter(Files::isRegularFile).filter(path -> KINDS.contains(kind(path))).sorted().toList();
        }
        List<Path[]> pairs = new ArrayList<>();
        for (int first = 0; first < files.size(); first++) {
            for (int second = first + 1; second < files.size(); second++) {
                if (kind(files.get(first)).equals(kind(files.get(second)))) {
                    pairs.add(new Path[] {files.get(first), files.get(second)});
                }
            }
        }
        return pairs;
    }

    private String kind(Path file)
    {
        Path path = warehouse.resolve("tpch").relativize(file);
        if (path.startsWith("tables")) {
            return file.toString().endsWith(".json") ? "tables" : "marker";
        }
        if (path.endsWith("hint")) {
            return "hint";
        }
        return path.getFileName().toString().endsWith("data") ? path.getFileName().toString() : path.getName(1).toString();
    }

    /**
     * Returns the name of the table or view to which a file belongs.
     */
    private String relation(Path file)
    {
        Path path = warehouse.resolve("tpch").relativize(file);
        return path.getName(path.startsWith("tables") ? 1 : 0).toString().substring(0, 1);
    }

    private String name(Path file)
    {
        return warehouse.relativize(file).toString();
    }

    private static void swap(Path[] pair)
            throws IOException
    {
        byte[] bytes = Files.readAllBytes(pair[0]);
        Files.write(pair[0], Files.readAllBytes(pair[1]));
        Files.write(pair[1], bytes);
    }
}
