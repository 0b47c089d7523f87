/**
 * HDFS in separate processes, which a benchmark starts. Start with {@link HdfsCluster}.
 */
package io.albis.benchmarks.hdfs;
