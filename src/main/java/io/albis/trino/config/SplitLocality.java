package io.albis.trino.config;

/**
 * Determines whether splits are scheduled on the machines that store their data.
 */
public enum SplitLocality
{
    OFF,
    /**
     * Splits name the machines that store their data if the file system reports them. The engine waits for these
     * machines as long as they are alive, and uses others only if no worker runs on them.
     */
    PREFER,
}
