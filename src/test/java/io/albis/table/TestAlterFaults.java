package io.albis.table;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.albis.format.schema.InitialValue;
import io.albis.table.alter.Change;
import io.albis.table.alter.SchemaChange;
import io.albis.table.alter.SchemaChange.ColumnPlace;
import io.albis.table.model.TableColumn;
import io.albis.table.model.TableVersion;
import io.albis.table.row.ReadSet;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.memory.MemoryFileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

import static io.albis.table.StorageFaults.everyFault;
import static io.albis.table.TableFixtures.createTable;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.TableFixtures.rows;
import static io.albis.table.TableFixtures.warehouse;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.IntegerType.INTEGER;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Storage fails while the columns, the properties, or the comments of a table change, and another writer appends at the
 * same time. The table keeps its old state or gets its new one, and no client is told the wrong outcome.
 */
final class TestAlterFaults
{
    private AlbisTable base;

    /**
     * Changes of a table with the columns {@code id}, {@code name}, and {@code amount}, of which the last one was added
     * to rows that exist.
     */
    private enum Alteration
    {
        ADD_COLUMN(new SchemaChange.AddColumn("added", VARCHAR, true, Optional.empty(), Optional.empty(), Optional.empty(), ColumnPlace.last(), false), version -> version.columns().size() == 4),
        DROP_COLUMN(new SchemaChange.DropColumn(2), version -> version.columns().size() == 2),
        RENAME_COLUMN(new SchemaChange.RenameColumn(2, "renamed"), version -> column(version, 2).name().equals("renamed")),
        SET_TYPE(new SchemaChange.SetType(3, BIGINT), version -> column(version, 3).type().equals(BIGINT)),
        DROP_NOT_NULL(new SchemaChange.DropNotNull(1), version -> column(version, 1).nullable()),
        SET_DEFAULT(new SchemaChange.SetDefault(2, VARCHAR, Optional.of("'none'")), version -> column(version, 2).defaultValue().isPresent()),
        PROPERTIES(new Change.Properties(ImmutableMap.of("row_group_rows", "2000"), ImmutableSet.of()), version -> version.properties().get("row_group_rows").equals("2000")),
        TABLE_COMMENT(new Change.TableComment(Optional.of("new")), version -> version.comment().equals(Optional.of("new"))),
        COLUMN_COMMENT(new Change.ColumnComment(1, Optional.of("new")), version -> column(version, 1).comment().equals(Optional.of("new")));

        private final Change change;
        private final Predicate<TableVersion> done;

        Alteration(Change change, Predicate<TableVersion> done)
        {
            this.change = change;
            this.done = done;
        }
    }

    @ParameterizedTest
    @EnumSource
    @Timeout(120)
    void testChange(Alteration alteration)
            throws IOException
    {
        check(warehouse -> warehouse.alter(base, alteration.change), alteration.done);
    }

    /**
     * The constraint is verified in the rows of the table and in those that the other writer has appended.
     */
    @Test
    @Timeout(120)
    void testSetNotNull()
            throws IOException
    {
        check(warehouse -> warehouse.setNotNull(base, 3), version -> !column(version, 3).nullable());
    }

    private void check(Consumer<Warehouse> operation, Predicate<TableVersion> done)
            throws IOException
    {
        everyFault(
                this::prepared,
                operation,
                (warehouse, outcome) -> {
                    AlbisTable table = load(warehouse, "s", "t");
                    boolean committed = done.test(table.version());
                    outcome.check(committed);
                    assertThat(table.version().version()).isEqualTo(committed ? 4 : 3);
                    // The rows of the other writer are there, and the table is not damaged
                    assertThat(table.rowGroups()).hasSize(2);
                    warehouse.alter(table, new Change.TableComment(Optional.of("later")));
                    assertThat(load(warehouse, "s", "t").version().comment()).hasValue("later");
                });
    }

    private static TableColumn column(TableVersion version, int id)
    {
        return version.columns().stream()
                .filter(column -> column.id() == id)
                .findFirst().orElseThrow();
    }

    private MemoryFileSystem prepared()
    {
        MemoryFileSystem fileSystem = new MemoryFileSystem();
        Warehouse warehouse = warehouse(fileSystem);
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
        AlbisTable created = createTable(warehouse, "s", "t", oneRow());
        base = warehouse.alter(created, new SchemaChange.AddColumn("amount", INTEGER, true, Optional.empty(), Optional.of("5"), Optional.of(InitialValue.of(INTEGER, 5L)), ColumnPlace.last(), false));
        warehouse.append(base, rows(oneRow()), ReadSet.BLIND);
        return fileSystem;
    }
}
