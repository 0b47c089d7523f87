/**
 * Reads the chunks of a data file with few requests: it joins ranges into requests, reads ahead, keeps what is in
 * memory until it is no longer needed, and verifies the checksum of each run. Start with {@link ChunkReader}.
 */
package io.albis.format.request;
