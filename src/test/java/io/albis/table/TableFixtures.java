package io.albis.table;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.ColumnStatistics;
import io.albis.format.metadata.RowGroup;
import io.albis.format.type.TypeResolver;
import io.trino.filesystem.FileEntry;
import io.trino.filesystem.FileIterator;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.spi.type.Type;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;

import static io.albis.format.AlbisLayout.BLOCK;
import static io.albis.format.AlbisLayout.ROW;
import static io.albis.format.metadata.ValueOrder.CONSTANT;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.VarcharType.VARCHAR;

final class TableFixtures
{
    static final Location ROOT = Location.of("memory:///warehouse");
    static final CommitPolicy POLICY = new CommitPolicy(Duration.ofMinutes(5), Duration.ofMillis(1), Duration.ofMillis(20), 3);
    static final TableDefinition DEFINITION = new TableDefinition(
            ImmutableList.of(
                    new TableColumn(1, "id", BIGINT, false, Optional.empty()),
                    new TableColumn(2, "name", VARCHAR, true, Optional.of("a comment"))),
            ImmutableList.of(new TableColumnGroup(BLOCK, ImmutableList.of(1)), new TableColumnGroup(ROW, ImmutableList.of(2))),
            ImmutableMap.of("row_group_rows", "1000"),
            Optional.of("a table"),
            Optional.empty());

    private static final Map<String, Type> TYPES = ImmutableMap.of("bigint", BIGINT, "varchar", VARCHAR);

    static final TypeResolver TYPE_RESOLVER = typeId -> Optional.ofNullable(TYPES.get(typeId))
            .orElseThrow(() -> new IllegalArgumentException("No type " + typeId));

    private TableFixtures() {}

    static Warehouse warehouse(TrinoFileSystem fileSystem)
    {
        return new Warehouse(fileSystem, ROOT, TYPE_RESOLVER, Optional.empty(), POLICY);
    }

    /**
     * One row, in files that nobody reads here.
     */
    static RowGroup oneRow()
    {
        byte[] value = ByteBuffer.allocate(Long.BYTES).array();
        return new RowGroup(
                UUID.randomUUID(),
                1,
                ImmutableList.of(
                        new ColumnGroupInstance(UUID.randomUUID(), ImmutableList.of(1), 100, 50),
                        new ColumnGroupInstance(UUID.randomUUID(), ImmutableList.of(2), 200, 60)),
                ImmutableList.of(new ColumnStatistics(1, 0, CONSTANT, Optional.of(value), Optional.of(value))));
    }

    static AlbisTable createTable(Warehouse warehouse, String schemaName, String tableName, RowGroup... rowGroups)
    {
        return warehouse.createTable(warehouse.newTable(schemaName, tableName, DEFINITION), ImmutableList.copyOf(rowGroups));
    }

    static AlbisTable load(Warehouse warehouse, String schemaName, String tableName)
    {
        return warehouse.loadTable(schemaName, tableName).orElseThrow();
    }

    static Set<UUID> rowGroupIds(AlbisTable table)
    {
        return ids(table.rowGroups());
    }

    static Set<UUID> ids(List<RowGroup> rowGroups)
    {
        return rowGroups.stream()
                .map(RowGroup::id)
                .collect(Collectors.toSet());
    }

    /**
     * Bytes of all files by location.
     */
    static Map<String, byte[]> files(TrinoFileSystem fileSystem, Location folder)
            throws IOException
    {
        Map<String, byte[]> files = new TreeMap<>();
        FileIterator iterator = fileSystem.listFiles(WarehouseLayout.asDirectory(folder));
        while (iterator.hasNext()) {
            FileEntry file = iterator.next();
            files.put(file.location().toString(), SmallFiles.read(fileSystem, file.location()).orElseThrow());
        }
        return files;
    }

    static void overwrite(TrinoFileSystem fileSystem, String location, byte[] bytes)
            throws IOException
    {
        fileSystem.newOutputFile(Location.of(location)).createOrOverwrite(bytes);
    }
}
