/**
 * Answers count, min, and max over all rows of a scan, or over groups of them, from the statistics in manifests, if
 * these give the exact results. Start with {@link AggregationPushdown}.
 */
package io.albis.trino.answer;
