/**
 * Clients that work on one table at the same time. Start with {@link CommitTask} and {@link MixedLoad}.
 */
package io.albis.benchmarks.concurrent;
