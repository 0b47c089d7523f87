/**
 * Answers count, min, and max over all rows of a scan from the statistics in manifests, if these give the exact result.
 * Start with {@link AggregationPushdown}.
 */
package io.albis.trino.answer;
