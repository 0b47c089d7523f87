/**
 * File systems that wrap those of Trino. One reports every failure as IOException, and the other makes files on local
 * file systems durable. Start with {@link CheckedFileSystem} and {@link DurableFileSystem}.
 */
package io.albis.table.storage;
