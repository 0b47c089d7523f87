/**
 * Compares the plans of a query in several catalogs. Start with {@link PlanDifference}.
 */
package io.albis.benchmarks.plan;
