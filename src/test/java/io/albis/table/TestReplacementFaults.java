package io.albis.table;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.albis.table.alter.Change;
import io.albis.table.model.TableColumn;
import io.albis.table.model.TableColumnGroup;
import io.albis.table.model.TableDefinition;
import io.albis.table.model.TableRows;
import io.albis.table.row.ReadSet;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.memory.MemoryFileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;

import static io.albis.format.schema.AlbisLayout.BLOCK;
import static io.albis.table.StorageFaults.everyFault;
import static io.albis.table.TableFixtures.createTable;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.TableFixtures.rowGroupIds;
import static io.albis.table.TableFixtures.rows;
import static io.albis.table.TableFixtures.warehouse;
import static io.trino.spi.type.BigintType.BIGINT;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Storage fails during rollbacks, replacements, and changes of tags. The table keeps its old state or gets its new one,
 * and no client is told the wrong outcome.
 */
@Timeout(120)
class TestReplacementFaults
{
    private static final TableDefinition OTHER = new TableDefinition(
            ImmutableList.of(new TableColumn(1, "other", BIGINT, true, Optional.empty())),
            ImmutableList.of(new TableColumnGroup(BLOCK, ImmutableList.of(1))),
            ImmutableMap.of(),
            Optional.empty(),
            Optional.empty());

    private AlbisTable created;
    private AlbisTable base;

    @Test
    void testRollback()
            throws IOException
    {
        everyFault(
                this::prepared,
                warehouse -> warehouse.rollback(base, 1),
                (warehouse, outcome) -> {
                    AlbisTable table = load(warehouse, "s", "t");
                    boolean done = table.version().version() == 4;
                    outcome.check(done);
                    assertThat(rowGroupIds(table)).isEqualTo(rowGroupIds(done ? created : base));
                    checkWritable(warehouse, table);
                });
    }

    @Test
    void testReplacement()
            throws IOException
    {
        // the columns of the table have the ids 1 and 2
        RowGroup rowGroup = new RowGroup(UUID.randomUUID(), 7, ImmutableList.of(new ColumnGroupInstance(UUID.randomUUID(), ImmutableList.of(3), 10, 20)), ImmutableList.of());
        everyFault(
                this::prepared,
                warehouse -> warehouse.replaceTable(base, OTHER, TableRows.withoutSketches(ImmutableList.of(rowGroup)), true),
                (warehouse, outcome) -> {
                    AlbisTable table = load(warehouse, "s", "t");
                    boolean done = table.version().version() == 4;
                    outcome.check(done);
                    assertThat(rowGroupIds(table)).isEqualTo(done ? Set.of(rowGroup.id()) : rowGroupIds(base));
                    assertThat(table.version().columns()).hasSize(done ? 1 : 2);
                    if (done) {
                        table = warehouse.rollback(table, 2);
                    }
                    checkWritable(warehouse, table);
                });
    }

    @Test
    void testCreateTag()
            throws IOException
    {
        everyFault(
                this::prepared,
                warehouse -> warehouse.alter(base, new Change.CreateTag("new", OptionalLong.of(2))),
                (warehouse, outcome) -> {
                    AlbisTable table = load(warehouse, "s", "t");
                    boolean done = table.version().version() == 4;
                    outcome.check(done);
                    assertThat(table.version().tags()).isEqualTo(done ? ImmutableMap.of("old", 1L, "new", 2L) : ImmutableMap.of("old", 1L));
                    checkWritable(warehouse, table);
                });
    }

    @Test
    void testDropTag()
            throws IOException
    {
        everyFault(
                this::prepared,
                warehouse -> warehouse.alter(base, new Change.DropTag("old")),
                (warehouse, outcome) -> {
                    AlbisTable table = load(warehouse, "s", "t");
                    boolean done = table.version().version() == 4;
                    outcome.check(done);
                    assertThat(table.version().tags()).isEqualTo(done ? ImmutableMap.of() : ImmutableMap.of("old", 1L));
                    checkWritable(warehouse, table);
                });
    }

    private MemoryFileSystem prepared()
    {
        MemoryFileSystem fileSystem = new MemoryFileSystem();
        Warehouse warehouse = warehouse(fileSystem);
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
        created = createTable(warehouse, "s", "t", oneRow(), oneRow());
        AlbisTable appended = warehouse.append(created, rows(oneRow()), ReadSet.BLIND);
        base = warehouse.alter(appended, new Change.CreateTag("old", OptionalLong.of(1)));
        return fileSystem;
    }

    private static void checkWritable(Warehouse warehouse, AlbisTable table)
    {
        assertThat(warehouse.append(table, rows(oneRow()), ReadSet.BLIND).rowCount()).isEqualTo(table.rowCount() + 1);
    }
}
