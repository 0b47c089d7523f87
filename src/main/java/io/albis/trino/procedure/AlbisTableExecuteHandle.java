package io.albis.trino.procedure;

import com.fasterxml.jackson.annotation.JsonCreator;
import io.albis.trino.handle.AlbisTableHandle;
import io.albis.trino.handle.HandleBuild;
import io.trino.spi.connector.ConnectorTableExecuteHandle;

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * A procedure of ALTER TABLE EXECUTE with its arguments.
 *
 * @param build the first property, so that it is checked first, see {@link HandleBuild}
 * @param table the version of the table that the statement saw
 * @param procedure name of the procedure
 * @param snapshotId number of a version
 * @param name name of a tag or of a column
 */
public record AlbisTableExecuteHandle(HandleBuild build, AlbisTableHandle table, String procedure, Optional<Long> snapshotId, Optional<String> name)
        implements ConnectorTableExecuteHandle
{
    @JsonCreator
    public AlbisTableExecuteHandle
    {
        HandleBuild.checkPresent(build);
        requireNonNull(table, "table is null");
        requireNonNull(procedure, "procedure is null");
        requireNonNull(snapshotId, "snapshotId is null");
        requireNonNull(name, "name is null");
    }

    public AlbisTableExecuteHandle(AlbisTableHandle table, String procedure, Optional<Long> snapshotId, Optional<String> name)
    {
        this(HandleBuild.CURRENT, table, procedure, snapshotId, name);
    }

    @Override
    public String toString()
    {
        return "%s on %s".formatted(procedure, table);
    }
}
