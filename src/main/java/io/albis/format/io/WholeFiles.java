package io.albis.format.io;

import io.airlift.slice.Slice;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;

import java.io.IOException;
import java.io.OutputStream;

/**
 * Creates files that appear complete or not at all, even if the writer fails. Uses a conditional write if the file
 * system supports it, as object stores do. Otherwise, writes a temporary file and renames it when it is complete.
 */
public final class WholeFiles
{
    private WholeFiles() {}

    /**
     * Creates a file with a unique name.
     *
     * @param temporary unique name of a temporary file
     */
    public static void create(TrinoFileSystem fileSystem, Location temporary, Location location, Slice content)
            throws IOException
    {
        if (!createExclusive(fileSystem, location, content)) {
            createByRename(fileSystem, temporary, location, content);
        }
    }

    /**
     * Creates a file that several writers may try to create at the same time. Exactly one of them succeeds.
     *
     * @param temporary unique name of a temporary file or folder
     * @param location name of the file, which must be the only file that is ever created in its folder
     * @throws IOException if the file may already exist
     */
    public static void createFirst(TrinoFileSystem fileSystem, Location temporary, Location location, Slice content)
            throws IOException
    {
        if (createExclusive(fileSystem, location, content)) {
            return;
        }
        if (!StorageAccess.isLocal(location)) {
            createByRename(fileSystem, temporary, location, content);
            return;
        }
        // Renaming a file may replace an existing file. Renaming a folder does not replace a folder with a file in it.
        try {
            write(fileSystem, temporary.appendPath(location.fileName()), content);
            fileSystem.renameDirectory(temporary, location.parentDirectory());
        }
        catch (IOException | RuntimeException e) {
            deleteFolder(fileSystem, temporary, e);
            throw e;
        }
    }

    private static void createByRename(TrinoFileSystem fileSystem, Location temporary, Location location, Slice content)
            throws IOException
    {
        try {
            write(fileSystem, temporary, content);
            fileSystem.createDirectory(location.parentDirectory());
            fileSystem.renameFile(temporary, location);
        }
        catch (IOException | RuntimeException e) {
            deleteFile(fileSystem, temporary, e);
            throw e;
        }
    }

    private static boolean createExclusive(TrinoFileSystem fileSystem, Location location, Slice content)
            throws IOException
    {
        try {
            fileSystem.newOutputFile(location).createExclusive(content.getBytes());
            return true;
        }
        catch (UnsupportedOperationException _) {
            return false;
        }
    }

    private static void write(TrinoFileSystem fileSystem, Location location, Slice content)
            throws IOException
    {
        try (OutputStream output = OutputFiles.create(fileSystem, location)) {
            output.write(content.byteArray(), content.byteArrayOffset(), content.length());
        }
    }

    // Failing to delete the file is harmless: it is garbage under a name that no reader uses.

    private static void deleteFile(TrinoFileSystem fileSystem, Location location, Exception reason)
    {
        try {
            fileSystem.deleteFile(location);
        }
        catch (IOException | RuntimeException e) {
            reason.addSuppressed(e);
        }
    }

    private static void deleteFolder(TrinoFileSystem fileSystem, Location location, Exception reason)
    {
        try {
            fileSystem.deleteDirectory(location);
        }
        catch (IOException | RuntimeException e) {
            reason.addSuppressed(e);
        }
    }
}
