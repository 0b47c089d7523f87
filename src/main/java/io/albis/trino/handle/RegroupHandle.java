package io.albis.trino.handle;

import com.fasterxml.jackson.annotation.JsonCreator;
import io.trino.spi.connector.RetryMode;

import static java.util.Objects.requireNonNull;

/**
 * A run of the procedure regroup, and the table that it reads.
 *
 * @param build the first property, so that it is checked first, see {@link HandleBuild}
 * @param table the version of the table that the statement reads, with the predicate that selects row groups
 * @param target the table with the new column groups
 * @param all whether all selected row groups are written again, rather than only those with other column groups
 */
public record RegroupHandle(HandleBuild build, AlbisTableHandle table, AlbisWritableTableHandle target, boolean all, RetryMode retryMode)
        implements RewriteHandle
{
    @JsonCreator
    public RegroupHandle
    {
        HandleBuild.checkPresent(build);
        requireNonNull(table, "table is null");
        requireNonNull(target, "target is null");
        requireNonNull(retryMode, "retryMode is null");
    }

    public RegroupHandle(AlbisTableHandle table, AlbisWritableTableHandle target, boolean all, RetryMode retryMode)
    {
        this(HandleBuild.CURRENT, table, target, all, retryMode);
    }

    @Override
    public RegroupHandle withTable(AlbisTableHandle table)
    {
        return new RegroupHandle(build, table, target, all, retryMode);
    }

    @Override
    public String toString()
    {
        return "regroup:" + table;
    }
}
