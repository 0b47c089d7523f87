package io.albis.table.maintenance;

import com.google.common.collect.ImmutableList;
import io.albis.table.maintenance.VacuumCandidate.Reason;
import io.albis.table.model.TableName;
import io.albis.table.model.TableVersion;
import io.trino.filesystem.FileEntry;
import io.trino.filesystem.Location;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * The files that vacuum can delete in a folder.
 */
sealed interface Garbage
{
    VacuumCandidate candidate();

    /**
     * The files of a table that was dropped.
     *
     * @param dropped the newest version, which has no name
     * @param lastName its last name; empty if a stub has replaced the version that had it
     * @param schemaName name of its schema for users, if the last name is known
     */
    record DroppedTable(TableFolder folder, TableVersion dropped, Optional<TableName> lastName, Optional<String> schemaName, FolderFiles files)
            implements Garbage
    {
        @Override
        public VacuumCandidate candidate()
        {
            return new VacuumCandidate(
                    folder.location(),
                    schemaName.or(folder::schemaName),
                    lastName.map(TableName::tableName).or(folder::tableName),
                    Reason.DROPPED_TABLE,
                    files.count(),
                    files.bytes(),
                    Optional.of(dropped.time()));
        }
    }

    /**
     * The files of a load without versions.
     */
    record FailedLoad(TableFolder folder, FolderFiles files)
            implements Garbage
    {
        @Override
        public VacuumCandidate candidate()
        {
            return new VacuumCandidate(folder.location(), folder.schemaName(), folder.tableName(), Reason.FAILED_LOAD, files.count(), files.bytes(), files.lastModified());
        }
    }

    /**
     * Temporary files of puts.
     *
     * @param files at least one
     */
    record Temporary(Location location, Optional<String> schemaName, Optional<String> tableName, List<FileEntry> files)
            implements Garbage
    {
        public Temporary
        {
            files = ImmutableList.copyOf(files);
        }

        @Override
        public VacuumCandidate candidate()
        {
            return new VacuumCandidate(
                    location,
                    schemaName,
                    tableName,
                    Reason.TEMPORARY_FILES,
                    files.size(),
                    files.stream().mapToLong(FileEntry::length).sum(),
                    files.stream().map(FileEntry::lastModified).max(Instant::compareTo));
        }

        List<Location> locations()
        {
            return files.stream()
                    .map(FileEntry::location)
                    .collect(toImmutableList());
        }
    }
}
