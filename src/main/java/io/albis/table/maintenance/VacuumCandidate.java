package io.albis.table.maintenance;

import io.trino.filesystem.Location;

import java.time.Instant;
import java.util.Optional;

import static java.util.Locale.ENGLISH;
import static java.util.Objects.requireNonNull;

/**
 * A folder in which vacuum frees space.
 *
 * @param schemaName schema of the last name of the table, as far as it is known
 * @param tableName last name of the table, as far as it is known
 * @param files number of files to delete
 * @param bytes their size
 * @param lastChange when the table was dropped, or when the last one of the files was written
 */
public record VacuumCandidate(Location location, Optional<String> schemaName, Optional<String> tableName, Reason reason, long files, long bytes, Optional<Instant> lastChange)
{
    public VacuumCandidate
    {
        requireNonNull(location, "location is null");
        requireNonNull(schemaName, "schemaName is null");
        requireNonNull(tableName, "tableName is null");
        requireNonNull(reason, "reason is null");
        requireNonNull(lastChange, "lastChange is null");
    }

    public enum Reason
    {
        DROPPED_TABLE,
        /**
         * A load has failed before its first version.
         */
        FAILED_LOAD,
        /**
         * A client has died while it put a version or an entry of a name.
         */
        TEMPORARY_FILES;

        public String label()
        {
            return name().toLowerCase(ENGLISH).replace('_', ' ');
        }
    }
}
