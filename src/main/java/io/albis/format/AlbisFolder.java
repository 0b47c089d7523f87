package io.albis.format;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.Slice;
import io.albis.format.io.WholeFiles;
import io.albis.format.metadata.RowGroup;
import io.albis.format.metadata.RowsFile;
import io.albis.format.metadata.SchemaFile;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.RowGroupSchema;
import io.albis.format.type.ScalarTypes;
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
 * A folder of row groups that belongs to no table (Albis paper, section 3.3). Its schema and what each writer has written
 * are files that appear as a whole, so that readers never meet half of anything, wherever a writer is or dies.
 */
final class AlbisFolder
{
    private static final String ROWS = "rows";
    // the only file of its folder
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
     * @throws FileNotFoundException if nobody has written to the folder
     */
    RowGroupSchema schema(TypeResolver types)
            throws IOException
    {
        return findSchema(types).orElseThrow(() -> new FileNotFoundException("There are no Albis rows in " + folder));
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
     * Makes sure that this is the schema of the folder. Of several writers that come first at once, one decides.
     *
     * @throws IllegalArgumentException if the folder has another one
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
                // somebody else was first, or the answer was lost: what is there now says
                failure.addSuppressed(e);
            }
            existing = findSchema(types);
            if (existing.isEmpty()) {
                throw failure;
            }
        }
        checkArgument(existing.get().equals(schema), "%s has another schema: %s", folder, existing.get());
    }

    private static TypeResolver typesOf(RowGroupSchema schema)
    {
        // those of a server too, which a program without one cannot find by their name
        Map<String, Type> types = schema.columns().stream()
                .map(AlbisColumn::type)
                .collect(toImmutableMap(type -> type.getTypeId().getId(), type -> type, (first, _) -> first));
        TypeResolver others = new ScalarTypes();
        return typeId -> types.containsKey(typeId) ? types.get(typeId) : others.resolve(typeId);
    }

    /**
     * Shows all rows of a writer to readers, at once.
     *
     * @throws IOException if it is not known whether they are shown
     */
    void publish(List<RowGroup> rowGroups)
            throws IOException
    {
        UUID id = UUID.randomUUID();
        WholeFiles.create(fileSystem, unfinished(), folder.appendPath(ROWS).appendPath(id.toString()), RowsFile.encode(id, rowGroups));
    }

    /**
     * The row groups of all writers that have finished, whatever else is in the folder.
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
            throw damaged("Damaged Albis file %s: it has %s bytes", location, length);
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
