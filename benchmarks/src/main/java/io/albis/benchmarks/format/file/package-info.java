/**
 * Writes and reads the same rows in each file format. Start with {@link TableFormat}.
 */
package io.albis.benchmarks.format.file;
