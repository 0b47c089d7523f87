package io.albis.trino.config;

/**
 * Whether the next bytes are read while those before are decoded.
 */
public enum ReadAhead
{
    /**
     * Where a request takes long: on all file systems but the local one.
     */
    AUTO,
    ALWAYS,
    NEVER,
}
