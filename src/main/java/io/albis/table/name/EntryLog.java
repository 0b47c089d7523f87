package io.albis.table.name;

import com.google.common.collect.ImmutableSortedSet;
import io.albis.table.path.NumberedFiles;
import io.albis.table.put.ExclusiveFiles;
import io.albis.table.put.SmallFiles;
import io.trino.filesystem.FileIterator;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;

import java.io.IOException;
import java.util.Optional;
import java.util.SortedSet;

import static com.google.common.base.Preconditions.checkArgument;
import static io.albis.format.io.AlbisDataException.damaged;
import static io.albis.table.path.WarehousePaths.asDirectory;
import static java.util.Objects.requireNonNull;

/**
 * The log of one name: a folder of numbered files, of which the last one is valid. A file is created only if it is
 * absent, and is never replaced or deleted. Odd numbers are live entries and even numbers are tombstones, so a listing
 * shows which names exist without reading a file.
 * <p>
 * A tombstone ends exactly the live entry with the preceding number. A client that stalls or repeats a request
 * therefore cannot end an entry that another client created later.
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

    /**
     * Returns whether an entry number is that of a live entry. The number 0, which means no entry, is not.
     */
    public static boolean isLive(long number)
    {
        return number % 2 == 1;
    }

    /**
     * The end of a log, as a listing shows it.
     *
     * @param number number of the last entry, or 0 if there is none
     * @param marked numbers of the entries with the marker of a schema that was renamed. There may be a marker without
     *         an entry
     */
    public record Last(long number, SortedSet<Long> marked)
    {
        public Last
        {
            marked = ImmutableSortedSet.copyOf(marked);
        }

        public boolean isMarked(long number)
        {
            return marked.contains(number);
        }
    }

    /**
     * Returns the number of the last entry, or 0 if there is none. Ignores other files, such as the temporary files of
     * a put that is in progress.
     */
    public long last()
            throws IOException
    {
        return lastEntry().number();
    }

    /**
     * Returns the last entry and the markers with a single listing, like {@link #last}.
     */
    public Last lastEntry()
            throws IOException
    {
        long last = 0;
        ImmutableSortedSet.Builder<Long> marked = ImmutableSortedSet.naturalOrder();
        FileIterator files = fileSystem.listFiles(asDirectory(folder));
        // A listing includes the files in nested folders, which are ignored
        int start = folder.path().length() + 1;
        while (files.hasNext()) {
            String fileName = files.next().location().path().substring(start);
            last = Math.max(last, NumberedFiles.number(fileName).orElse(0));
            NumberedFiles.renamedNumber(fileName).ifPresent(marked::add);
        }
        return new Last(last, marked.build());
    }

    public Location location(long number)
    {
        return folder.appendPath(NumberedFiles.fileName(number));
    }

    /**
     * Returns the bytes of an entry that a listing has shown.
     *
     * @throws io.albis.format.io.AlbisDataException if the entry is missing
     */
    public byte[] read(long number)
            throws IOException
    {
        Optional<byte[]> file = SmallFiles.read(fileSystem, location(number));
        return file.orElseThrow(() -> damaged("Damaged Albis file %s: it is missing", location(number)));
    }

    /**
     * Creates an entry unless it exists.
     *
     * @param number the number after that of the last entry
     * @param data content of the entry, which contains a random id and therefore differs from that of any other writer
     * @return true if the entry has this content; false if another writer created it first
     * @throws io.albis.table.model.TableException OUTCOME_UNKNOWN, NOT_SUPPORTED
     * @throws IOException if the entry was not created, and will not be created later
     */
    public boolean put(long number, byte[] data)
            throws IOException
    {
        checkArgument(number > 0, "number is not positive: %s", number);
        return exclusiveFiles.create(location(number), data);
    }
}
