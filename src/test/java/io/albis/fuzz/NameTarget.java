package io.albis.fuzz;

import com.google.common.base.Supplier;
import com.google.common.base.Suppliers;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Iterators;
import io.albis.filesystem.FileBytes;
import io.albis.format.io.AlbisDataException;
import io.albis.table.HookedFileSystem;
import io.albis.table.HookedFileSystem.Hook;
import io.albis.table.HookedFileSystem.Operation;
import io.albis.table.Warehouse;
import io.albis.table.WarehouseFiles;
import io.albis.table.json.JsonKind;
import io.albis.table.model.TableException;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

import static com.google.common.base.Throwables.getRootCause;
import static io.albis.format.io.AlbisDataException.Reason.DAMAGED;
import static io.albis.table.TableFixtures.DEFINITION;
import static io.albis.table.TableFixtures.ROOT;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * An entry in the log of a name: that of the table {@code s.t} or of the schema {@code s}. The input is the body of the
 * file. All other files of the warehouse are valid. Nothing outside of the warehouse is touched unless the entry is one
 * of a folder outside of it.
 */
final class NameTarget
        implements FuzzTarget
{
    private static final Supplier<WarehouseFiles> FILES = Suppliers.memoize(NameTarget::files);

    private final JsonKind kind;
    private final String folder;

    NameTarget(JsonKind kind, String folder)
    {
        this.kind = requireNonNull(kind, "kind is null");
        this.folder = requireNonNull(folder, "folder is null");
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
        JsonText text = new JsonText(input);
        TrinoFileSystem fileSystem = FILES.get().toFileSystem();
        FileBytes.overwrite(fileSystem, ROOT.appendPath(folder).appendPath("00000000000000000001.json"), text.toFile(kind, text.id("id")));
        boolean outside = new String(input, ISO_8859_1).contains("\"warehouse\":\"");
        Warehouse warehouse = WarehouseFiles.warehouse(new HookedFileSystem(fileSystem, new Hook()
        {
            @Override
            public void before(Operation operation)
            {
                String location = operation.location().toString();
                assertThat(outside || location.startsWith(ROOT + "/")).as(location).isTrue();
                assertThat(location + "/").doesNotContain("/../", "/./");
            }
        }));
        assertThat(warehouse.listSchemas()).contains("s");
        assertThat(warehouse.listTables("s")).contains("t");
        try {
            read(warehouse);
        }
        catch (UncheckedIOException e) {
            if (outside && getRootCause(e) instanceof IllegalArgumentException) {
                // a location that is valid on other file systems, which the catalog does not have
                throw new AlbisDataException(DAMAGED, "%s", e.getMessage());
            }
            throw e;
        }
    }

    private void read(Warehouse warehouse)
    {
        switch (kind) {
            case SCHEMA -> readSchema(warehouse);
            case TABLE_NAME -> readTable(warehouse);
            case WAREHOUSE, TOMBSTONE, VIEW_MARKER, VERSION, EXPIRED, HINT -> throw new IllegalStateException("Not an entry: " + kind);
        }
    }

    private static void readSchema(Warehouse warehouse)
    {
        Location location = warehouse.getSchema("s").orElseThrow().location();
        assertThat(location.toString()).isNotEmpty();
        try {
            assertThat(warehouse.newTable("s", "x", DEFINITION).folder().toString()).startsWith(location.toString());
        }
        catch (TableException e) {
            // the location belongs to another warehouse, or the catalog does not allow it
            assertThat(e.reason()).isIn(TableException.Reason.NOT_SUPPORTED, TableException.Reason.LOCATION_NOT_ALLOWED);
        }
    }

    private static void readTable(Warehouse warehouse)
    {
        Optional<AlbisTable> table = warehouse.loadTable("s", "t");
        if (table.isPresent()) {
            assertThat(Iterators.getLast(warehouse.history(table.get()).versions())).isEqualTo(table.get().version());
        }
    }

    @Override
    public Map<String, byte[]> writeSeeds()
            throws IOException
    {
        ImmutableMap.Builder<String, byte[]> seeds = ImmutableMap.builder();
        WarehouseFiles files = WarehouseFiles.write().withFixedIds();
        String file = "/00000000000000000001.json";
        seeds.put("entry", files.body(ROOT + "/" + folder + file));
        String otherNames = switch (kind) {
            case SCHEMA -> "o/.schema";
            case TABLE_NAME -> "s/tables/[uvm]";
            case WAREHOUSE, TOMBSTONE, VIEW_MARKER, VERSION, EXPIRED, HINT -> throw new IllegalStateException("Not an entry: " + kind);
        };
        Pattern others = Pattern.compile(Pattern.quote(ROOT + "/") + otherNames + Pattern.quote(file));
        for (String location : files.locations()) {
            if (others.matcher(location).matches()) {
                String body = new String(files.body(location), UTF_8);
                seeds.put("entry-" + seeds.buildOrThrow().size(), body.replaceFirst("\"tableName\":\"[uvm]\"", "\"tableName\":\"t\"").replace("\"name\":\"o\"", "\"name\":\"s\"").getBytes(UTF_8));
            }
        }
        return seeds.buildOrThrow();
    }
}
