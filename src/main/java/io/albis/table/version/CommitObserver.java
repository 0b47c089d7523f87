package io.albis.table.version;

import io.albis.table.model.TableException;

import java.time.Duration;

/**
 * Is told what becomes of the commits of a {@code Warehouse}: those that make a table and those that change one. Called
 * by the threads that commit, after the fact; must not throw.
 */
public interface CommitObserver
{
    CommitObserver NONE = new CommitObserver() {};

    /**
     * A new version of a table is there.
     *
     * @param duration since the commit began, all its attempts together
     */
    default void committed(Duration duration) {}

    /**
     * Somebody else was first with the next version. The commit goes on from that one, if it can.
     */
    default void lostRace() {}

    /**
     * A commit was given up.
     *
     * @param reason CONFLICT, OUTCOME_UNKNOWN, IO if the storage failed, or what else was in the way
     */
    default void failed(TableException.Reason reason) {}
}
