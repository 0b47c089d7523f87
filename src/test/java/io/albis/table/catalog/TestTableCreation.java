package io.albis.table.catalog;

import com.google.common.collect.ImmutableMap;
import io.albis.format.metadata.RowGroup;
import io.albis.table.HookedFileSystem;
import io.albis.table.HookedFileSystem.Hook;
import io.albis.table.HookedFileSystem.Kind;
import io.albis.table.HookedFileSystem.Operation;
import io.albis.table.Warehouse;
import io.albis.table.model.NewTable;
import io.albis.table.row.ReadSet;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.Location;
import io.trino.filesystem.memory.MemoryFileSystem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import static io.albis.table.TableFixtures.DEFINITION;
import static io.albis.table.TableFixtures.assertRefused;
import static io.albis.table.TableFixtures.createTable;
import static io.albis.table.TableFixtures.files;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.TableFixtures.rowGroupIds;
import static io.albis.table.TableFixtures.rows;
import static io.albis.table.TableFixtures.warehouse;
import static io.albis.table.model.TableException.Reason.ALREADY_EXISTS;
import static io.albis.table.model.TableException.Reason.CONFLICT;
import static io.albis.table.model.TableException.Reason.INVALID_DEFINITION;
import static io.albis.table.model.TableException.Reason.OUTCOME_UNKNOWN;
import static io.albis.table.model.TableException.Reason.SCHEMA_NOT_FOUND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * The engine retries the finish of a failed CREATE TABLE AS, so a folder may contain files of an earlier attempt.
 */
final class TestTableCreation
{
    private static final String NAME = "/warehouse/s/tables/t";

    private final MemoryFileSystem fileSystem = new MemoryFileSystem();
    private final Warehouse warehouse = warehouse(fileSystem);
    private final RowGroup row = oneRow();

    private NewTable newTable;

    @BeforeEach
    void setUp()
    {
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
        newTable = warehouse.newTable("s", "t", DEFINITION);
    }

    /**
     * A DELETE that the client library repeats, or that arrives late, removes nothing from the table of the next
     * attempt.
     */
    @Test
    void testDeletesOfAFailedAttemptArriveLate()
            throws IOException
    {
        List<Location> deleted = failToClaim();
        AlbisTable created = warehouse.createTable(newTable, rows(row));
        for (Location location : deleted) {
            try {
                fileSystem.deleteFile(location);
            }
            catch (IOException e) {
                // The file does not exist
            }
        }
        assertThat(load(warehouse, "s", "t").rowGroups()).containsExactly(row);
        assertThat(warehouse.listTables("s")).containsExactly("t");
        warehouse.append(created, rows(oneRow()), ReadSet.BLIND);
        warehouse.renameTable(load(warehouse, "s", "t"), "s", "u");
        assertThat(rowGroupIds(load(warehouse, "s", "u"))).hasSize(2).contains(row.id());
        assertThat(warehouse.listTables("s")).containsExactly("u");
    }

    @Test
    void testAttemptsFailAgainAndAgain()
            throws IOException
    {
        for (int attempt = 0; attempt < 3; attempt++) {
            assertThat(failToClaim()).isEmpty();
            assertThat(warehouse.loadTable("s", "t")).isEmpty();
            assertThat(warehouse.listTables("s")).isEmpty();
        }
        warehouse.createTable(newTable, rows(row));
        AlbisTable table = load(warehouse, "s", "t");
        assertThat(table.rowGroups()).containsExactly(row);
        assertThat(table.version().version()).isEqualTo(4);
        assertThat(table.version().name().orElseThrow().generation()).isEqualTo(4);
    }

    /**
     * Another client takes the name after this one has checked it. After that table is dropped, the next attempt gets
     * the name.
     */
    @Test
    void testNameIsTakenMeanwhile()
    {
        List<Location> deleted = new ArrayList<>();
        Warehouse slow = beforeFirstEntry(() -> createTable(warehouse, "s", "t"), deleted);
        assertRefused(ALREADY_EXISTS, () -> slow.createTable(newTable, rows(oneRow())));
        assertThat(deleted).isEmpty();
        warehouse.dropTable(load(warehouse, "s", "t"));
        warehouse.createTable(newTable, rows(row));
        assertThat(load(warehouse, "s", "t").rowGroups()).containsExactly(row);
    }

    /**
     * A repeated call after a successful one does no harm.
     */
    @Test
    void testTableOfOthersIsNotReplaced()
    {
        warehouse.createTable(newTable, rows(row));
        assertRefused(ALREADY_EXISTS, () -> warehouse.createTable(newTable, rows(oneRow())));
        warehouse.renameTable(load(warehouse, "s", "t"), "s", "u");
        assertRefused(CONFLICT, () -> warehouse.createTable(newTable, rows(oneRow())));
        assertThat(load(warehouse, "s", "u").rowGroups()).containsExactly(row);
        assertThat(warehouse.listTables("s")).containsExactly("u");
        warehouse.dropTable(load(warehouse, "s", "u"));
        assertRefused(CONFLICT, () -> warehouse.createTable(newTable, rows(oneRow())));
        assertThat(warehouse.listTables("s")).isEmpty();
    }

    /**
     * Others have registered the table of the first attempt with its own name, and have inserted rows.
     */
    @Test
    void testTableOfTheFirstAttemptIsRegistered()
    {
        RowGroup inserted = oneRow();
        failToClaim();
        Warehouse slow = before("/versions/", () -> {
            AlbisTable registered = warehouse.maintenance().registerTable("s", "t", newTable.folder().toString());
            warehouse.append(registered, rows(inserted), ReadSet.BLIND);
        });
        assertRefused(CONFLICT, () -> slow.createTable(newTable, rows(row)));
        assertThat(slow.abandonTable(newTable)).isFalse();
        assertThat(load(warehouse, "s", "t").rowGroups()).hasSize(2).contains(inserted);
    }

    @Test
    void testTableIsAbandoned()
    {
        assertThat(warehouse.abandonTable(newTable)).isTrue();
        assertThat(warehouse.maintenance().findLostTables(Optional.empty())).isEmpty();
        failToClaim();
        failToClaim();
        assertThat(warehouse.abandonTable(newTable)).isTrue();
        assertRefused(INVALID_DEFINITION, () -> warehouse.maintenance().registerTable("s", "u", newTable.folder().toString()));
        assertRefused(CONFLICT, () -> warehouse.createTable(newTable, rows(row)));
    }

    /**
     * A query may read a table that was dropped, but not one that vacuum has put before its first version.
     */
    @Test
    void testTableIsAbandonedAfterItWasDropped()
    {
        failToClaim();
        warehouse.dropTable(warehouse.maintenance().registerTable("s", "u", newTable.folder().toString()));
        assertThat(warehouse.abandonTable(newTable)).isFalse();
        warehouse.createTable(warehouse.newTable("s", "t", DEFINITION), rows(row));
        assertThat(warehouse.abandonTable(newTable)).isFalse();
    }

    @Test
    void testSecondAttemptIsTakenBack()
            throws IOException
    {
        failToClaim();
        Warehouse slow = beforeFirstEntry(() -> warehouse.dropSchema("s"), new ArrayList<>());
        assertRefused(SCHEMA_NOT_FOUND, () -> slow.createTable(newTable, rows(row)));
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
        assertThat(warehouse.loadTable("s", "t")).isEmpty();
        assertThat(warehouse.listTables("s")).isEmpty();
        assertRefused(CONFLICT, () -> warehouse.createTable(newTable, rows(row)));
    }

    @Test
    void testManifestsStayIfTheVersionMayBeThere()
            throws IOException
    {
        List<Location> deleted = new ArrayList<>();
        Warehouse failing = warehouse(new HookedFileSystem(fileSystem, new Hook()
        {
            private boolean put;

            @Override
            public void before(Operation operation)
                    throws IOException
            {
                if (operation.kind() == Kind.DELETE) {
                    deleted.add(operation.location());
                }
                put |= operation.kind() == Kind.CREATE_EXCLUSIVE && operation.location().path().contains("/versions/");
                if (put) {
                    throw new IOException("Timeout");
                }
            }
        }));
        assertRefused(OUTCOME_UNKNOWN, () -> failing.createTable(newTable, rows(row)));
        assertThat(deleted).isEmpty();
        assertThat(files(fileSystem, newTable.folder()).keySet()).anyMatch(file -> file.contains("/manifests/"));
    }

    /**
     * Runs an attempt that puts its version and then fails with a known outcome.
     *
     * @return the locations that the attempt has deleted
     */
    private List<Location> failToClaim()
    {
        List<Location> deleted = new ArrayList<>();
        Warehouse failing = warehouse(new HookedFileSystem(fileSystem, new Hook()
        {
            private boolean versionPut;
            private boolean failed;

            @Override
            public void before(Operation operation)
                    throws IOException
            {
                if (operation.kind() == Kind.DELETE) {
                    deleted.add(operation.location());
                }
                if (versionPut && !failed && operation.kind() == Kind.LIST && operation.location().toString().contains(NAME)) {
                    failed = true;
                    throw new IOException("Listing fails");
                }
            }

            @Override
            public void after(Operation operation)
            {
                versionPut |= operation.kind() == Kind.CREATE_EXCLUSIVE && operation.location().path().contains("/versions/");
            }
        }));
        assertThatThrownBy(() -> failing.createTable(newTable, rows(oneRow())))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("Listing fails");
        return deleted;
    }

    /**
     * Returns a client that stalls once, before it puts a file at a location that contains {@code path}.
     */
    private Warehouse before(String path, Runnable others)
    {
        return warehouse(new HookedFileSystem(fileSystem, Hook.stallAt(Kind.CREATE_EXCLUSIVE, path, others)));
    }

    private Warehouse beforeFirstEntry(Runnable others, List<Location> deleted)
    {
        return warehouse(new HookedFileSystem(fileSystem, new Hook()
        {
            private boolean done;

            @Override
            public void before(Operation operation)
            {
                if (operation.kind() == Kind.DELETE) {
                    deleted.add(operation.location());
                }
                if (!done && operation.kind() == Kind.CREATE_EXCLUSIVE && operation.location().toString().contains(NAME)) {
                    done = true;
                    others.run();
                }
            }
        }));
    }
}
