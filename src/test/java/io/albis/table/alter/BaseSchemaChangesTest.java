package io.albis.table.alter;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.albis.format.delete.DeletedPositions;
import io.albis.format.delete.DeletesWriter;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.format.type.LocalTypeResolver;
import io.albis.table.Warehouse;
import io.albis.table.WarehouseOptions;
import io.albis.table.alter.SchemaChange.AddColumn;
import io.albis.table.alter.SchemaChange.ColumnPlace;
import io.albis.table.model.TableColumn;
import io.albis.table.model.TableColumnGroup;
import io.albis.table.model.TableDefinition;
import io.albis.table.model.TableRows;
import io.albis.table.row.RowChange;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystem;
import io.trino.spi.type.Type;
import org.junit.jupiter.api.BeforeEach;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import static com.google.common.collect.Iterables.getOnlyElement;
import static io.albis.format.schema.AlbisLayout.BLOCK;
import static io.albis.format.schema.AlbisLayout.ROW;
import static io.albis.format.statistics.ValueOrder.UNORDERED;
import static io.albis.table.TableFixtures.POLICY;
import static io.albis.table.TableFixtures.ROOT;
import static io.albis.table.model.TableOperation.DELETE;
import static io.albis.table.model.TableOperation.OVERWRITE;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.IntegerType.INTEGER;
import static io.trino.spi.type.VarcharType.VARCHAR;

/**
 * A table with an INTEGER and a VARCHAR column in two column groups, and changes of its columns and rows.
 */
public abstract class BaseSchemaChangesTest
{
    protected static final int ID = 1;
    protected static final int NAME = 2;
    protected static final int ADDED = 3;
    protected static final TableDefinition DEFINITION = new TableDefinition(
            ImmutableList.of(
                    new TableColumn(ID, "id", INTEGER, false, Optional.of("key")),
                    new TableColumn(NAME, "name", VARCHAR, true, Optional.empty())),
            ImmutableList.of(new TableColumnGroup(BLOCK, ImmutableList.of(ID)), new TableColumnGroup(ROW, ImmutableList.of(NAME))),
            ImmutableMap.of(),
            Optional.empty(),
            Optional.empty());

    protected final MemoryFileSystem fileSystem = new MemoryFileSystem();
    protected final Warehouse warehouse = warehouse(fileSystem);

    @BeforeEach
    protected void setUp()
    {
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
    }

    protected static Warehouse warehouse(TrinoFileSystem fileSystem)
    {
        return new Warehouse(fileSystem, ROOT, new LocalTypeResolver(), WarehouseOptions.DEFAULT.withPolicy(POLICY));
    }

    protected AlbisTable createTable()
    {
        return warehouse.createTable(warehouse.newTable("s", "t", DEFINITION), rows(new RowGroup(
                UUID.randomUUID(),
                10,
                ImmutableList.of(instance(ID), instance(NAME)),
                ImmutableList.of(statistics(ID, 0, INTEGER, 1, 9), statistics(NAME, 1)))));
    }

    /**
     * Returns a row group without files whose ids have the type that they have in the table, and one of whose names is
     * null.
     */
    protected static RowGroup rowGroup(AlbisTable table, long min, long max)
    {
        return new RowGroup(
                UUID.randomUUID(),
                10,
                ImmutableList.of(instance(ID), instance(NAME)),
                ImmutableList.of(statistics(ID, 0, table.version().columns().getFirst().type(), min, max), statistics(NAME, 1)));
    }

    protected static TableRows rows(RowGroup rowGroup)
    {
        return TableRows.withoutSketches(ImmutableList.of(rowGroup));
    }

    protected static ColumnGroupInstance instance(int columnId)
    {
        return new ColumnGroupInstance(UUID.randomUUID(), ImmutableList.of(columnId), 100, 50);
    }

    protected static ColumnStatistics statistics(int columnId, long nulls)
    {
        return new ColumnStatistics(columnId, nulls, UNORDERED, Optional.empty(), Optional.empty());
    }

    protected static ColumnStatistics statistics(int columnId, long nulls, Type type, long min, long max)
    {
        return new ColumnStatistics(columnId, nulls, UNORDERED, Optional.of(bound(type, min)), Optional.of(bound(type, max))).withBoundsType(type.getTypeId().getId());
    }

    protected static byte[] bound(Type type, long value)
    {
        ByteBuffer bytes = ByteBuffer.allocate(type.equals(BIGINT) ? Long.BYTES : Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        return type.equals(BIGINT) ? bytes.putLong(value).array() : bytes.putInt((int) value).array();
    }

    protected static AddColumn add(String name, Type type, ColumnPlace place)
    {
        return new AddColumn(name, type, true, Optional.empty(), Optional.empty(), Optional.empty(), place, false);
    }

    protected static List<String> names(AlbisTable table)
    {
        return table.version().columns().stream().map(TableColumn::name).toList();
    }

    protected static RowChange fill(AlbisTable base, int columnId)
    {
        RowGroup written = new RowGroup(getOnlyElement(base.rowGroups()).id(), 10, ImmutableList.of(instance(columnId)), ImmutableList.of(statistics(columnId, 0)));
        return new RowChange(TableRows.NONE, ImmutableMap.of(), ImmutableSet.of(), rows(written), OVERWRITE);
    }

    protected RowChange delete(AlbisTable base)
            throws IOException
    {
        DeletesWriter writer = new DeletesWriter(fileSystem, base.folder(), UUID.randomUUID());
        RowChange change = new RowChange(TableRows.NONE, ImmutableMap.of(getOnlyElement(base.rowGroups()).id(), writer.add(DeletedPositions.of(new int[] {3}))), ImmutableSet.of(), DELETE);
        writer.close();
        return change;
    }
}
