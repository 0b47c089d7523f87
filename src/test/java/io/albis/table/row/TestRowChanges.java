package io.albis.table.row;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.albis.format.delete.DeletedPositions;
import io.albis.format.delete.DeletesReader;
import io.albis.format.delete.DeletesWriter;
import io.albis.format.metadata.DeletedRows;
import io.albis.format.metadata.PartitionValue;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisColumn;
import io.albis.table.HookedFileSystem;
import io.albis.table.HookedFileSystem.Hook;
import io.albis.table.HookedFileSystem.Kind;
import io.albis.table.HookedFileSystem.Operation;
import io.albis.table.Warehouse;
import io.albis.table.json.JsonFiles;
import io.albis.table.json.JsonKind;
import io.albis.table.model.IsolationLevel;
import io.albis.table.model.ManifestEntry;
import io.albis.table.model.PartitionTransform;
import io.albis.table.model.TableDefinition;
import io.albis.table.model.TableException;
import io.albis.table.model.TableRows;
import io.albis.table.model.TableVersion;
import io.albis.table.path.TablePaths;
import io.albis.table.row.ReadSet.Scan;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.memory.MemoryFileSystem;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import static io.airlift.slice.Slices.utf8Slice;
import static io.albis.table.TableFixtures.DEFINITION;
import static io.albis.table.TableFixtures.TYPE_RESOLVER;
import static io.albis.table.TableFixtures.assertRefused;
import static io.albis.table.TableFixtures.createTable;
import static io.albis.table.TableFixtures.files;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.TableFixtures.overwrite;
import static io.albis.table.TableFixtures.rowGroupIds;
import static io.albis.table.TableFixtures.rows;
import static io.albis.table.TableFixtures.warehouse;
import static io.albis.table.model.TableException.Reason.CONFLICT;
import static io.albis.table.model.TableException.Reason.TABLE_NOT_FOUND;
import static io.albis.table.model.TableOperation.DELETE;
import static io.albis.table.model.TableOperation.OVERWRITE;
import static io.albis.table.model.TableVersion.ROW_DELETES;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.IntStream.range;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Commits that delete rows; see {@link TestRandomRowChanges} for random ones.
 */
class TestRowChanges
{
    private static final AlbisColumn NAME = new AlbisColumn(2, "name", VARCHAR);
    private static final ReadSet WHERE = ReadSet.ofDelete(Scan.of(TupleDomain.all()));

    private final MemoryFileSystem fileSystem = new MemoryFileSystem();
    private final Warehouse warehouse = warehouse(fileSystem);

    @BeforeEach
    void setUp()
    {
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
    }

    @Test
    void testDelete()
            throws IOException
    {
        RowGroup changed = rowGroup(10);
        RowGroup other = rowGroup(5);
        AlbisTable created = createTable(warehouse, "s", "t", changed, other);
        assertThat(created.version().features()).isEmpty();

        AlbisTable deleted = warehouse.change(created, delete(created, Map.of(changed.id(), new int[] {3, 7})), WHERE);
        assertThat(deleted.rowCount()).isEqualTo(13);
        assertThat(deleted.version().operation()).isEqualTo("delete");
        assertThat(deleted.version().summary())
                .containsEntry("deleted-records", "2")
                .containsEntry("changed-row-groups", "1")
                .containsEntry("deleted-data-files", "0")
                .doesNotContainKey("added-records");
        assertThat(deleted.version().features()).containsExactly(ROW_DELETES);
        assertDeleted(load(warehouse, "s", "t"), changed.id(), 3, 7);
        assertDeleted(load(warehouse, "s", "t"), other.id());
        // A reader keeps its version
        assertThat(created.rowGroups()).allMatch(rowGroup -> rowGroup.deletedRows().isEmpty());

        // Without its last rows, a row group is dropped, and the table needs no feature
        AlbisTable none = warehouse.change(deleted, delete(deleted, Map.of(changed.id(), range(0, 10).filter(row -> row != 3 && row != 7).toArray())), WHERE);
        assertThat(rowGroupIds(none)).containsExactly(other.id());
        assertThat(none.version().summary())
                .containsEntry("deleted-records", "8")
                .containsEntry("deleted-data-files", "1")
                .containsEntry("added-files-size", "0")
                .containsEntry("removed-files-size", String.valueOf(changed.bytes()));
        assertThat(none.version().features()).isEmpty();
    }

    /**
     * The name has no bounds, so only the partitions tell that rows with another name were added.
     */
    @Test
    void testOtherPartitions()
    {
        RowGroup removed = named("a");
        AlbisTable base = createTable(warehouse, "s", "t", removed, named("b"));
        RowChange change = new RowChange(TableRows.NONE, Map.of(), ImmutableSet.of(removed.id()), DELETE);
        ReadSet named = ReadSet.ofDelete(Scan.of(TupleDomain.withColumnDomains(ImmutableMap.of(NAME, Domain.singleValue(VARCHAR, utf8Slice("a"))))));
        warehouse.append(base, rows(named("b"), named("c")), ReadSet.BLIND);
        AlbisTable changed = warehouse.change(base, change, named);
        assertThat(changed.rowGroups()).hasSize(3).extracting(RowGroup::id).doesNotContain(removed.id());

        RowGroup added = named("a");
        AlbisTable next = warehouse.append(changed, rows(added), ReadSet.BLIND);
        RowChange another = new RowChange(TableRows.NONE, Map.of(), ImmutableSet.of(added.id()), DELETE);
        warehouse.append(next, rows(named("a")), ReadSet.BLIND);
        assertRefused(CONFLICT, () -> warehouse.change(next, another, named));
        // its writer did not know the partitions
        AlbisTable newest = load(warehouse, "s", "t");
        warehouse.append(newest, rows(oneRow()), ReadSet.BLIND);
        assertRefused(CONFLICT, () -> warehouse.change(newest, another, named));
    }

    private static RowGroup named(String name)
    {
        return oneRow().withPartition(ImmutableList.of(new PartitionValue(NAME.id(), PartitionTransform.IDENTITY.code(), 0, Optional.of(name.getBytes(UTF_8)))));
    }

    @Test
    void testEmptyChange()
    {
        AlbisTable table = createTable(warehouse, "s", "t", rowGroup(10));
        assertThat(warehouse.change(table, new RowChange(TableRows.NONE, Map.of(), ImmutableSet.of(), DELETE), WHERE)).isSameAs(table);
        assertThat(load(warehouse, "s", "t").version().version()).isEqualTo(1);
    }

    @Test
    void testTruncate()
            throws IOException
    {
        AlbisTable base = createTable(warehouse, "s", "t", rowGroup(10), rowGroup(20));
        warehouse.append(base, rows(rowGroup(5)), ReadSet.BLIND);
        List<Operation> reads = new ArrayList<>();
        Warehouse counting = warehouse(new HookedFileSystem(fileSystem, new Hook()
        {
            @Override
            public void before(Operation operation)
            {
                if (operation.location().path().contains("/manifests/")) {
                    reads.add(operation);
                }
            }
        }));
        AlbisTable truncated = counting.truncate(base);
        assertThat(reads).isEmpty();
        assertThat(truncated.rowCount()).isEqualTo(0);
        assertThat(truncated.version().operation()).isEqualTo("truncate");
        assertThat(truncated.version().summary()).isEqualTo(ImmutableMap.of(
                "deleted-records", "35",
                "deleted-data-files", "3",
                "removed-files-size", String.valueOf(warehouse.history(truncated).get(2).bytes())));
        assertThat(load(warehouse, "s", "t").rowGroups()).isEmpty();
        assertThat(warehouse.truncate(base).version().version()).isEqualTo(3);
        warehouse.append(base, rows(rowGroup(7)), ReadSet.BLIND);
        assertThat(load(warehouse, "s", "t").rowCount()).isEqualTo(7);
        // A DELETE that began earlier finds nothing
        assertThat(warehouse.change(base, delete(base, Map.of(base.rowGroups().getFirst().id(), new int[] {1})), ReadSet.ofDelete(Scan.of(TupleDomain.none()))).version().version()).isEqualTo(4);
    }

    @ParameterizedTest
    @EnumSource(IsolationLevel.class)
    void testUpdateConflicts(IsolationLevel isolation)
            throws IOException
    {
        RowGroup shared = rowGroup(10);
        TableDefinition definition = new TableDefinition(DEFINITION.columns(), DEFINITION.columnGroups(), ImmutableMap.of(IsolationLevel.PROPERTY, isolation.name()), Optional.empty(), Optional.empty());
        AlbisTable base = warehouse.createTable(warehouse.newTable("s", "t", definition), rows(shared, rowGroup(5)));
        ReadSet readSet = ReadSet.wholeTable();
        warehouse.change(base, update(base, shared.id(), 1, 2), readSet);
        int files = files(fileSystem, base.folder()).size();

        RowChange sameRow = update(base, shared.id(), 2, 3);
        assertThatThrownBy(() -> warehouse.change(base, sameRow, readSet))
                .isInstanceOfSatisfying(TableException.class, e -> assertThat(e.reason()).isEqualTo(CONFLICT))
                .hasMessageEndingWith("Retry the statement");
        // Only the files of the caller remain
        assertThat(files(fileSystem, base.folder()).size()).isEqualTo(files + 1);
        RowChange otherRow = update(base, shared.id(), 3);
        if (isolation == IsolationLevel.SERIALIZABLE) {
            assertRefused(CONFLICT, () -> warehouse.change(base, otherRow, readSet));
        }
        else {
            warehouse.change(base, otherRow, readSet);
            assertDeleted(load(warehouse, "s", "t"), shared.id(), 1, 2, 3);
        }
        // The row may have been moved by the UPDATE, so deleting the old one is not enough
        RowChange deleted = delete(base, Map.of(shared.id(), new int[] {2}));
        assertRefused(CONFLICT, () -> warehouse.change(base, deleted, WHERE));
        RowChange removed = new RowChange(TableRows.NONE, Map.of(), ImmutableSet.of(shared.id()), DELETE);
        assertRefused(CONFLICT, () -> warehouse.change(base, removed, WHERE));
    }

    @Test
    void testChangedColumns()
            throws IOException
    {
        RowGroup rowGroup = rowGroup(10);
        AlbisTable base = createTable(warehouse, "s", "t", rowGroup);
        TableVersion altered = base.version().next(UUID.randomUUID(), Instant.now())
                .withColumns(ImmutableList.of(base.version().columns().getFirst(), base.version().columns().getLast().withNullable(false)));
        assertThat(altered.schemaId()).isEqualTo(2);
        overwrite(fileSystem, new TablePaths(base.folder()).version(2).toString(), new JsonFiles(TYPE_RESOLVER).write(JsonKind.VERSION, altered.commitId(), altered));
        for (ReadSet readSet : List.of(ReadSet.BLIND, WHERE, ReadSet.wholeTable())) {
            assertRefused(CONFLICT, () -> warehouse.append(base, rows(oneRow()), readSet));
            RowChange deleted = delete(base, Map.of(rowGroup.id(), new int[] {2}));
            assertRefused(CONFLICT, () -> warehouse.change(base, deleted, readSet));
        }
        warehouse.truncate(base);
        assertThat(load(warehouse, "s", "t").rowCount()).isEqualTo(0);
    }

    @Test
    void testDroppedTable()
            throws IOException
    {
        RowGroup rowGroup = rowGroup(10);
        AlbisTable base = createTable(warehouse, "s", "t", rowGroup);
        RowChange deleted = delete(base, Map.of(rowGroup.id(), new int[] {2}));
        warehouse.dropTable(base);
        assertRefused(TABLE_NOT_FOUND, () -> warehouse.change(base, deleted, WHERE));
        assertRefused(TABLE_NOT_FOUND, () -> warehouse.truncate(base));
    }

    /**
     * What a commit writes depends on the row groups that it changes, and not on those of the table.
     */
    @Test
    @Tag("slow")
    void testOneOfManyRowGroups()
            throws IOException
    {
        RowGroup[] rowGroups = range(0, 100_000).mapToObj(_ -> rowGroup(100)).toArray(RowGroup[]::new);
        long[] written = new long[1];
        Warehouse counting = warehouse(new HookedFileSystem(fileSystem, new Hook()
        {
            @Override
            public void after(Operation operation)
            {
                if (operation.kind() == Kind.CREATE || operation.kind() == Kind.CREATE_EXCLUSIVE || operation.kind() == Kind.OVERWRITE) {
                    written[0] += operation.bytes();
                }
            }
        }));
        AlbisTable table = createTable(counting, "s", "t", rowGroups);
        System.out.printf("Creating a table of %s row groups writes %s bytes%n", rowGroups.length, written[0]);
        Random random = new Random(1);
        long most = 0;
        long total = 0;
        int commits = 12;
        for (int commit = 0; commit < commits; commit++) {
            UUID id = rowGroups[random.nextInt(rowGroups.length)].id();
            written[0] = 0;
            table = counting.change(table, delete(table, Map.of(id, new int[] {random.nextInt(100)})), WHERE);
            most = Math.max(most, written[0]);
            total += written[0];
        }
        System.out.printf("Deleting one row writes %s bytes on average and at most %s, without the bitmap%n", total / commits, most);
        assertThat(table.rowCount()).isEqualTo(100L * rowGroups.length - commits);
        assertThat(most).isLessThan(20_000);
        assertThat(table.version().manifests().stream().mapToInt(manifest -> manifest.removed().size()).sum()).isEqualTo(commits);
        assertThat(load(warehouse, "s", "t").rowGroups()).hasSize(rowGroups.length);
    }

    /**
     * Rows of all row groups are deleted one after the other, until nothing remains. The manifests and the lists of
     * removed entries stay small.
     */
    @Test
    void testUntilNothingRemains()
            throws IOException
    {
        RowGroup[] rowGroups = range(0, 1_500).mapToObj(_ -> rowGroup(2)).toArray(RowGroup[]::new);
        AlbisTable table = createTable(warehouse, "s", "t", rowGroups);
        assertThat(table.version().manifests().getFirst().length()).isGreaterThan(64 << 10);
        for (int row = 0; row < 2; row++) {
            for (int begin = 0; begin < rowGroups.length; begin += 50) {
                int[] deletedRow = {row};
                ImmutableMap.Builder<UUID, int[]> deleted = ImmutableMap.builder();
                range(begin, begin + 50).forEach(rowGroup -> deleted.put(rowGroups[rowGroup].id(), deletedRow));
                table = warehouse.change(table, delete(table, deleted.buildOrThrow()), WHERE);
                int remaining = row == 0 ? rowGroups.length : rowGroups.length - begin - 50;
                assertThat(table.rowGroups()).hasSize(remaining);
                assertThat(table.version().manifests().size()).isLessThan(16);
                // Later, all row groups of the manifest with the sketches are dropped
                if (row == 0) {
                    assertThat(table.sketches().get(1).orElseThrow().distinctValues()).isGreaterThan((long) (remaining * 0.9));
                }
                for (ManifestEntry manifest : table.version().manifests()) {
                    assertThat(manifest.removed().size()).isLessThanOrEqualTo(Math.max(16, manifest.entries() / 8));
                }
            }
        }
        assertThat(table.version().manifests()).isEmpty();
        assertThat(table.version().rowCount()).isEqualTo(0);
    }

    /**
     * With snapshot isolation, the later of two statements that change the same row fails, even if the earlier one has
     * given the row values that the later one does not select. An insert is no reason for a conflict.
     */
    @Test
    void testMovedRows()
            throws IOException
    {
        TableDefinition definition = new TableDefinition(DEFINITION.columns(), DEFINITION.columnGroups(), ImmutableMap.of(IsolationLevel.PROPERTY, IsolationLevel.SNAPSHOT.name()), Optional.empty(), Optional.empty());
        RowGroup rowGroup = rowGroup(10);
        RowGroup other = rowGroup(10);
        warehouse.createTable(warehouse.newTable("s", "t", definition), rows(rowGroup, other));
        AlbisTable base = load(warehouse, "s", "t");
        ReadSet otherRows = ReadSet.ofDelete(Scan.of(TupleDomain.none()));

        warehouse.change(base, delete(base, Map.of(rowGroup.id(), new int[] {1})), otherRows);
        warehouse.append(base, rows(rowGroup(1)), ReadSet.BLIND);
        warehouse.change(base, update(base, other.id(), 1), otherRows);
        assertThat(warehouse.change(base, delete(base, Map.of(rowGroup.id(), new int[] {1, 2})), otherRows).rowCount()).isEqualTo(19);

        warehouse.change(base, update(base, rowGroup.id(), 3), otherRows);
        RowChange moved = delete(base, Map.of(rowGroup.id(), new int[] {3, 4}));
        assertRefused(CONFLICT, () -> warehouse.change(base, moved, otherRows));
        assertThat(warehouse.change(base, delete(base, Map.of(rowGroup.id(), new int[] {4})), otherRows).rowCount()).isEqualTo(18);
    }

    /**
     * Threads delete different rows of the same row groups at the same time, and others append.
     */
    @Test
    @Timeout(120)
    void testThreads()
            throws Exception
    {
        int threads = 5;
        int rounds = 8;
        RowGroup[] rowGroups = range(0, 3).mapToObj(_ -> rowGroup(threads * rounds)).toArray(RowGroup[]::new);
        createTable(warehouse, "s", "t", rowGroups);
        CyclicBarrier barrier = new CyclicBarrier(threads + 1);
        try (ExecutorService executor = Executors.newFixedThreadPool(threads + 1)) {
            List<Future<?>> results = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                int first = thread * rounds;
                results.add(executor.submit(() -> {
                    for (int round = 0; round < rounds; round++) {
                        barrier.await();
                        AlbisTable base = load(warehouse, "s", "t");
                        ImmutableMap.Builder<UUID, int[]> deleted = ImmutableMap.builder();
                        for (RowGroup rowGroup : rowGroups) {
                            deleted.put(rowGroup.id(), new int[] {first + round});
                        }
                        // As in tables with the isolation level SNAPSHOT, appends of others are no conflict
                        warehouse.change(base, delete(base, deleted.buildOrThrow()), ReadSet.ofDelete(Scan.of(TupleDomain.none())));
                    }
                    return null;
                }));
            }
            results.add(executor.submit(() -> {
                for (int round = 0; round < rounds; round++) {
                    barrier.await();
                    warehouse.append(load(warehouse, "s", "t"), rows(rowGroup(1)), ReadSet.BLIND);
                }
                return null;
            }));
            for (Future<?> result : results) {
                result.get();
            }
        }
        AlbisTable table = load(warehouse, "s", "t");
        assertThat(table.version().version()).isEqualTo(1 + (threads + 1) * rounds);
        assertThat(table.rowCount()).isEqualTo(rounds);
        assertThat(table.rowGroups()).hasSize(rounds);
    }

    private static RowGroup rowGroup(int rows)
    {
        RowGroup one = oneRow();
        return new RowGroup(one.id(), rows, one.columnGroups(), one.statistics());
    }

    private RowChange update(AlbisTable base, UUID rowGroup, int... rows)
            throws IOException
    {
        return new RowChange(rows(rowGroup(rows.length)), delete(base, Map.of(rowGroup, rows)).deletes(), ImmutableSet.of(), OVERWRITE);
    }

    /**
     * Writes the file of a statement that deletes rows.
     */
    private RowChange delete(AlbisTable base, Map<UUID, int[]> rows)
            throws IOException
    {
        DeletesWriter writer = new DeletesWriter(fileSystem, base.folder(), UUID.randomUUID());
        ImmutableMap.Builder<UUID, DeletedRows> deletes = ImmutableMap.builder();
        for (RowGroup rowGroup : base.rowGroups()) {
            if (rows.containsKey(rowGroup.id())) {
                deletes.put(rowGroup.id(), writer.add(deletedRows(base, rowGroup).union(DeletedPositions.of(rows.get(rowGroup.id())))));
            }
        }
        writer.close();
        return new RowChange(TableRows.NONE, deletes.buildOrThrow(), ImmutableSet.of(), DELETE);
    }

    private DeletedPositions deletedRows(AlbisTable table, RowGroup rowGroup)
            throws IOException
    {
        return rowGroup.deletedRows().isPresent() ? DeletesReader.read(fileSystem, table.folder(), rowGroup.deletedRows().get(), rowGroup.rows()) : DeletedPositions.NONE;
    }

    private void assertDeleted(AlbisTable table, UUID id, int... rows)
            throws IOException
    {
        RowGroup rowGroup = table.rowGroups().stream().filter(candidate -> candidate.id().equals(id)).findFirst().orElseThrow();
        assertThat(deletedRows(table, rowGroup)).isEqualTo(DeletedPositions.of(rows));
    }
}
