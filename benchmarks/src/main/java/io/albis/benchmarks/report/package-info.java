/**
 * Writes the results of a benchmark as a page of Markdown. Start with {@link Report}.
 */
package io.albis.benchmarks.report;
