package io.albis.trino.handle;

import com.fasterxml.jackson.annotation.JsonCreator;
import io.trino.spi.connector.ConnectorTableExecuteHandle;

import static java.util.Objects.requireNonNull;

/**
 * A procedure of ALTER TABLE EXECUTE with its arguments.
 *
 * @param build the first property, so that it is checked first, see {@link HandleBuild}
 * @param table the version of the table that the statement saw
 * @param procedure name of the procedure
 * @param snapshotId number of a version
 */
public record AlbisTableExecuteHandle(HandleBuild build, AlbisTableHandle table, String procedure, long snapshotId)
        implements ConnectorTableExecuteHandle
{
    @JsonCreator
    public AlbisTableExecuteHandle
    {
        HandleBuild.checkPresent(build);
        requireNonNull(table, "table is null");
        requireNonNull(procedure, "procedure is null");
    }

    public AlbisTableExecuteHandle(AlbisTableHandle table, String procedure, long snapshotId)
    {
        this(HandleBuild.CURRENT, table, procedure, snapshotId);
    }

    @Override
    public String toString()
    {
        return "%s on %s".formatted(procedure, table);
    }
}
