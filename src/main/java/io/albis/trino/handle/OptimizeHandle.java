package io.albis.trino.handle;

import com.fasterxml.jackson.annotation.JsonCreator;
import io.trino.spi.connector.RetryMode;

import static java.util.Objects.requireNonNull;

/**
 * A run of the procedure optimize, and the table that it reads.
 *
 * @param build the first property, so that it is checked first, see {@link HandleBuild}
 * @param table the version of the table that the statement reads, with the predicate that selects row groups
 * @param target the table to write the new row groups to
 * @param all whether all selected row groups are replaced, rather than only those that are small or have deleted rows
 */
public record OptimizeHandle(HandleBuild build, AlbisTableHandle table, AlbisWritableTableHandle target, boolean all, RetryMode retryMode)
        implements RewriteHandle
{
    @JsonCreator
    public OptimizeHandle
    {
        HandleBuild.checkPresent(build);
        requireNonNull(table, "table is null");
        requireNonNull(target, "target is null");
        requireNonNull(retryMode, "retryMode is null");
    }

    public OptimizeHandle(AlbisTableHandle table, AlbisWritableTableHandle target, boolean all, RetryMode retryMode)
    {
        this(HandleBuild.CURRENT, table, target, all, retryMode);
    }

    @Override
    public OptimizeHandle withTable(AlbisTableHandle table)
    {
        return new OptimizeHandle(build, table, target, all, retryMode);
    }

    @Override
    public String toString()
    {
        return "optimize:" + table;
    }
}
