/**
 * Loops over arrays of values, as they are stored and as they are in memory: widening, comparisons, bits, and maximums.
 * They use vector instructions where these are faster. Knows nothing about chunks and runs. Start with {@link
 * NarrowValues} and {@link Vectors}.
 */
package io.albis.format.vector;
