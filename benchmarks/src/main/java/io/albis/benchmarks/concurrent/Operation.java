package io.albis.benchmarks.concurrent;

import static java.util.Locale.ENGLISH;

/**
 * The kinds of statements of the mixed load.
 */
public enum Operation
{
    QUERY,
    INSERT,
    MERGE,
    EXPIRE_SNAPSHOTS,
    OPTIMIZE,
    /**/;

    @Override
    public String toString()
    {
        return name().toLowerCase(ENGLISH);
    }
}
