/**
 * Writes the figures of a page of the documentation from the saved reports. Start with {@link Page}.
 */
package io.albis.benchmarks.page;
