package io.albis.table.name;

import io.albis.table.path.NumberedFiles;
import io.albis.table.put.ExclusiveFiles;
import io.albis.table.put.SmallFiles;
import io.trino.filesystem.FileIterator;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;

import java.io.IOException;
import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;
import static io.albis.format.io.AlbisDataException.damaged;
import static io.albis.table.path.WarehousePaths.asDirectory;
import static java.util.Objects.requireNonNull;

/**
 * The log of one name: a folder of numbered files, of which the last one counts. A file is put if it is absent, and is never
 * replaced or deleted. Odd numbers are live entries, even numbers are tombstones, so a listing says which names exist without
 * reading a file.
 * <p>
 * A tombstone ends the live entry that has the number before it, and no other. A client that stalls, or repeats a request,
 * cannot end an entry that somebody else has put since then.
 */
public final class EntryLog
{
    private final TrinoFileSystem fileSystem;
    private final ExclusiveFiles exclusiveFiles;
    private final Location folder;

    public EntryLog(TrinoFileSystem fileSystem, ExclusiveFiles exclusiveFiles, Location folder)
    {
        this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
        this.exclusiveFiles = requireNonNull(exclusiveFiles, "exclusiveFiles is null");
        this.folder = requireNonNull(folder, "folder is null");
    }

    public static boolean isLive(long number)
    {
        return number % 2 == 1;
    }

    /**
     * The number of the last entry, 0 if there is none. Files of other names are ignored, such as the temporary files of
     * a put that is under way.
     */
    public long last()
            throws IOException
    {
        long last = 0;
        FileIterator files = fileSystem.listFiles(asDirectory(folder));
        // A listing shows what is in folders below, too
        int start = folder.path().length() + 1;
        while (files.hasNext()) {
            String path = files.next().location().path();
            last = Math.max(last, NumberedFiles.number(path.substring(start)).orElse(0));
        }
        return last;
    }

    public Location location(long number)
    {
        return folder.appendPath(NumberedFiles.fileName(number));
    }

    /**
     * @throws io.albis.format.io.AlbisDataException if the entry is missing: a listing has shown it
     */
    public byte[] read(long number)
            throws IOException
    {
        Optional<byte[]> file = SmallFiles.read(fileSystem, location(number));
        return file.orElseThrow(() -> damaged("Damaged Albis file %s: it is missing", location(number)));
    }

    /**
     * @param number one more than that of an entry that is there
     * @param data differs from what any other writer puts there, as it has a random id in it
     * @return whether the entry has this content; if not, it has another one
     */
    public boolean put(long number, byte[] data)
            throws IOException
    {
        checkArgument(number > 0, "number is not positive: %s", number);
        return exclusiveFiles.create(location(number), data);
    }
}
