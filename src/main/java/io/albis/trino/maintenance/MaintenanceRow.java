package io.albis.trino.maintenance;

import com.fasterxml.jackson.annotation.JsonCreator;

import java.util.Optional;

import static io.airlift.slice.SizeOf.estimatedSizeOf;
import static io.airlift.slice.SizeOf.instanceSize;
import static io.airlift.slice.SizeOf.sizeOf;
import static java.util.Objects.requireNonNull;

/**
 * A row of a table function that finds tables without a name.
 *
 * @param state state of the table, or reason to free the space
 * @param version number of the newest version
 * @param rows number of its rows
 * @param files number of files
 * @param lastChange milliseconds since 1970
 */
public record MaintenanceRow(
        String location,
        Optional<String> schemaName,
        Optional<String> tableName,
        String state,
        Optional<Long> version,
        Optional<Long> rows,
        Optional<Long> files,
        Optional<Long> bytes,
        Optional<Long> lastChange)
{
    private static final int INSTANCE_SIZE = instanceSize(MaintenanceRow.class) + 5 * instanceSize(Long.class);

    @JsonCreator
    public MaintenanceRow
    {
        requireNonNull(location, "location is null");
        requireNonNull(schemaName, "schemaName is null");
        requireNonNull(tableName, "tableName is null");
        requireNonNull(state, "state is null");
        requireNonNull(version, "version is null");
        requireNonNull(rows, "rows is null");
        requireNonNull(files, "files is null");
        requireNonNull(bytes, "bytes is null");
        requireNonNull(lastChange, "lastChange is null");
    }

    long retainedSize()
    {
        return INSTANCE_SIZE + estimatedSizeOf(location) + estimatedSizeOf(state) + sizeOf(schemaName, name -> estimatedSizeOf(name)) + sizeOf(tableName, name -> estimatedSizeOf(name));
    }
}
