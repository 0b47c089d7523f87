package io.albis.trino.maintenance;

import com.fasterxml.jackson.annotation.JsonCreator;
import io.albis.trino.handle.HandleBuild;
import io.trino.spi.function.table.ConnectorTableFunctionHandle;

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * A call of a table function that finds tables without a name.
 *
 * @param build the first property, so that it is checked first, see {@link HandleBuild}
 * @param location folder in which to look instead of the warehouse
 * @param before milliseconds since 1970: tables that were dropped until this time; empty for a function without a
 *         retention
 */
public record MaintenanceFunctionHandle(HandleBuild build, Kind kind, Optional<String> location, Optional<Long> before)
        implements ConnectorTableFunctionHandle
{
    @JsonCreator
    public MaintenanceFunctionHandle
    {
        HandleBuild.checkPresent(build);
        requireNonNull(kind, "kind is null");
        requireNonNull(location, "location is null");
        requireNonNull(before, "before is null");
    }

    public MaintenanceFunctionHandle(Kind kind, Optional<String> location, Optional<Long> before)
    {
        this(HandleBuild.CURRENT, kind, location, before);
    }

    public enum Kind
    {
        FIND_LOST_TABLES, VACUUM_CANDIDATES
    }
}
