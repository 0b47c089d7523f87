package io.albis.table.version;

import io.albis.table.model.TableException;

import java.time.Duration;

/**
 * Receives the results of the commits of a {@code Warehouse} that create or change a table. The committing threads call
 * the methods after the event. Implementations must be thread-safe and must not throw.
 */
public interface CommitObserver
{
    CommitObserver NONE = new CommitObserver() {};

    /**
     * Reports that a new version of a table was committed.
     *
     * @param duration duration of the commit with all its attempts
     */
    default void committed(Duration duration) {}

    /**
     * Reports that another writer created the next version first. The commit retries with that version.
     */
    default void lostRace() {}

    /**
     * Reports that a commit failed.
     *
     * @param reason reason of the failure, which is IO if the storage failed
     */
    default void failed(TableException.Reason reason) {}
}
