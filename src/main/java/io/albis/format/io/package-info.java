/**
 * Access to files: headers and checksums of binary files, atomic creation of files, and reads of ranges with their
 * buffers and counters. Start with {@link FileFrame} for the content of files, and {@link StorageInput} for reads.
 */
package io.albis.format.io;
