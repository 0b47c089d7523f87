package io.albis.trino.config;

/**
 * Whether a split asks for the machines that have its bytes.
 */
public enum SplitLocality
{
    OFF,
    /**
     * Where the file system tells. The engine waits for these machines as long as they are alive, and takes others only if there
     * is no worker on them.
     */
    PREFER,
}
