/**
 * The structure of a data file: segments consist of chunks, and chunks consist of runs. Contains the metadata of chunks
 * and runs, their encodings, and the reading and writing of bytes that all layouts share. Start with {@link Chunk},
 * then {@link ChunkEncoding}, {@link Run}, and {@link RunEncoding}.
 */
package io.albis.format.run;
