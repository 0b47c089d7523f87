package io.albis.trino.handle;

import com.fasterxml.jackson.annotation.JsonCreator;
import io.trino.spi.connector.ConnectorMergeTableHandle;

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * The target of a DELETE, UPDATE, or MERGE.
 *
 * @param build the first property, so that it is checked first, see {@link HandleBuild}
 * @param tableHandle the version of the table that the statement reads, with its predicate
 * @param target the table to write the new rows to
 * @param earlierDeletes row groups that may match the predicate and already have deleted rows; empty if they are too
 *         many to be sent with each task, so that a task finds them in the manifests of the version
 * @param updates how the statement updates rows
 * @param kind what the statement does
 */
public record AlbisMergeTableHandle(
        HandleBuild build,
        AlbisTableHandle tableHandle,
        AlbisWritableTableHandle target,
        Optional<EarlierDeletes> earlierDeletes,
        UpdateOptions updates,
        Kind kind)
        implements ConnectorMergeTableHandle
{
    /**
     * The kinds of statements. The more changes a statement can make, the more concurrent changes conflict with it.
     */
    public enum Kind
    {
        DELETE,
        /**
         * It changes rows that exist, and decides about each of them.
         */
        UPDATE,
        /**
         * It may insert rows too, because others do not exist.
         */
        MERGE,
    }

    @JsonCreator
    public AlbisMergeTableHandle
    {
        HandleBuild.checkPresent(build);
        requireNonNull(tableHandle, "tableHandle is null");
        requireNonNull(target, "target is null");
        requireNonNull(earlierDeletes, "earlierDeletes is null");
        requireNonNull(updates, "updates is null");
        requireNonNull(kind, "kind is null");
    }

    public AlbisMergeTableHandle(AlbisTableHandle tableHandle, AlbisWritableTableHandle target, Optional<EarlierDeletes> earlierDeletes, UpdateOptions updates, Kind kind)
    {
        this(HandleBuild.CURRENT, tableHandle, target, earlierDeletes, updates, kind);
    }

    @Override
    public AlbisTableHandle getTableHandle()
    {
        return tableHandle;
    }

    @Override
    public String toString()
    {
        return target.toString();
    }
}
