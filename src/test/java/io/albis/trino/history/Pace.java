package io.albis.trino.history;

/**
 * How fast clients and kills follow each other.
 *
 * @param mostDelayMillis upper bound of the random wait before a kill, and after a failure of the storage
 * @param mostPauseMillis upper bound of the time for which a client asks for nothing while its statement runs
 * @param lead operations that clients may complete during a restart
 * @param leastWrites statements that a server must have completed before it is killed again, because a server that has
 *         only just started has nothing to lose
 * @param storageShare share of the kills that hit storage, if it can be killed
 */
record Pace(int mostDelayMillis, int mostPauseMillis, long lead, int leastWrites, double storageShare)
{
    /**
     * Restarting a server takes seconds, as restarting storage does.
     */
    static final Pace SLOW_RESTARTS = new Pace(300, 1000, 10, 3, 2.0 / 3);
    /**
     * A server restarts while a statement runs. Only storage takes longer, so it is killed seldom.
     */
    static final Pace FAST_RESTARTS = new Pace(30, 100, 10, 1, 1.0 / 15);
}
