package io.albis.trino.changes;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.google.common.collect.ImmutableList;
import io.albis.trino.handle.AlbisColumnHandle;
import io.albis.trino.handle.HandleBuild;
import io.trino.spi.function.table.ConnectorTableFunctionHandle;

import java.util.List;
import java.util.UUID;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * A call of the table function table_changes.
 *
 * @param build the first property, so that it is checked first, see {@link HandleBuild}
 * @param folder of the table; all paths of its files are relative to it
 * @param startVersion number of the version whose rows are the state before the changes
 * @param endVersion number of the version whose rows are the state after the changes
 * @param columns columns of the last version
 */
public record TableChangesHandle(
        HandleBuild build,
        String schemaName,
        String tableName,
        UUID tableId,
        String folder,
        long startVersion,
        long endVersion,
        List<AlbisColumnHandle> columns)
        implements ConnectorTableFunctionHandle
{
    @JsonCreator
    public TableChangesHandle
    {
        HandleBuild.checkPresent(build);
        requireNonNull(schemaName, "schemaName is null");
        requireNonNull(tableName, "tableName is null");
        requireNonNull(tableId, "tableId is null");
        requireNonNull(folder, "folder is null");
        checkArgument(startVersion > 0 && startVersion <= endVersion, "invalid versions: %s to %s", startVersion, endVersion);
        columns = ImmutableList.copyOf(columns);
    }

    public TableChangesHandle(String schemaName, String tableName, UUID tableId, String folder, long startVersion, long endVersion, List<AlbisColumnHandle> columns)
    {
        this(HandleBuild.CURRENT, schemaName, tableName, tableId, folder, startVersion, endVersion, columns);
    }

    @Override
    public String toString()
    {
        return "changes of %s.%s after version %s to version %s".formatted(schemaName, tableName, startVersion, endVersion);
    }
}
