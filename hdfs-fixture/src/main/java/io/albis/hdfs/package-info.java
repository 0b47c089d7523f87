/**
 * HDFS for tests, with each NameNode and DataNode in a separate process. Start with {@link HdfsDaemon}.
 */
package io.albis.hdfs;
