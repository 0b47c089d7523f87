package io.albis.fuzz;

import com.google.common.base.Supplier;
import com.google.common.base.Suppliers;
import com.google.common.collect.ImmutableMap;
import io.albis.filesystem.FileBytes;
import io.albis.table.Warehouse;
import io.albis.table.WarehouseFiles;
import io.albis.table.alter.Change;
import io.albis.table.json.JsonKind;
import io.albis.table.model.TableDefinition;
import io.albis.table.model.TableException;
import io.albis.table.row.ReadSet;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

import static io.albis.table.TableFixtures.DEFINITION;
import static io.albis.table.TableFixtures.ROOT;
import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.TableFixtures.rows;
import static io.albis.table.model.TableException.Reason.NOT_SUPPORTED;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A file that has no rows and no columns: the hint of the table {@code s.t}, the stub of its first version, or the
 * identity of the warehouse. The input is the body of the file. All other files of the warehouse are valid. Whatever
 * the file contains, statements lose no version of the table and no rows.
 */
final class SmallFileTarget
        implements FuzzTarget
{
    private static final Supplier<WarehouseFiles> FILES = Suppliers.memoize(SmallFileTarget::files);

    private final JsonKind kind;

    SmallFileTarget(JsonKind kind)
    {
        this.kind = requireNonNull(kind, "kind is null");
    }

    private static WarehouseFiles files()
    {
        try {
            return WarehouseFiles.write().withFixedIds();
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void read(byte[] input)
            throws IOException
    {
        AlbisTable expected = load(WarehouseFiles.warehouse(FILES.get().toFileSystem()), "t");
        JsonText text = new JsonText(input);
        TrinoFileSystem fileSystem = FILES.get().toFileSystem();
        FileBytes.overwrite(fileSystem, location(FILES.get()), text.toFile(kind, text.id(kind == JsonKind.EXPIRED ? "commitId" : "id")));
        Warehouse warehouse = WarehouseFiles.warehouse(fileSystem);
        switch (kind) {
            case HINT -> commit(warehouse, expected);
            case EXPIRED -> rollBack(warehouse, expected);
            case WAREHOUSE -> useLocation(warehouse);
            case SCHEMA, TABLE_NAME, TOMBSTONE, VIEW_MARKER, VERSION -> throw new IllegalStateException("Not a small file that is read: " + kind);
        }
    }

    @Override
    public boolean isContentOptional()
    {
        // The reader searches for the newest version without the hint, and the name of a stub is enough
        return kind != JsonKind.WAREHOUSE;
    }

    private static AlbisTable load(Warehouse warehouse, String tableName)
    {
        return warehouse.loadTable("s", tableName).orElseThrow();
    }

    private static void commit(Warehouse warehouse, AlbisTable expected)
    {
        AlbisTable table = load(warehouse, "t");
        assertThat(table.version()).isEqualTo(expected.version());
        warehouse.alter(table, new Change.CreateTag("fuzzed", OptionalLong.empty()));
        assertThat(load(warehouse, "t").version().version()).isEqualTo(expected.version().version() + 1);
    }

    private static void rollBack(Warehouse warehouse, AlbisTable expected)
    {
        AlbisTable table = load(warehouse, "t");
        assertThat(table.version()).isEqualTo(expected.version());
        warehouse.history(table).versions().forEachRemaining(version -> assertThat(version.version()).isLessThanOrEqualTo(expected.version().version()));
        try {
            warehouse.rollback(table, 1);
        }
        catch (TableException e) {
            // the version has expired
            assertThat(load(warehouse, "t").version()).isEqualTo(expected.version());
        }
        assertThat(load(warehouse, "t").version().rowCount()).isEqualTo(expected.version().rowCount());
    }

    private static void useLocation(Warehouse warehouse)
    {
        AlbisTable outside = load(warehouse, "u");
        long count = outside.version().rowCount();
        try {
            warehouse.append(outside, rows(oneRow()), ReadSet.BLIND);
            count++;
        }
        catch (TableException e) {
            assertThat(e.reason()).isEqualTo(NOT_SUPPORTED);
        }
        assertThat(load(warehouse, "u").version().rowCount()).isEqualTo(count);
        try {
            TableDefinition definition = new TableDefinition(DEFINITION.columns(), DEFINITION.columnGroups(), ImmutableMap.of(), Optional.empty(), Optional.of("memory:///outside/fuzzed"));
            warehouse.createTable(warehouse.newTable("s", "x", definition), rows(oneRow()));
            assertThat(load(warehouse, "x").version().rowCount()).isEqualTo(1);
        }
        catch (TableException e) {
            assertThat(e.reason()).isEqualTo(NOT_SUPPORTED);
            assertThat(warehouse.loadTable("s", "x")).isEmpty();
        }
    }

    @Override
    public Map<String, byte[]> writeSeeds()
            throws IOException
    {
        WarehouseFiles files = WarehouseFiles.write().withFixedIds();
        return ImmutableMap.of("file", files.body(location(files).toString()));
    }

    /**
     * Returns the file that the input replaces.
     */
    private Location location(WarehouseFiles files)
    {
        String kindInHeader = switch (kind) {
            case HINT -> "version-hint";
            case EXPIRED -> "expired-version";
            case WAREHOUSE -> "warehouse";
            case SCHEMA, TABLE_NAME, TOMBSTONE, VIEW_MARKER, VERSION -> throw new IllegalStateException("Not a small file that is read: " + kind);
        };
        return files.locations().stream()
                .filter(location -> location.startsWith(ROOT + "/s/t-") || location.equals(ROOT + "/.albis"))
                .filter(location -> new String(files.content(location), UTF_8).contains("\"kind\":\"%s\"".formatted(kindInHeader)))
                .findFirst()
                .map(Location::of)
                .orElseThrow();
    }
}
