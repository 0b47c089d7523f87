/**
 * Counts the objects that readers create. Start with {@link io.albis.benchmarks.format.object.ObjectsTask}.
 */
package io.albis.benchmarks.format.object;
