package io.albis.format;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.Slice;
import io.albis.format.io.WholeFiles;
import io.albis.format.metadata.RowGroup;
import io.albis.format.metadata.RowsFile;
import io.albis.format.metadata.SchemaFile;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.RowGroupSchema;
import io.albis.format.type.LocalTypeResolver;
import io.albis.format.type.TypeResolver;
import io.trino.filesystem.FileEntry;
import io.trino.filesystem.FileIterator;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.TrinoInput;
import io.trino.filesystem.TrinoInputFile;
import io.trino.spi.type.Type;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static io.albis.format.io.AlbisDataException.damaged;
import static java.util.Objects.requireNonNull;

/**
 * A folder of row groups that belongs to no table (Albis paper, section 3.3). The schema and the list of the row groups
 * of each writer are files that appear complete or not at all. Readers therefore never see partial results, even if a
 * writer fails.
 */
final class AlbisFolder
{
    private static final String ROWS = "rows";
    // the only file of its folder, as WholeFiles.createFirst requires
    private static final String SCHEMA = "schema/schema";
    private static final String UNFINISHED = "unfinished";
    private static final int MAX_LENGTH = 1 << 30;

    private final TrinoFileSystem fileSystem;
    private final Location folder;

    AlbisFolder(TrinoFileSystem fileSystem, Location folder)
    {
        this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
        this.folder = requireNonNull(folder, "folder is null");
    }

    /**
     * Reads the schema of this folder.
     *
     * @throws FileNotFoundException if no writer has used this folder yet
     */
    RowGroupSchema schema(TypeResolver types)
            throws IOException
    {
        return findSchema(types).orElseThrow(() -> new FileNotFoundException("Folder contains no Albis schema: " + folder));
    }

    private Optional<RowGroupSchema> findSchema(TypeResolver types)
            throws IOException
    {
        TrinoInputFile file = fileSystem.newInputFile(folder.appendPath(SCHEMA));
        if (!file.exists()) {
            return Optional.empty();
        }
        return Optional.of(SchemaFile.decode(file.location(), read(file.location(), file.length()), types));
    }

    /**
     * Makes {@code schema} the schema of this folder, unless the folder already has one. If several writers do this at
     * the same time, exactly one of them creates the file.
     *
     * @throws IllegalArgumentException if the folder already has a different schema
     */
    void claim(RowGroupSchema schema)
            throws IOException
    {
        TypeResolver types = typesOf(schema);
        Optional<RowGroupSchema> existing = findSchema(types);
        if (existing.isEmpty()) {
            IOException failure = new IOException("Could not write the schema of " + folder);
            try {
                WholeFiles.createFirst(fileSystem, unfinished(), folder.appendPath(SCHEMA), SchemaFile.encode(schema));
            }
            catch (IOException | RuntimeException e) {
                // Another writer created the file first, or the acknowledgement was lost. Reading the file shows which
                // schema applies.
                failure.addSuppressed(e);
            }
            existing = findSchema(types);
            if (existing.isEmpty()) {
                throw failure;
            }
        }
        checkSame(existing.get(), schema);
    }

    /**
     * Checks that this folder has a schema.
     *
     * @throws FileNotFoundException if no writer has used this folder yet
     * @throws IllegalArgumentException if the folder has a different schema
     */
    void check(RowGroupSchema schema)
            throws IOException
    {
        checkSame(schema(typesOf(schema)), schema);
    }

    private void checkSame(RowGroupSchema existing, RowGroupSchema schema)
    {
        checkArgument(existing.equals(schema), "Folder %s already has a different schema: %s", folder, existing);
    }

    private static TypeResolver typesOf(RowGroupSchema schema)
    {
        // LocalTypeResolver cannot resolve types that only exist in a Trino server.
        Map<String, Type> types = schema.columns().stream()
                .map(AlbisColumn::type)
                .collect(toImmutableMap(type -> type.getTypeId().getId(), type -> type, (first, _) -> first));
        TypeResolver others = new LocalTypeResolver();
        return typeId -> types.containsKey(typeId) ? types.get(typeId) : others.resolve(typeId);
    }

    /**
     * Publishes all row groups of a writer atomically.
     *
     * @throws IOException if the outcome is unknown: the row groups may or may not be visible to readers
     */
    void publish(List<RowGroup> rowGroups)
            throws IOException
    {
        UUID id = UUID.randomUUID();
        WholeFiles.create(fileSystem, unfinished(), folder.appendPath(ROWS).appendPath(id.toString()), RowsFile.encode(id, rowGroups));
    }

    /**
     * Returns the row groups of all writers that have finished. Other files in the folder are ignored.
     */
    List<RowGroup> rowGroups()
            throws IOException
    {
        Map<UUID, FileEntry> files = new TreeMap<>();
        FileIterator iterator = fileSystem.listFiles(folder.appendPath(ROWS));
        while (iterator.hasNext()) {
            FileEntry entry = iterator.next();
            RowsFile.id(entry.location().fileName()).ifPresent(id -> files.put(id, entry));
        }
        ImmutableList.Builder<RowGroup> rowGroups = ImmutableList.builder();
        for (Map.Entry<UUID, FileEntry> file : files.entrySet()) {
            Location location = file.getValue().location();
            rowGroups.addAll(RowsFile.decode(location, file.getKey(), read(location, file.getValue().length())));
        }
        return rowGroups.build();
    }

    private Slice read(Location location, long length)
            throws IOException
    {
        if (length > MAX_LENGTH) {
            throw damaged("Damaged Albis file %s: its size is %s bytes, but the maximum is %s bytes", location, length, MAX_LENGTH);
        }
        try (TrinoInput input = fileSystem.newInputFile(location, length).newInput()) {
            return input.readFully(0, (int) length);
        }
    }

    private Location unfinished()
    {
        return folder.appendPath(UNFINISHED).appendPath(UUID.randomUUID().toString());
    }
}
