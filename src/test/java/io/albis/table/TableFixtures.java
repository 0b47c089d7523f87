package io.albis.table;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.format.type.TypeResolver;
import io.albis.table.model.ContentHash;
import io.albis.table.model.Materialization;
import io.albis.table.model.Materialization.BaseTable;
import io.albis.table.model.Materialization.Refresh;
import io.albis.table.model.Materialization.RefreshSession;
import io.albis.table.model.TableColumn;
import io.albis.table.model.TableColumnGroup;
import io.albis.table.model.TableDefinition;
import io.albis.table.model.TableException;
import io.albis.table.model.TableRows;
import io.albis.table.model.ViewDefinition;
import io.albis.table.model.ViewDefinition.ViewColumn;
import io.albis.table.path.WarehousePaths;
import io.albis.table.put.CommitPolicy;
import io.albis.table.put.SmallFiles;
import io.albis.table.sketch.ColumnSketch;
import io.albis.table.sketch.PageSketcher;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.FileEntry;
import io.trino.filesystem.FileIterator;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.local.LocalFileSystem;
import io.trino.spi.Page;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.type.Type;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.format.schema.AlbisLayout.BLOCK;
import static io.albis.format.schema.AlbisLayout.ROW;
import static io.albis.format.statistics.ValueOrder.CONSTANT;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.IntegerType.INTEGER;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Percentage.withPercentage;

public final class TableFixtures
{
    public static final Location ROOT = Location.of("memory:///warehouse");
    public static final CommitPolicy POLICY = new CommitPolicy(Duration.ofMinutes(5), Duration.ofMillis(1), Duration.ofMillis(20), 3);
    public static final TableDefinition DEFINITION = new TableDefinition(
            ImmutableList.of(
                    new TableColumn(1, "id", BIGINT, false, Optional.empty()),
                    new TableColumn(2, "name", VARCHAR, true, Optional.of("a comment"))),
            ImmutableList.of(new TableColumnGroup(BLOCK, ImmutableList.of(1)), new TableColumnGroup(ROW, ImmutableList.of(2))),
            ImmutableMap.of("row_group_rows", "1000"),
            Optional.of("a table"),
            Optional.empty());

    private static final Map<String, Type> TYPES = ImmutableMap.of("bigint", BIGINT, "integer", INTEGER, "varchar", VARCHAR);

    public static final TypeResolver TYPE_RESOLVER = typeId -> Optional.ofNullable(TYPES.get(typeId))
            .orElseThrow(() -> new IllegalArgumentException("No type " + typeId));

    private TableFixtures() {}

    public static Warehouse warehouse(TrinoFileSystem fileSystem)
    {
        return new Warehouse(fileSystem, ROOT, TYPE_RESOLVER, WarehouseOptions.DEFAULT.withAllowedLocations(ImmutableList.of(Location.of("memory:///own"), Location.of("memory:///elsewhere/"))).withPolicy(POLICY));
    }

    public static Warehouse localWarehouse(Path localRoot, String location)
    {
        return new Warehouse(new LocalFileSystem(localRoot), Location.of(location), TYPE_RESOLVER, WarehouseOptions.DEFAULT.withLocalRoot(localRoot).withAllowedLocations(ImmutableList.of(Location.of("local:///outside"))).withPolicy(POLICY));
    }

    /**
     * A row group with one row. Its files do not exist.
     */
    public static RowGroup oneRow()
    {
        byte[] value = ByteBuffer.allocate(Long.BYTES).array();
        return new RowGroup(
                UUID.randomUUID(),
                1,
                ImmutableList.of(
                        new ColumnGroupInstance(UUID.randomUUID(), ImmutableList.of(1), 100, 50),
                        new ColumnGroupInstance(UUID.randomUUID(), ImmutableList.of(2), 200, 60)),
                ImmutableList.of(new ColumnStatistics(1, 0, CONSTANT, Optional.of(value), Optional.of(value), Optional.of("bigint"))));
    }

    /**
     * Creates sketches in which each row group has its id as the value of both columns.
     */
    public static TableRows rows(RowGroup... rowGroups)
    {
        if (rowGroups.length == 0) {
            return TableRows.NONE;
        }
        BlockBuilder ids = BIGINT.createBlockBuilder(null, rowGroups.length);
        BlockBuilder names = VARCHAR.createBlockBuilder(null, rowGroups.length);
        for (RowGroup rowGroup : rowGroups) {
            BIGINT.writeLong(ids, rowGroup.id().getMostSignificantBits());
            VARCHAR.writeString(names, rowGroup.id().toString());
        }
        PageSketcher sketcher = new PageSketcher(DEFINITION.columns().stream()
                .map(TableColumn::toAlbisColumn)
                .collect(toImmutableList()));
        sketcher.append(new Page(ids.build(), names.build()));
        return new TableRows(ImmutableList.copyOf(rowGroups), sketcher.finish());
    }

    /**
     * Asserts that the sketches of {@link #rows} are complete for this number of row groups.
     */
    public static void assertSketches(AlbisTable table, int rowGroups)
    {
        for (TableColumn column : DEFINITION.columns()) {
            ColumnSketch sketch = table.sketches().get(column.id()).orElseThrow();
            assertThat(sketch.values()).isEqualTo(rowGroups);
            assertThat(sketch.distinctValues()).isCloseTo(rowGroups, withPercentage(10));
        }
    }

    public static AlbisTable createTable(Warehouse warehouse, String schemaName, String tableName, RowGroup... rowGroups)
    {
        return warehouse.createTable(warehouse.newTable(schemaName, tableName, DEFINITION), rows(rowGroups));
    }

    /**
     * Returns the definition of a view that differs from all others.
     */
    public static ViewDefinition viewDefinition()
    {
        return new ViewDefinition(
                "SELECT '%s' AS id".formatted(UUID.randomUUID()),
                Optional.of("albis"),
                Optional.of("s"),
                ImmutableList.of(new ViewColumn("id", "varchar(36)", Optional.empty())),
                Optional.of("alice"),
                false,
                ImmutableList.of(),
                Optional.empty());
    }

    /**
     * Returns the definition of a materialized view with the columns of {@link #DEFINITION}, before its first refresh.
     */
    public static ViewDefinition materializedViewDefinition()
    {
        return new ViewDefinition(
                "SELECT id, name FROM t",
                Optional.of("albis"),
                Optional.of("s"),
                ImmutableList.of(new ViewColumn("id", "bigint", Optional.empty()), new ViewColumn("name", "varchar", Optional.empty())),
                Optional.of("alice"),
                false,
                ImmutableList.of(),
                Optional.of(new Materialization(Optional.of(1000L), true, Optional.empty())));
    }

    /**
     * Returns what a refresh has read: a table in its newest version.
     */
    public static Refresh refreshOf(AlbisTable table)
    {
        BaseTable base = new BaseTable(table.schemaName(), table.tableName(), table.uuid(), table.version().version(), ContentHash.of(table.version()));
        return new Refresh(table.version().time(), true, ImmutableList.of(base), ImmutableList.of(), Optional.of(new RefreshSession("alice", "UTC", "en-US")));
    }

    public static AlbisTable load(Warehouse warehouse, String schemaName, String tableName)
    {
        return warehouse.loadTable(schemaName, tableName).orElseThrow();
    }

    public static Set<UUID> rowGroupIds(AlbisTable table)
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
     * Returns the bytes of all files, by location.
     */
    public static Map<String, byte[]> files(TrinoFileSystem fileSystem, Location folder)
            throws IOException
    {
        Map<String, byte[]> files = new TreeMap<>();
        FileIterator iterator = fileSystem.listFiles(WarehousePaths.asDirectory(folder));
        while (iterator.hasNext()) {
            FileEntry file = iterator.next();
            files.put(file.location().toString(), SmallFiles.read(fileSystem, file.location()).orElseThrow());
        }
        return files;
    }

    public static void assertRefused(TableException.Reason reason, Runnable operation)
    {
        assertThatThrownBy(operation::run)
                .isInstanceOfSatisfying(TableException.class, e -> assertThat(e.reason()).as(e.getMessage()).isEqualTo(reason));
    }

    public static void overwrite(TrinoFileSystem fileSystem, String location, byte[] bytes)
            throws IOException
    {
        fileSystem.newOutputFile(Location.of(location)).createOrOverwrite(bytes);
    }

    /**
     * Returns a JSON file of a warehouse that was changed, with the checksum of its new content.
     */
    public static byte[] withChecksum(String file)
    {
        String checked = file.substring(0, file.lastIndexOf("\"crc32c\""));
        CRC32C checksum = new CRC32C();
        checksum.update(checked.getBytes(UTF_8));
        return (checked + "\"crc32c\":\"" + HexFormat.of().toHexDigits((int) checksum.getValue()) + "\"}\n").getBytes(UTF_8);
    }
}
