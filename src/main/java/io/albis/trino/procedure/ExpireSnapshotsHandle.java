package io.albis.trino.procedure;

import com.fasterxml.jackson.annotation.JsonCreator;
import io.airlift.units.Duration;
import io.albis.trino.handle.AlbisTableHandle;
import io.albis.trino.handle.HandleBuild;
import io.trino.spi.connector.ConnectorTableExecuteHandle;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * A run of the procedure expire_snapshots.
 *
 * @param build the first property, so that it is checked first, see {@link HandleBuild}
 * @param retentionThreshold how long a version remains after another one has replaced it
 * @param retainLast number of newest versions that remain in any case
 */
public record ExpireSnapshotsHandle(HandleBuild build, AlbisTableHandle tableHandle, Duration retentionThreshold, int retainLast)
        implements ConnectorTableExecuteHandle
{
    @JsonCreator
    public ExpireSnapshotsHandle
    {
        HandleBuild.checkPresent(build);
        requireNonNull(tableHandle, "tableHandle is null");
        retentionThreshold = Retention.exact(retentionThreshold);
        checkArgument(retainLast > 0, "retainLast is not positive: %s", retainLast);
    }

    public ExpireSnapshotsHandle(AlbisTableHandle tableHandle, Duration retentionThreshold, int retainLast)
    {
        this(HandleBuild.CURRENT, tableHandle, retentionThreshold, retainLast);
    }

    @Override
    public String toString()
    {
        return "expire_snapshots:" + tableHandle;
    }
}
