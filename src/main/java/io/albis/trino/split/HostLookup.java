package io.albis.trino.split;

import io.airlift.log.Logger;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.trino.filesystem.FileEntry;
import io.trino.filesystem.FileIterator;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;

import java.io.IOException;
import java.util.Comparator;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * Looks up the machines that store the row groups of a table, for one query. It stops looking after the file system
 * reports no machines or fails.
 */
public class HostLookup
{
    private static final Logger log = Logger.get(HostLookup.class);

    private final TrinoFileSystem fileSystem;
    private final Location tableFolder;
    private boolean useless;

    public HostLookup(TrinoFileSystem fileSystem, Location tableFolder)
    {
        this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
        this.tableFolder = requireNonNull(tableFolder, "tableFolder is null");
    }

    /**
     * Returns the machines of the largest data file of a row group, which is most of the work. It takes one request.
     * The other files are on the same machines if the NameNode places the files of a row group together.
     *
     * @return {@link FileHosts#UNKNOWN} if the file system reports no machines
     */
    FileHosts find(RowGroup rowGroup)
    {
        Optional<ColumnGroupInstance> largest = rowGroup.columnGroups().stream().max(Comparator.comparingLong(ColumnGroupInstance::dataBytes));
        if (useless || largest.isEmpty()) {
            return FileHosts.UNKNOWN;
        }
        Location dataFile = rowGroup.dataFile(tableFolder, largest.get());
        try {
            return find(dataFile);
        }
        catch (IOException | RuntimeException e) {
            log.warn(e, "Scheduling splits of %s without locality, because the blocks of %s cannot be listed", tableFolder, dataFile);
            useless = true;
            return FileHosts.UNKNOWN;
        }
    }

    private FileHosts find(Location dataFile)
            throws IOException
    {
        FileIterator files = fileSystem.listFiles(dataFile.parentDirectory().appendSuffix("/"));
        while (files.hasNext()) {
            FileEntry file = files.next();
            if (file.location().fileName().equals(dataFile.fileName())) {
                useless = file.blocks().isEmpty();
                return file.blocks()
                        .map(blocks -> FileHosts.of(blocks, file.length()))
                        .orElse(FileHosts.UNKNOWN);
            }
        }
        // the reader reports that the file is missing
        return FileHosts.UNKNOWN;
    }
}
