package io.albis.table.maintenance;

import io.trino.filesystem.Location;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

import static java.util.Locale.ENGLISH;
import static java.util.Objects.requireNonNull;

/**
 * A table to which no name refers.
 *
 * @param location folder of the table
 * @param schemaName schema of the last name, as far as it is known
 * @param tableName last name, as far as it is known
 * @param version number of the newest version, if it can be read
 * @param rows number of rows of that version
 * @param bytes size of the row groups of that version, or of the files of a load
 * @param lastChange time of that version, or of the last file of a load
 */
public record LostTable(
        Location location,
        Optional<String> schemaName,
        Optional<String> tableName,
        State state,
        OptionalLong version,
        OptionalLong rows,
        OptionalLong bytes,
        Optional<Instant> lastChange)
{
    public LostTable
    {
        requireNonNull(location, "location is null");
        requireNonNull(schemaName, "schemaName is null");
        requireNonNull(tableName, "tableName is null");
        requireNonNull(state, "state is null");
        requireNonNull(version, "version is null");
        requireNonNull(rows, "rows is null");
        requireNonNull(bytes, "bytes is null");
        requireNonNull(lastChange, "lastChange is null");
    }

    public enum State
    {
        /**
         * The table was unregistered and can be registered.
         */
        UNREGISTERED,
        /**
         * The table was dropped, and its files still exist.
         */
        DROPPED,
        /**
         * The table has lost its name, or is being created or renamed. It can be registered.
         */
        LOST,
        /**
         * The newest version cannot be read.
         */
        DAMAGED,
        /**
         * The entry of the name cannot be read, so the name may refer to the table.
         */
        NAME_DAMAGED,
        /**
         * A load runs or has failed before its first version.
         */
        UNFINISHED;

        public String label()
        {
            return name().toLowerCase(ENGLISH);
        }
    }
}
