package io.albis.table;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.albis.format.delete.DeletedPositions;
import io.albis.format.delete.DeletesReader;
import io.albis.format.delete.DeletesWriter;
import io.albis.format.io.AlbisDataException;
import io.albis.format.metadata.DeletedRows;
import io.albis.format.metadata.RowGroup;
import io.albis.table.HookedFileSystem.Hook;
import io.albis.table.HookedFileSystem.Kind;
import io.albis.table.HookedFileSystem.Operation;
import io.albis.table.model.TableException;
import io.albis.table.model.TableRows;
import io.albis.table.version.AlbisTable;
import io.albis.table.version.ReadSet;
import io.albis.table.version.RowChange;
import io.trino.filesystem.FileMayHaveAlreadyExistedException;
import io.trino.filesystem.memory.MemoryFileSystem;
import io.trino.spi.predicate.TupleDomain;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

import static io.albis.table.TableFixtures.ROOT;
import static io.albis.table.TableFixtures.createTable;
import static io.albis.table.TableFixtures.files;
import static io.albis.table.TableFixtures.ids;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.TableFixtures.rowGroupIds;
import static io.albis.table.TableFixtures.rows;
import static io.albis.table.TableFixtures.warehouse;
import static io.albis.table.model.TableException.Reason.OUTCOME_UNKNOWN;
import static io.albis.table.model.TableOperation.DELETE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

/**
 * Storage fails at a single operation, or at all operations from one on, as if the process had died there. The table
 * keeps its old state or gets its new one, and no client is told the wrong outcome.
 */
class TestStorageFaults
{
    private static final int APPENDS_BEFORE = 7;

    private final RowGroup oldRow = oneRow();
    private final RowGroup newRow = oneRow();

    // Another table, with a row group of which others have deleted rows since the first version
    private MemoryFileSystem fileSystem;
    private AlbisTable deletesBase;
    private RowChange deletes;

    @Test
    @Timeout(120)
    void testAppend()
            throws IOException
    {
        everyFault(
                warehouse -> warehouse.append(load(warehouse, "s", "t"), rows(newRow), ReadSet.BLIND),
                (warehouse, outcome) -> {
                    Set<UUID> rows = rowGroupIds(load(warehouse, "s", "t"));
                    assertThat(rows).contains(oldRow.id());
                    outcome.check(rows.contains(newRow.id()));
                    assertThat(rows).hasSize(rows.contains(newRow.id()) ? 1 + APPENDS_BEFORE + 1 : 1 + APPENDS_BEFORE);
                });
    }

    /**
     * The bitmap is combined with that of another writer, and the small manifests are written again.
     */
    @Test
    @Timeout(120)
    void testDelete()
            throws IOException
    {
        everyFault(
                warehouse -> warehouse.change(deletesBase, deletes, ReadSet.ofDelete(TupleDomain.all())),
                (warehouse, outcome) -> {
                    AlbisTable table = load(warehouse, "deletes", "t");
                    RowGroup rowGroup = table.rowGroups().stream().filter(found -> found.rows() == 10).findFirst().orElseThrow();
                    outcome.check(rowGroup.liveRows() == 7);
                    assertThat(deletedRows(table, rowGroup)).isEqualTo(rowGroup.liveRows() == 7 ? DeletedPositions.of(1, 2, 3) : DeletedPositions.of(1, 2));
                    // The table is not damaged
                    warehouse.append(table, rows(oneRow()), ReadSet.BLIND);
                    assertThat(load(warehouse, "deletes", "t").rowCount()).isEqualTo(table.rowCount() + 1);
                });
    }

    private DeletedPositions deletedRows(AlbisTable table, RowGroup rowGroup)
    {
        try {
            return DeletesReader.read(fileSystem, table.folder(), rowGroup.deletedRows().orElseThrow(), rowGroup.rows());
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    @Timeout(120)
    void testTruncate()
            throws IOException
    {
        everyFault(
                warehouse -> warehouse.truncate(load(warehouse, "s", "t")),
                (warehouse, outcome) -> {
                    long rows = load(warehouse, "s", "t").rowCount();
                    outcome.check(rows == 0);
                    assertThat(load(warehouse, "s", "t").rowGroups()).hasSize(rows == 0 ? 0 : 1 + APPENDS_BEFORE);
                });
    }

    @Test
    @Timeout(120)
    void testCreate()
            throws IOException
    {
        everyFault(
                warehouse -> createTable(warehouse, "s", "new", newRow),
                (warehouse, outcome) -> {
                    Optional<AlbisTable> table = warehouse.loadTable("s", "new");
                    outcome.check(table.isPresent());
                    table.ifPresent(created -> assertThat(created.rowGroups()).containsExactly(newRow));
                    assertThat(warehouse.listTables("s").contains("new")).isEqualTo(table.isPresent());
                });
    }

    @Test
    @Timeout(120)
    void testDrop()
            throws IOException
    {
        everyFault(
                warehouse -> warehouse.dropTable(load(warehouse, "s", "t")),
                (warehouse, outcome) -> {
                    Optional<AlbisTable> table = warehouse.loadTable("s", "t");
                    outcome.check(table.isEmpty());
                    if (table.isEmpty()) {
                        // The name is free, whether or not its entry was ended
                        createTable(warehouse, "s", "t", newRow);
                        assertThat(load(warehouse, "s", "t").rowGroups()).containsExactly(newRow);
                    }
                    else {
                        assertThat(rowGroupIds(table.get())).hasSize(1 + APPENDS_BEFORE);
                        warehouse.dropTable(table.get());
                    }
                });
    }

    @Test
    @Timeout(120)
    void testRename()
            throws IOException
    {
        everyFault(
                warehouse -> warehouse.renameTable(load(warehouse, "s", "t"), "s", "u"),
                (warehouse, outcome) -> {
                    // Look up the old name first: both names may lead to the table until a client looks up the new one
                    boolean underOldName = warehouse.loadTable("s", "t").isPresent();
                    Optional<AlbisTable> renamed = warehouse.loadTable("s", "u");
                    outcome.check(renamed.isPresent());
                    assertThat(underOldName || renamed.isPresent()).isTrue();
                    String name = renamed.isPresent() ? "u" : "t";
                    String other = renamed.isPresent() ? "t" : "u";
                    assertThat(warehouse.loadTable("s", other)).isEmpty();
                    warehouse.append(load(warehouse, "s", name), rows(newRow), ReadSet.BLIND);
                    assertThat(rowGroupIds(load(warehouse, "s", name))).hasSize(1 + APPENDS_BEFORE + 1).contains(newRow.id());
                    // The other name is free
                    createTable(warehouse, "s", other);
                    assertThat(warehouse.listTables("s")).containsExactlyInAnyOrder("t", "u");
                    warehouse.dropTable(load(warehouse, "s", "t"));
                    warehouse.dropTable(load(warehouse, "s", "u"));
                    warehouse.dropSchema("s");
                });
    }

    @Test
    @Timeout(120)
    void testCreateAndDropSchema()
            throws IOException
    {
        everyFault(
                warehouse -> warehouse.createSchema("new", Optional.empty(), ImmutableMap.of()),
                (warehouse, outcome) -> {
                    outcome.check(warehouse.getSchema("new").isPresent());
                    assertThat(warehouse.listSchemas().contains("new")).isEqualTo(warehouse.getSchema("new").isPresent());
                });
        everyFault(
                warehouse -> warehouse.dropSchema("empty"),
                (warehouse, outcome) -> {
                    if (outcome == Outcome.SUCCESS) {
                        assertThat(warehouse.getSchema("empty")).isEmpty();
                    }
                });
    }

    /**
     * The commit succeeds, and a reader finds it without the hint.
     */
    @Test
    void testHintThatFails()
            throws IOException
    {
        MemoryFileSystem fileSystem = prepared();
        Warehouse warehouse = warehouse(new HookedFileSystem(fileSystem, new Hook()
        {
            @Override
            public void before(Operation operation)
            {
                if (operation.location().toString().endsWith("/hint")) {
                    throw new IllegalStateException("403 of a client that has exceptions of its own");
                }
            }
        }));
        warehouse.append(load(warehouse, "s", "t"), rows(newRow), ReadSet.BLIND);
        assertThat(rowGroupIds(load(warehouse, "s", "t"))).contains(newRow.id()).hasSize(1 + APPENDS_BEFORE + 1);
    }

    static List<IOException> reportsOfPut()
    {
        return List.of(new IOException("Timeout"), new FileMayHaveAlreadyExistedException("Who knows", null));
    }

    /**
     * Whatever the put of a version reports, the existing file determines the outcome.
     */
    @ParameterizedTest
    @MethodSource("reportsOfPut")
    void testSomebodyElseWasFirst(IOException report)
            throws IOException
    {
        MemoryFileSystem fileSystem = prepared();
        Warehouse other = warehouse(fileSystem);
        RowGroup othersRow = oneRow();
        Hook hook = new Hook()
        {
            private boolean done;

            @Override
            public void before(Operation operation)
                    throws IOException
            {
                if (!done && operation.kind() == Kind.CREATE_EXCLUSIVE) {
                    done = true;
                    other.append(load(other, "s", "t"), rows(othersRow), ReadSet.BLIND);
                    throw report;
                }
            }
        };
        Warehouse warehouse = warehouse(new HookedFileSystem(fileSystem, hook));
        warehouse.append(load(warehouse, "s", "t"), rows(newRow), ReadSet.BLIND);
        assertThat(rowGroupIds(load(other, "s", "t"))).containsAll(ids(List.of(oldRow, othersRow, newRow))).hasSize(1 + APPENDS_BEFORE + 2);
    }

    @Test
    void testLateRename()
            throws IOException
    {
        // Two processes died after putting the new names
        MemoryFileSystem fileSystem = prepared();
        for (String name : List.of("u", "v")) {
            Warehouse dying = warehouse(new HookedFileSystem(fileSystem, new Hook()
            {
                private boolean dead;

                @Override
                public void before(Operation operation)
                        throws IOException
                {
                    dead |= operation.kind() == Kind.CREATE_EXCLUSIVE && operation.location().toString().contains("/versions/");
                    if (dead) {
                        throw new IOException("Dead");
                    }
                }
            }));
            expectFailure(() -> dying.renameTable(load(dying, "s", "t"), "s", name));
        }
        Warehouse warehouse = warehouse(fileSystem);
        assertThat(warehouse.listTables("s")).containsExactlyInAnyOrder("t", "u", "v");
        assertThat(rowGroupIds(load(warehouse, "s", "t"))).hasSize(1 + APPENDS_BEFORE);
        // The first new name that is looked up becomes the name of the table
        assertThat(rowGroupIds(load(warehouse, "s", "v"))).hasSize(1 + APPENDS_BEFORE);
        assertThat(warehouse.loadTable("s", "u")).isEmpty();
        assertThat(warehouse.loadTable("s", "t")).isEmpty();
        warehouse.renameTable(load(warehouse, "s", "v"), "s", "u");
        warehouse.renameTable(load(warehouse, "s", "u"), "s", "t");
        assertThat(warehouse.listTables("s")).containsExactlyInAnyOrder("t");
        assertThat(rowGroupIds(load(warehouse, "s", "t"))).hasSize(1 + APPENDS_BEFORE);
    }

    private enum Outcome
    {
        SUCCESS, FAILURE, UNKNOWN;

        void check(boolean done)
        {
            if (this != UNKNOWN) {
                assertThat(done).as("outcome was told as %s", this).isEqualTo(this == SUCCESS);
            }
        }
    }

    private interface Check
    {
        void check(Warehouse warehouse, Outcome outcome);
    }

    private void everyFault(Consumer<Warehouse> operation, Check check)
            throws IOException
    {
        for (boolean afterwards : new boolean[] {false, true}) {
            for (int faults : new int[] {1, 2, Integer.MAX_VALUE}) {
                for (boolean unchecked : new boolean[] {false, true}) {
                    int position = 0;
                    while (oneFault(new Fault(position, faults, afterwards, unchecked), operation, check)) {
                        position++;
                    }
                    assertThat(position).isPositive();
                }
            }
        }
    }

    /**
     * @return whether the operation reached the fault
     */
    private boolean oneFault(Fault fault, Consumer<Warehouse> operation, Check check)
            throws IOException
    {
        MemoryFileSystem fileSystem = prepared();
        Warehouse faulty = warehouse(new HookedFileSystem(fileSystem, fault));
        Outcome outcome = Outcome.SUCCESS;
        try {
            operation.accept(faulty);
        }
        catch (TableException e) {
            if (e.reason() != OUTCOME_UNKNOWN) {
                fail("%s: %s", fault, e);
            }
            outcome = Outcome.UNKNOWN;
        }
        catch (UncheckedIOException e) {
            assertThat(e.getCause()).isNotInstanceOf(AlbisDataException.class);
            // A dead process reports no outcome, and it may have put a name before it died
            outcome = fault.faults == Integer.MAX_VALUE ? Outcome.UNKNOWN : Outcome.FAILURE;
        }
        try {
            check.check(warehouse(fileSystem), outcome);
        }
        catch (RuntimeException | AssertionError e) {
            throw new AssertionError(fault + ", files: " + files(fileSystem, ROOT).keySet(), e);
        }
        return fault.reached();
    }

    private MemoryFileSystem prepared()
            throws IOException
    {
        MemoryFileSystem fileSystem = new MemoryFileSystem();
        this.fileSystem = fileSystem;
        Warehouse warehouse = warehouse(fileSystem);
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
        warehouse.createSchema("empty", Optional.empty(), ImmutableMap.of());
        prepareDeletes(warehouse);
        AlbisTable table = createTable(warehouse, "s", "t", oldRow);
        // The next append has manifests to merge
        for (int i = 0; i < APPENDS_BEFORE; i++) {
            table = warehouse.append(table, rows(oneRow()), ReadSet.BLIND);
        }
        return fileSystem;
    }

    private void prepareDeletes(Warehouse warehouse)
            throws IOException
    {
        warehouse.createSchema("deletes", Optional.empty(), ImmutableMap.of());
        RowGroup one = oneRow();
        RowGroup rowGroup = new RowGroup(one.id(), 10, one.columnGroups(), one.statistics());
        deletesBase = createTable(warehouse, "deletes", "t", rowGroup, oneRow());
        DeletesWriter writer = new DeletesWriter(fileSystem, deletesBase.folder(), UUID.randomUUID());
        DeletedRows others = writer.add(DeletedPositions.of(1, 2));
        deletes = new RowChange(TableRows.NONE, ImmutableMap.of(rowGroup.id(), writer.add(DeletedPositions.of(3))), ImmutableSet.of(), DELETE);
        writer.close();
        warehouse.change(deletesBase, new RowChange(TableRows.NONE, ImmutableMap.of(rowGroup.id(), others), ImmutableSet.of(), DELETE), ReadSet.ofDelete(TupleDomain.all()));
    }

    private static void expectFailure(Runnable operation)
    {
        try {
            operation.run();
        }
        catch (TableException | UncheckedIOException e) {
            return;
        }
        fail("It did not fail");
    }

    private static final class Fault
            implements Hook
    {
        private final int position;
        private final int faults;
        private final boolean afterwards;
        // Whether to throw unchecked exceptions, as the clients of object stores do
        private final boolean unchecked;

        private int operations;
        private String where = "nowhere";

        private Fault(int position, int faults, boolean afterwards, boolean unchecked)
        {
            this.position = position;
            this.faults = faults;
            this.afterwards = afterwards;
            this.unchecked = unchecked;
        }

        @Override
        public void before(Operation operation)
                throws IOException
        {
            operations++;
            if (!afterwards) {
                strike(operation);
            }
            else if (operations - 1 - position > 0 && isStruck()) {
                // A dead process runs no more operations
                strike(operation);
            }
        }

        @Override
        public void after(Operation operation)
                throws IOException
        {
            if (afterwards) {
                strike(operation);
            }
        }

        private boolean isStruck()
        {
            int index = operations - 1;
            return index >= position && (long) index < (long) position + faults;
        }

        private void strike(Operation operation)
                throws IOException
        {
            if (isStruck()) {
                where = where.equals("nowhere") ? operation.kind() + " " + operation.location() : where;
                if (unchecked) {
                    throw new IllegalStateException("The client of the storage fails at operation " + (operations - 1));
                }
                throw new IOException("Storage fails at operation " + (operations - 1));
            }
        }

        boolean reached()
        {
            return operations > position;
        }

        @Override
        public String toString()
        {
            return "%s faults (%s) %s operation %s: %s".formatted(faults, unchecked ? "unchecked" : "IOException", afterwards ? "after" : "before", position, where);
        }
    }
}
