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
 * Asks the file system which machines have the row groups of a table, for one query. Where it does not know, or fails, it is
 * not asked again.
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
     * Of the largest data file, which is most of the work, with one request: the others are there as well if the NameNode keeps row
     * groups together.
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
            log.warn(e, "Splits of %s are not placed by locality, as the blocks of %s could not be listed", tableFolder, dataFile);
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
        // the reader will say that it is missing
        return FileHosts.UNKNOWN;
    }
}
