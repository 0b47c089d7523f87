/**
 * File systems of a catalog: Trino's file systems, extended by what commits depend on, such as durable writes to the
 * local disk. Start with {@link AlbisFileSystemFactory}.
 */
package io.albis.trino.storage;
