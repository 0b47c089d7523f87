/**
 * A table and queries like those of ClickBench. Start with {@link HitsTable}.
 */
package io.albis.benchmarks.clickbench;
