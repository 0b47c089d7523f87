package io.albis.trino.maintenance;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.google.common.collect.ImmutableList;
import io.albis.trino.handle.HandleBuild;
import io.trino.spi.connector.ConnectorSplit;

import java.util.List;

import static io.airlift.slice.SizeOf.estimatedSizeOf;
import static io.airlift.slice.SizeOf.instanceSize;

/**
 * Rows that the coordinator has found.
 *
 * @param build the first property, so that it is checked first, see {@link HandleBuild}
 */
public record MaintenanceSplit(HandleBuild build, List<MaintenanceRow> rows)
        implements ConnectorSplit
{
    private static final int INSTANCE_SIZE = instanceSize(MaintenanceSplit.class);

    @JsonCreator
    public MaintenanceSplit
    {
        HandleBuild.checkPresent(build);
        rows = ImmutableList.copyOf(rows);
    }

    public MaintenanceSplit(List<MaintenanceRow> rows)
    {
        this(HandleBuild.CURRENT_ID, rows);
    }

    @Override
    public long getRetainedSizeInBytes()
    {
        return INSTANCE_SIZE + estimatedSizeOf(rows, MaintenanceRow::retainedSize);
    }
}
