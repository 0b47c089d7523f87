package io.albis.table.version;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.format.metadata.RowGroup;
import io.albis.table.HookedFileSystem;
import io.albis.table.HookedFileSystem.Hook;
import io.albis.table.HookedFileSystem.Kind;
import io.albis.table.HookedFileSystem.Operation;
import io.albis.table.Warehouse;
import io.albis.table.alter.Change;
import io.albis.table.model.TableColumn;
import io.albis.table.model.TableVersion;
import io.albis.table.model.VersionRange;
import io.albis.table.row.ReadSet;
import io.trino.filesystem.memory.MemoryFileSystem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import static io.albis.table.TableFixtures.createTable;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.TableFixtures.rows;
import static io.albis.table.TableFixtures.warehouse;
import static io.trino.spi.type.IntegerType.INTEGER;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a version tells about its commit.
 */
class TestTableHistory
{
    private final MemoryFileSystem fileSystem = new MemoryFileSystem();
    private final Warehouse warehouse = warehouse(fileSystem);

    @BeforeEach
    void setUp()
    {
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
    }

    @Test
    void testOperations()
    {
        AlbisTable table = createTable(warehouse, "s", "t", oneRow());
        warehouse.append(table, rows(oneRow(), oneRow()), ReadSet.BLIND);
        warehouse.alter(table, new Change.TableComment(Optional.of("new")));
        warehouse.alter(table, new Change.ColumnComment(1, Optional.of("new")));
        table = warehouse.renameTable(load(warehouse, "s", "t"), "s", "u");
        warehouse.dropTable(table);

        List<TableVersion> versions = new ArrayList<>();
        for (int version = 1; version <= 6; version++) {
            versions.add(warehouse.loadTableVersion("s", "t", table.folder(), table.uuid(), version).version());
        }
        assertThat(versions).extracting(TableVersion::operation).containsExactly("create", "append", "alter", "alter", "rename", "drop");
        assertThat(versions.get(0).summary()).isEqualTo(ImmutableMap.of("added-records", "1", "added-data-files", "1", "added-files", "4", "added-files-size", "410"));
        assertThat(versions.get(1).summary()).isEqualTo(ImmutableMap.of("added-records", "2", "added-data-files", "2", "added-files", "8", "added-files-size", "820"));
        assertThat(versions.get(2).summary()).isEmpty();
        assertThat(versions.get(0).previous()).isEmpty();
        for (int i = 1; i < versions.size(); i++) {
            assertThat(versions.get(i).previous()).contains(versions.get(i - 1).commitId());
            assertThat(versions.get(i).time()).isAfter(versions.get(i - 1).time());
            assertThat(versions.get(i).schemaId()).isEqualTo(1);
        }
    }

    /**
     * Commit times increase even if the clock of a writer is behind.
     */
    @Test
    void testClockIsBehind()
    {
        TableVersion version = createTable(warehouse, "s", "t").version();
        TableVersion next = version.next(UUID.randomUUID(), Instant.EPOCH);
        assertThat(next.time()).isEqualTo(version.time().plusMillis(1));
        assertThat(version.next(UUID.randomUUID(), version.time()).time()).isEqualTo(version.time().plusMillis(1));
        assertThat(version.next(UUID.randomUUID(), version.time().plusMillis(1)).time()).isEqualTo(version.time().plusMillis(1));
        assertThat(version.next(UUID.randomUUID(), version.time().plusSeconds(7)).time()).isEqualTo(version.time().plusSeconds(7));
        // Commits within a millisecond
        AlbisTable table = load(warehouse, "s", "t");
        Instant last = version.time();
        for (int i = 0; i < 50; i++) {
            table = warehouse.alter(table, new Change.TableComment(Optional.of("comment " + i)));
            assertThat(table.version().time()).isAfter(last);
            last = table.version().time();
        }
    }

    /**
     * The schema id changes with the columns as far as writers need to know, and bounds of a column are of its type.
     */
    @Test
    void testSchemaId()
    {
        TableVersion version = createTable(warehouse, "s", "t", oneRow()).version();
        assertThat(version.manifests().getFirst().bounds().find(1)).isPresent();
        List<TableColumn> columns = version.columns();
        TableColumn first = columns.getFirst();
        assertThat(version.withColumns(columns).schemaId()).isEqualTo(1);
        assertThat(version.withColumns(ImmutableList.of(first.withComment(Optional.of("new")), columns.get(1))).schemaId()).isEqualTo(1);
        TableVersion renamed = version.withColumns(ImmutableList.of(new TableColumn(1, "new", first.type(), first.nullable(), first.comment()), columns.get(1)));
        assertThat(renamed.schemaId()).isEqualTo(1);
        assertThat(renamed.manifests()).isEqualTo(version.manifests());
        assertThat(renamed.withColumns(ImmutableList.of(renamed.columns().getFirst().withNullable(true), columns.get(1).withDefaultValue(Optional.of("'x'")))).schemaId()).isEqualTo(1);
        assertThat(renamed.withColumns(ImmutableList.of(renamed.columns().getFirst(), columns.get(1).withNullable(false))).schemaId()).isEqualTo(2);
        TableVersion changed = renamed.withColumns(ImmutableList.of(new TableColumn(1, "new", INTEGER, first.nullable(), first.comment()), columns.get(1)));
        assertThat(changed.schemaId()).isEqualTo(2);
        assertThat(changed.manifests().getFirst().bounds().find(1)).isEmpty();
    }

    /**
     * A writer that loses a race commits the manifest that it has written, and its rows are those of the version that
     * it commits in the end.
     */
    @Test
    void testRetriedAppend()
    {
        AlbisTable table = createTable(warehouse, "s", "t");
        List<Operation> manifests = new ArrayList<>();
        int[] races = new int[1];
        Warehouse slow = warehouse(new HookedFileSystem(fileSystem, new Hook()
        {
            @Override
            public void before(Operation operation)
            {
                if (operation.location().path().contains("/manifests/") && operation.kind() != Kind.READ) {
                    manifests.add(operation);
                }
                if (operation.kind() == Kind.CREATE_EXCLUSIVE && operation.location().path().contains("/versions/") && races[0] < 3) {
                    races[0]++;
                    warehouse.append(table, rows(oneRow()), ReadSet.BLIND);
                }
            }
        }));
        RowGroup row = oneRow();
        AlbisTable appended = slow.append(table, rows(row), ReadSet.BLIND);
        assertThat(appended.version().version()).isEqualTo(5);
        assertThat(manifests).hasSize(1);
        assertThat(appended.version().manifests()).extracting(manifest -> manifest.addedVersions())
                .containsExactly(new VersionRange(2, 2), new VersionRange(3, 3), new VersionRange(4, 4), new VersionRange(5, 5));
        assertThat(appended.rowGroups()).hasSize(4).contains(row);
    }
}
