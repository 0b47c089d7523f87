package io.albis.table;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.albis.filesystem.FileBytes;
import io.albis.format.delete.DeletedPositions;
import io.albis.format.delete.DeletesWriter;
import io.albis.format.metadata.DeletedRows;
import io.albis.format.metadata.RowGroup;
import io.albis.format.type.LocalTypeResolver;
import io.albis.table.alter.Change;
import io.albis.table.alter.SchemaChange;
import io.albis.table.model.TableDefinition;
import io.albis.table.model.TableRows;
import io.albis.table.row.ReadSet;
import io.albis.table.row.ReadSet.Scan;
import io.albis.table.row.RowChange;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystem;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.type.ArrayType;

import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Pattern;

import static io.albis.table.TableFixtures.DEFINITION;
import static io.albis.table.TableFixtures.POLICY;
import static io.albis.table.TableFixtures.ROOT;
import static io.albis.table.TableFixtures.createTable;
import static io.albis.table.TableFixtures.files;
import static io.albis.table.TableFixtures.materializedViewDefinition;
import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.TableFixtures.refreshOf;
import static io.albis.table.TableFixtures.rows;
import static io.albis.table.TableFixtures.viewDefinition;
import static io.albis.table.TableFixtures.withChecksum;
import static io.albis.table.model.TableOperation.DELETE;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The files of a small warehouse that has everything that versions and entries of names can contain.
 */
public final class WarehouseFiles
{
    private static final Pattern ID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    private static final String OUTSIDE = "memory:///outside";

    private final Map<String, byte[]> contents;

    private WarehouseFiles(Map<String, byte[]> contents)
    {
        this.contents = contents;
    }

    public static Warehouse warehouse(TrinoFileSystem fileSystem)
    {
        return new Warehouse(fileSystem, ROOT, new LocalTypeResolver(), WarehouseOptions.DEFAULT.withPolicy(POLICY).withAllowedLocations(ImmutableList.of(Location.of(OUTSIDE))));
    }

    public static WarehouseFiles write()
            throws IOException
    {
        MemoryFileSystem fileSystem = new MemoryFileSystem();
        Warehouse warehouse = warehouse(fileSystem);
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of("key", "value"));
        writeTable(warehouse, fileSystem);
        warehouse.createSchema("o", Optional.of(OUTSIDE), ImmutableMap.of());
        AlbisTable outside = warehouse.createTable(warehouse.newTable("o", "u", new TableDefinition(DEFINITION.columns(), DEFINITION.columnGroups(), ImmutableMap.of(), Optional.empty(), Optional.of(OUTSIDE + "/own"))), rows(oneRow()));
        warehouse.renameTable(outside, "s", "u");
        warehouse.views().create("s", "v", viewDefinition(), Optional.of("comment"), Optional.empty());
        AlbisTable view = warehouse.views().create("s", "m", materializedViewDefinition(), Optional.empty(), Optional.of(DEFINITION));
        warehouse.views().refresh(view, rows(oneRow()), refreshOf(outside), false);
        Map<String, byte[]> all = new TreeMap<>(files(fileSystem, ROOT));
        all.putAll(files(fileSystem, Location.of(OUTSIDE)));
        return new WarehouseFiles(ImmutableMap.copyOf(all));
    }

    private static void writeTable(Warehouse warehouse, TrinoFileSystem fileSystem)
            throws IOException
    {
        RowGroup one = oneRow();
        RowGroup rowGroup = new RowGroup(one.id(), 10, one.columnGroups(), one.statistics());
        AlbisTable table = createTable(warehouse, "s", "t", rowGroup, oneRow());
        table = warehouse.append(table, rows(oneRow()), ReadSet.BLIND);
        DeletesWriter writer = new DeletesWriter(fileSystem, table.folder(), UUID.randomUUID());
        DeletedRows deleted = writer.add(DeletedPositions.of(1, 2));
        writer.close();
        RowChange delete = new RowChange(TableRows.NONE, ImmutableMap.of(rowGroup.id(), deleted), ImmutableSet.of(), DELETE);
        table = warehouse.change(table, delete, ReadSet.ofDelete(Scan.of(TupleDomain.all())));
        table = warehouse.alter(table, new Change.CreateTag("tag", OptionalLong.empty()));
        table = warehouse.alter(table, new SchemaChange.AddColumn("items", new ArrayType(VARCHAR), true, Optional.empty(), Optional.empty(), Optional.empty(), SchemaChange.ColumnPlace.last(), false));
        warehouse.expireVersions(table, Instant.now().plusSeconds(100), 2);
        warehouse.removeOrphans(table, Instant.now().plusSeconds(100));
    }

    /**
     * Numbers the ids in the order in which they appear, so that a JSON file refers to the files of any other run.
     * Binary files keep their own, so they cannot be read.
     */
    public WarehouseFiles withFixedIds()
    {
        return new WarehouseFiles(withFixedIds(contents));
    }

    private static Map<String, byte[]> withFixedIds(Map<String, byte[]> files)
    {
        Map<String, String> ids = new HashMap<>();
        ImmutableMap.Builder<String, byte[]> result = ImmutableMap.builder();
        files.forEach((location, content) -> {
            String text = new String(content, UTF_8);
            boolean isJson = text.startsWith("{\"albis\":");
            byte[] fixed = isJson ? withChecksum(withFixedIds(text, ids)) : content;
            result.put(withFixedIds(location, ids), fixed);
        });
        return result.buildOrThrow();
    }

    private static String withFixedIds(String text, Map<String, String> ids)
    {
        return ID.matcher(text).replaceAll(id -> ids.computeIfAbsent(id.group(), _ -> new UUID(0x4000, ids.size() + 1).toString()));
    }

    public Set<String> locations()
    {
        return contents.keySet();
    }

    public byte[] content(String location)
    {
        return contents.get(location);
    }

    /**
     * Returns the body of a JSON file.
     */
    public byte[] body(String location)
    {
        String text = new String(contents.get(location), UTF_8);
        return text.substring(text.indexOf("\"body\":") + 7, text.lastIndexOf(",\n\"crc32c\"")).getBytes(UTF_8);
    }

    /**
     * Returns a copy of the files.
     */
    public MemoryFileSystem toFileSystem()
            throws IOException
    {
        MemoryFileSystem fileSystem = new MemoryFileSystem();
        for (Map.Entry<String, byte[]> file : contents.entrySet()) {
            FileBytes.overwrite(fileSystem, Location.of(file.getKey()), file.getValue());
        }
        return fileSystem;
    }
}
