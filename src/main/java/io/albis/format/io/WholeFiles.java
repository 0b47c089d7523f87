package io.albis.format.io;

import com.google.common.collect.ImmutableSet;
import io.airlift.slice.Slice;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Set;

/**
 * Creates files that appear with all their bytes, or not at all if the writer dies: by a conditional write where the file
 * system has that, as object stores do, and else by a file of another name that is renamed when it is complete.
 */
public final class WholeFiles
{
    private static final Set<String> LOCAL_SCHEMES = ImmutableSet.of("local", "file");

    private WholeFiles() {}

    /**
     * Creates a file whose name nobody else has.
     *
     * @param temporary a name that nobody else has
     */
    public static void create(TrinoFileSystem fileSystem, Location temporary, Location location, Slice content)
            throws IOException
    {
        if (createExclusive(fileSystem, location, content)) {
            return;
        }
        write(fileSystem, temporary, content);
        fileSystem.createDirectory(location.parentDirectory());
        fileSystem.renameFile(temporary, location);
    }

    /**
     * Creates a file of which many may be created at the same time, and one is.
     *
     * @param temporary a name that nobody else has
     * @param location the only file that will ever be in its folder
     * @throws IOException if there may be such a file already
     */
    public static void createFirst(TrinoFileSystem fileSystem, Location temporary, Location location, Slice content)
            throws IOException
    {
        if (createExclusive(fileSystem, location, content)) {
            return;
        }
        if (LOCAL_SCHEMES.contains(location.scheme().orElse(""))) {
            // a renamed file may replace another one. A renamed folder does not replace one that has a file in it
            write(fileSystem, temporary.appendPath(location.fileName()), content);
            try {
                fileSystem.renameDirectory(temporary, location.parentDirectory());
            }
            catch (IOException | RuntimeException e) {
                deleteFolder(fileSystem, temporary, e);
                throw e;
            }
            return;
        }
        write(fileSystem, temporary, content);
        fileSystem.createDirectory(location.parentDirectory());
        try {
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

    // What is left there is garbage, and under a name that nobody looks at

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
