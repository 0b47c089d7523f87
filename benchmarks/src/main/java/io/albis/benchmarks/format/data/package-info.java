/**
 * The data of the benchmarks of file formats. Start with {@link Dataset}.
 */
package io.albis.benchmarks.format.data;
