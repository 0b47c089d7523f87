package io.albis.table;

import com.google.common.collect.ImmutableList;
import io.trino.filesystem.FileEntry;
import io.trino.filesystem.FileIterator;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

import static io.albis.format.AlbisDataException.damaged;
import static io.albis.table.JsonKind.POINTER;
import static io.albis.table.WarehouseLayout.asDirectory;
import static java.util.Objects.requireNonNull;

/**
 * The names of tables.
 */
final class Pointers
{
    private final TrinoFileSystem fileSystem;
    private final WarehouseLayout layout;
    private final JsonFiles json;
    private final ExclusiveFiles exclusiveFiles;

    Pointers(TrinoFileSystem fileSystem, WarehouseLayout layout, JsonFiles json, ExclusiveFiles exclusiveFiles)
    {
        this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
        this.layout = requireNonNull(layout, "layout is null");
        this.json = requireNonNull(json, "json is null");
        this.exclusiveFiles = requireNonNull(exclusiveFiles, "exclusiveFiles is null");
    }

    /**
     * Names of the tables. After a crash in the middle of RENAME or DROP, a name may be among them that is no table's.
     */
    List<String> list(String schemaName)
            throws IOException
    {
        ImmutableList.Builder<String> names = ImmutableList.builder();
        FileIterator files = fileSystem.listFiles(asDirectory(layout.pointersFolder(schemaName)));
        while (files.hasNext()) {
            FileEntry file = files.next();
            WarehouseLayout.tableName(file.location().fileName()).ifPresent(names::add);
        }
        return names.build();
    }

    Optional<Pointer> read(String schemaName, String tableName)
            throws IOException
    {
        Location location = layout.pointer(schemaName, tableName);
        Optional<byte[]> file = SmallFiles.read(fileSystem, location);
        if (file.isEmpty()) {
            return Optional.empty();
        }
        JsonFiles.Framed<Pointer> framed = json.read(location, POINTER, Pointer.class, file.get());
        Pointer pointer = framed.body();
        if (!framed.id().equals(pointer.reference().id()) || !pointer.schemaName().equals(schemaName) || !pointer.tableName().equals(tableName)) {
            throw damaged("Damaged Albis file %s: it is the pointer of another table, %s.%s", location, pointer.schemaName(), pointer.tableName());
        }
        try {
            folder(pointer);
        }
        catch (IllegalArgumentException e) {
            throw damaged("Damaged Albis file %s: %s is no folder", location, pointer.folder().path());
        }
        return Optional.of(pointer);
    }

    /**
     * @return whether the name now is the table's; if not, it was taken
     */
    boolean create(Pointer pointer)
            throws IOException
    {
        Location location = layout.pointer(pointer.schemaName(), pointer.tableName());
        return exclusiveFiles.create(location, json.write(POINTER, pointer.reference().id(), pointer));
    }

    /**
     * Removes this pointer, unless the name has another by now. A file system cannot delete a file on the condition that
     * it is still the same, so the pointer is looked at just before: between the two, another process would have to
     * remove it too and somebody would have to create a table of the same name.
     */
    void remove(Pointer pointer)
            throws IOException
    {
        Optional<Pointer> current = read(pointer.schemaName(), pointer.tableName());
        if (current.isPresent() && current.get().reference().equals(pointer.reference())) {
            fileSystem.deleteFile(layout.pointer(pointer.schemaName(), pointer.tableName()));
        }
    }

    /**
     * Removes whatever has the name, for a pointer that cannot be read or leads nowhere.
     */
    void removeUnread(String schemaName, String tableName)
            throws IOException
    {
        fileSystem.deleteFile(layout.pointer(schemaName, tableName));
    }

    Location folder(Pointer pointer)
    {
        Pointer.Folder folder = pointer.folder();
        return folder.relative() ? layout.root().appendPath(folder.path()) : Location.of(folder.path());
    }

    /**
     * A folder inside of the warehouse moves along with it.
     */
    Pointer.Folder toFolder(Location location)
    {
        String root = asDirectory(layout.root()).toString();
        String path = location.toString();
        if (path.startsWith(root) && path.length() > root.length()) {
            return new Pointer.Folder(true, path.substring(root.length()));
        }
        return new Pointer.Folder(false, path);
    }
}
