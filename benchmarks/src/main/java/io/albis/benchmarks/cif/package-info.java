/**
 * The data and the queries of the paper on CIF, "Column-Oriented Storage Techniques for MapReduce". Start with
 * {@link SyntheticRecords}.
 */
package io.albis.benchmarks.cif;
