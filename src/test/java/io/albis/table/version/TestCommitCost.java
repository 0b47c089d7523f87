package io.albis.table.version;

import com.google.common.collect.ImmutableMap;
import io.albis.table.HookedFileSystem;
import io.albis.table.HookedFileSystem.Hook;
import io.albis.table.HookedFileSystem.Kind;
import io.albis.table.HookedFileSystem.Operation;
import io.albis.table.Warehouse;
import io.albis.table.WarehouseOptions;
import io.albis.table.row.ReadSet;
import io.trino.filesystem.Location;
import io.trino.filesystem.local.LocalFileSystem;
import io.trino.filesystem.memory.MemoryFileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import static io.albis.table.TableFixtures.POLICY;
import static io.albis.table.TableFixtures.TYPE_RESOLVER;
import static io.albis.table.TableFixtures.assertSketches;
import static io.albis.table.TableFixtures.createTable;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.TableFixtures.rowGroupIds;
import static io.albis.table.TableFixtures.rows;
import static io.albis.table.TableFixtures.warehouse;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * In a table with many single-row INSERTs, the last commits cost about as much as the first ones. The test counts
 * operations and bytes, as time depends on the machine.
 */
class TestCommitCost
{
    // Each window merges manifests of up to 3 levels, so that windows are comparable
    private static final int WINDOW = 512;

    private final Costs costs = new Costs();

    @Test
    void testOneThousandCommits()
    {
        appendAndCompare(1_024, warehouse(new HookedFileSystem(new MemoryFileSystem(), costs)));
    }

    @Test
    @Tag("slow")
    void testTenThousandCommits(@TempDir Path folder)
    {
        // The time of a listing in the file system in memory grows with all files. On local disks, a commit links the
        // file of the version past the file system, so that only the next lookup, which reads it, counts its bytes.
        appendAndCompare(10_240, new Warehouse(new HookedFileSystem(new LocalFileSystem(folder), costs), Location.of("local:///warehouse"), TYPE_RESOLVER, WarehouseOptions.DEFAULT.withLocalRoot(folder).withPolicy(POLICY)));
    }

    private void appendAndCompare(int commits, Warehouse warehouse)
    {
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
        createTable(warehouse, "s", "t");
        Set<UUID> expected = new HashSet<>();
        Costs first = new Costs();
        int mostManifests = 0;
        for (int i = 0; i < commits; i++) {
            if (i % WINDOW == 0) {
                costs.clear();
            }
            AlbisTable base = load(warehouse, "s", "t");
            AlbisTable appended = warehouse.append(base, rows(oneRow()), ReadSet.BLIND);
            mostManifests = Math.max(mostManifests, appended.version().manifests().size());
            if (i == WINDOW - 1) {
                first = costs.copy();
            }
        }
        Costs last = costs.copy();
        System.out.printf(
                "%s commits of one row, each with a look-up of the table; per commit%n  the first %s: %s%n  the last %s:  %s%n  at most %s manifests%n",
                commits,
                WINDOW,
                first,
                WINDOW,
                last,
                mostManifests);

        AlbisTable table = load(warehouse, "s", "t");
        expected.addAll(rowGroupIds(table));
        assertThat(expected).hasSize(commits);
        assertSketches(table, commits);
        assertThat(table.version().version()).isEqualTo(commits + 1);
        assertThat(mostManifests).isLessThanOrEqualTo(35);
        // The only listings are those of the names of the schema and the table, by the lookup
        assertThat(last.operations.getOrDefault(Kind.LIST, 0L)).isEqualTo(2 * WINDOW);
        assertThat(last.totalOperations()).isLessThan((long) (first.totalOperations() * 1.1));
        // The bytes grow with the logarithm of the number of commits, as the list of manifests in a version does
        assertThat(last.bytes).isLessThan((long) (first.bytes * 1.5));
    }

    private static final class Costs
            implements Hook
    {
        private final Map<Kind, Long> operations = new EnumMap<>(Kind.class);
        private long bytes;

        @Override
        public void after(Operation operation)
        {
            operations.merge(operation.kind(), 1L, Long::sum);
            bytes += operation.bytes();
        }

        void clear()
        {
            operations.clear();
            bytes = 0;
        }

        Costs copy()
        {
            Costs copy = new Costs();
            copy.operations.putAll(operations);
            copy.bytes = bytes;
            return copy;
        }

        long totalOperations()
        {
            return operations.values().stream().mapToLong(Long::longValue).sum();
        }

        @Override
        public String toString()
        {
            return "%.2f operations %s, %s bytes".formatted((double) totalOperations() / WINDOW, operations, bytes / WINDOW);
        }
    }
}
