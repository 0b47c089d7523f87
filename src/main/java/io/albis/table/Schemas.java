package io.albis.table;

import com.google.common.collect.ImmutableList;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import static io.albis.format.AlbisDataException.damaged;
import static io.albis.table.JsonKind.SCHEMA;
import static io.albis.table.TableException.Reason.ALREADY_EXISTS;
import static io.albis.table.TableException.Reason.SCHEMA_NOT_EMPTY;
import static io.albis.table.TableException.Reason.SCHEMA_NOT_FOUND;
import static io.albis.table.WarehouseLayout.asDirectory;
import static java.util.Objects.requireNonNull;

/**
 * The schemas of a warehouse. A schema is there if its marker file is: object stores have no empty folders.
 * <p>
 * CREATE TABLE and RENAME create the pointer and then look for the marker, DROP SCHEMA removes the marker and then looks
 * for pointers. So one of them sees the other, and takes back what it did; both may do so. If whoever creates a pointer
 * dies in between, the name is taken in a schema that is no more: it shows up once the schema is created again.
 */
final class Schemas
{
    private final TrinoFileSystem fileSystem;
    private final WarehouseLayout layout;
    private final JsonFiles json;
    private final ExclusiveFiles exclusiveFiles;
    private final Pointers pointers;

    Schemas(TrinoFileSystem fileSystem, WarehouseLayout layout, JsonFiles json, ExclusiveFiles exclusiveFiles, Pointers pointers)
    {
        this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
        this.layout = requireNonNull(layout, "layout is null");
        this.json = requireNonNull(json, "json is null");
        this.exclusiveFiles = requireNonNull(exclusiveFiles, "exclusiveFiles is null");
        this.pointers = requireNonNull(pointers, "pointers is null");
    }

    /**
     * @param name repeats the name, so that a copied file is found out
     * @param location empty for the folder that holds the marker
     */
    record Marker(String name, Optional<String> location, Map<String, String> properties)
    {
        Marker
        {
            requireNonNull(name, "name is null");
            requireNonNull(location, "location is null");
            requireNonNull(properties, "properties is null");
        }
    }

    List<String> list()
            throws IOException
    {
        ImmutableList.Builder<String> names = ImmutableList.builder();
        for (Location folder : fileSystem.listDirectories(asDirectory(layout.root()))) {
            Optional<String> name = Names.decode(WarehouseLayout.withoutTrailingSlash(folder).fileName());
            if (name.isPresent() && exists(name.get())) {
                names.add(name.get());
            }
        }
        return names.build();
    }

    boolean exists(String name)
            throws IOException
    {
        return SmallFiles.exists(fileSystem, layout.schemaMarker(name));
    }

    Optional<SchemaInfo> get(String name)
            throws IOException
    {
        Location location = layout.schemaMarker(name);
        Optional<byte[]> file = SmallFiles.read(fileSystem, location);
        if (file.isEmpty()) {
            return Optional.empty();
        }
        Marker marker = json.read(location, SCHEMA, Marker.class, file.get()).body();
        if (!marker.name().equals(name)) {
            throw damaged("Damaged Albis file %s: it is the marker of another schema, %s", location, marker.name());
        }
        try {
            return Optional.of(toSchema(marker));
        }
        catch (IllegalArgumentException e) {
            throw damaged("Damaged Albis file %s: %s is no location", location, marker.location().orElseThrow());
        }
    }

    SchemaInfo create(String name, Optional<Location> location, Map<String, String> properties)
            throws IOException
    {
        Marker marker = new Marker(name, location.map(Location::toString), properties);
        if (!exclusiveFiles.create(layout.schemaMarker(name), json.write(SCHEMA, UUID.randomUUID(), marker))) {
            throw new TableException(ALREADY_EXISTS, "Schema '%s' already exists", name);
        }
        return toSchema(marker);
    }

    /**
     * @param isTable whether a name that has a pointer is that of a table
     */
    void drop(String name, TableLookup isTable)
            throws IOException
    {
        Location location = layout.schemaMarker(name);
        // Kept as bytes: a schema whose marker is damaged can be dropped too
        byte[] marker = SmallFiles.read(fileSystem, location)
                .orElseThrow(() -> new TableException(SCHEMA_NOT_FOUND, "Schema '%s' does not exist", name));
        for (String tableName : pointers.list(name)) {
            if (isTable.test(name, tableName)) {
                throw notEmpty(name, tableName);
            }
        }
        fileSystem.deleteFile(location);
        List<String> tableNames = pointers.list(name);
        if (!tableNames.isEmpty()) {
            exclusiveFiles.create(location, marker);
            throw notEmpty(name, tableNames.getFirst());
        }
    }

    @FunctionalInterface
    interface TableLookup
    {
        boolean test(String schemaName, String tableName)
                throws IOException;
    }

    private static TableException notEmpty(String name, String tableName)
    {
        return new TableException(SCHEMA_NOT_EMPTY, "Schema '%s' is not empty: it has the table '%s'", name, tableName);
    }

    /**
     * To be called after a pointer was created.
     *
     * @throws TableException SCHEMA_NOT_FOUND if the schema was dropped meanwhile; the pointer is removed
     */
    void checkExistsOrRemove(Pointer created)
            throws IOException
    {
        if (!exists(created.schemaName())) {
            pointers.remove(created);
            throw new TableException(SCHEMA_NOT_FOUND, "Schema '%s' was dropped meanwhile", created.schemaName());
        }
    }

    private SchemaInfo toSchema(Marker marker)
    {
        Location location = marker.location().map(Location::of).orElseGet(() -> layout.schemaFolder(marker.name()));
        return new SchemaInfo(marker.name(), location, marker.location().isPresent(), marker.properties());
    }
}
