package io.albis.trino.config;

/**
 * Determines whether a reader reads the next bytes while it decodes earlier ones.
 */
public enum ReadAhead
{
    /**
     * Reads ahead where requests are slow, on all file systems except the local one.
     */
    AUTO,
    ALWAYS,
    NEVER,
}
