package io.albis.table;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.albis.format.metadata.RowGroup;
import io.albis.table.WarehouseViews.Kind;
import io.albis.table.model.ViewDefinition;
import io.albis.table.row.ReadSet;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.memory.MemoryFileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.util.Optional;
import java.util.UUID;

import static io.albis.table.StorageFaults.everyFault;
import static io.albis.table.TableFixtures.DEFINITION;
import static io.albis.table.TableFixtures.createTable;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.TableFixtures.materializedViewDefinition;
import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.TableFixtures.refreshOf;
import static io.albis.table.TableFixtures.rowGroupIds;
import static io.albis.table.TableFixtures.rows;
import static io.albis.table.TableFixtures.viewDefinition;
import static io.albis.table.TableFixtures.warehouse;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Storage fails during the statements on views.
 */
@Timeout(300)
final class TestViewFaults
{
    private final ViewDefinition view = viewDefinition();
    private final ViewDefinition other = viewDefinition();

    @Test
    void testCreate()
            throws IOException
    {
        everyFault(
                TestViewFaults::emptySchema,
                warehouse -> warehouse.views().create("s", "v", view, Optional.of("a comment"), Optional.empty()),
                (warehouse, outcome) -> {
                    Optional<AlbisTable> created = warehouse.loadTable("s", "v");
                    outcome.check(created.isPresent());
                    if (created.isPresent()) {
                        assertThat(created.get().version().view()).contains(view);
                        assertThat(created.get().version().comment()).contains("a comment");
                        warehouse.dropTable(created.get());
                    }
                    assertNameIsFree(warehouse, "v");
                });
    }

    @Test
    void testCreateAfterStaleEntry()
            throws IOException
    {
        everyFault(
                () -> {
                    MemoryFileSystem fileSystem = emptySchema();
                    Warehouse warehouse = warehouse(fileSystem);
                    warehouse.dropTable(createTable(warehouse, "s", "v"));
                    fileSystem.deleteFile(TableFixtures.ROOT.appendPath("s/tables/v/00000000000000000002.json"));
                    return fileSystem;
                },
                warehouse -> warehouse.views().create("s", "v", view, Optional.empty(), Optional.empty()),
                (warehouse, outcome) -> {
                    Optional<AlbisTable> created = warehouse.loadTable("s", "v");
                    outcome.check(created.isPresent());
                    created.ifPresent(warehouse::dropTable);
                    assertNameIsFree(warehouse, "v");
                });
    }

    @Test
    void testReplace()
            throws IOException
    {
        everyFault(
                this::prepared,
                warehouse -> warehouse.views().replace(load(warehouse, "s", "v"), other, Optional.empty(), Optional.empty()),
                (warehouse, outcome) -> {
                    ViewDefinition found = load(warehouse, "s", "v").version().view().orElseThrow();
                    assertThat(found).isIn(view, other);
                    outcome.check(found.equals(other));
                });
    }

    @Test
    void testDrop()
            throws IOException
    {
        everyFault(
                this::prepared,
                warehouse -> warehouse.dropTable(load(warehouse, "s", "v")),
                (warehouse, outcome) -> {
                    Optional<AlbisTable> found = warehouse.loadTable("s", "v");
                    outcome.check(found.isEmpty());
                    found.ifPresent(warehouse::dropTable);
                    assertNameIsFree(warehouse, "v");
                });
    }

    @Test
    void testRename()
            throws IOException
    {
        everyFault(
                this::prepared,
                warehouse -> warehouse.renameTable(load(warehouse, "s", "v"), "s", "w"),
                (warehouse, outcome) -> {
                    Optional<AlbisTable> renamed = warehouse.loadTable("s", "w");
                    Optional<AlbisTable> kept = warehouse.loadTable("s", "v");
                    assertThat(renamed.isPresent()).isNotEqualTo(kept.isPresent());
                    outcome.check(renamed.isPresent());
                    AlbisTable found = renamed.or(() -> kept).orElseThrow();
                    assertThat(found.version().view()).contains(view);
                    assertThat(warehouse.views().list("s"))
                            .filteredOn(listed -> listed.mayBeView() && warehouse.views().kind(listed.name(), listed.entry()) == Kind.VIEW)
                            .extracting(WarehouseViews.ListedName::name)
                            .contains(found.tableName());
                    warehouse.dropTable(found);
                    assertNameIsFree(warehouse, "v");
                });
    }

    /**
     * The rows and what they were read from are one commit.
     */
    @Test
    void testRefresh()
            throws IOException
    {
        for (boolean append : new boolean[] {false, true}) {
            RowGroup oldRow = oneRow();
            RowGroup newRow = oneRow();
            everyFault(
                    () -> {
                        MemoryFileSystem fileSystem = emptySchema();
                        Warehouse warehouse = warehouse(fileSystem);
                        createTable(warehouse, "s", "t");
                        AlbisTable created = warehouse.views().create("s", "m", materializedViewDefinition(), Optional.empty(), Optional.of(DEFINITION));
                        warehouse.views().refresh(created, rows(oldRow), refreshOf(load(warehouse, "s", "t")), false);
                        warehouse.append(load(warehouse, "s", "t"), rows(oneRow()), ReadSet.BLIND);
                        return fileSystem;
                    },
                    warehouse -> warehouse.views().refresh(load(warehouse, "s", "m"), rows(newRow), refreshOf(load(warehouse, "s", "t")), append),
                    (warehouse, outcome) -> {
                        AlbisTable found = load(warehouse, "s", "m");
                        boolean refreshed = found.version().view().flatMap(ViewDefinition::materialized).orElseThrow().refresh().equals(Optional.of(refreshOf(load(warehouse, "s", "t"))));
                        outcome.check(refreshed);
                        ImmutableSet.Builder<UUID> expected = ImmutableSet.builder();
                        if (!refreshed || append) {
                            expected.add(oldRow.id());
                        }
                        if (refreshed) {
                            expected.add(newRow.id());
                        }
                        assertThat(rowGroupIds(found)).isEqualTo(expected.build());
                    });
        }
    }

    /**
     * Creates a table with a name that no view has any more, and drops its schema.
     */
    private static void assertNameIsFree(Warehouse warehouse, String name)
    {
        AlbisTable table = createTable(warehouse, "s", name);
        assertThat(warehouse.views().list("s"))
                .filteredOn(listed -> listed.name().equals(name))
                .noneMatch(listed -> listed.mayBeView() && warehouse.views().kind(name, listed.entry()) == Kind.VIEW);
        warehouse.dropTable(table);
        warehouse.dropSchema("s");
        assertThat(warehouse.schemaExists("s")).isFalse();
    }

    private static MemoryFileSystem emptySchema()
    {
        MemoryFileSystem fileSystem = new MemoryFileSystem();
        warehouse(fileSystem).createSchema("s", Optional.empty(), ImmutableMap.of());
        return fileSystem;
    }

    private MemoryFileSystem prepared()
    {
        MemoryFileSystem fileSystem = emptySchema();
        warehouse(fileSystem).views().create("s", "v", view, Optional.empty(), Optional.empty());
        return fileSystem;
    }
}
