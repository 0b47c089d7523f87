/**
 * Runs tasks in alternating rounds, and evaluates what they measure. Start with {@link Rounds}.
 */
package io.albis.benchmarks.measure;
