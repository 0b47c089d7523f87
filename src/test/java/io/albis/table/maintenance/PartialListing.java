package io.albis.table.maintenance;

import com.google.common.collect.ImmutableList;
import io.albis.filesystem.TestingForwardingFileSystem;
import io.trino.filesystem.FileEntry;
import io.trino.filesystem.FileIterator;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;

import java.io.IOException;
import java.util.Iterator;
import java.util.function.Predicate;

/**
 * A file system whose listings show only some of the files.
 */
final class PartialListing
        extends TestingForwardingFileSystem
{
    private final Predicate<Location> visible;
    private final Runnable afterwards;

    PartialListing(TrinoFileSystem delegate, Predicate<Location> visible, Runnable afterwards)
    {
        super(delegate);
        this.visible = visible;
        this.afterwards = afterwards;
    }

    @Override
    public FileIterator listFiles(Location location)
            throws IOException
    {
        ImmutableList.Builder<FileEntry> shown = ImmutableList.builder();
        FileIterator all = super.listFiles(location);
        while (all.hasNext()) {
            FileEntry entry = all.next();
            if (visible.test(entry.location())) {
                shown.add(entry);
            }
        }
        afterwards.run();
        Iterator<FileEntry> files = shown.build().iterator();
        return new FileIterator()
        {
            @Override
            public boolean hasNext()
            {
                return files.hasNext();
            }

            @Override
            public FileEntry next()
            {
                return files.next();
            }
        };
    }
}
