package io.albis.trino.procedure;

import com.fasterxml.jackson.annotation.JsonCreator;
import io.airlift.units.Duration;
import io.albis.trino.handle.AlbisTableHandle;
import io.albis.trino.handle.HandleBuild;
import io.trino.spi.connector.ConnectorTableExecuteHandle;

import static java.util.Objects.requireNonNull;

/**
 * A run of the procedure remove_orphan_files.
 *
 * @param build the first property, so that it is checked first, see {@link HandleBuild}
 * @param retentionThreshold how old the files of a write must be
 */
public record RemoveOrphanFilesHandle(HandleBuild build, AlbisTableHandle tableHandle, Duration retentionThreshold)
        implements ConnectorTableExecuteHandle
{
    @JsonCreator
    public RemoveOrphanFilesHandle
    {
        HandleBuild.checkPresent(build);
        requireNonNull(tableHandle, "tableHandle is null");
        retentionThreshold = Retention.exact(retentionThreshold);
    }

    public RemoveOrphanFilesHandle(AlbisTableHandle tableHandle, Duration retentionThreshold)
    {
        this(HandleBuild.CURRENT, tableHandle, retentionThreshold);
    }

    @Override
    public String toString()
    {
        return "remove_orphan_files:" + tableHandle;
    }
}
