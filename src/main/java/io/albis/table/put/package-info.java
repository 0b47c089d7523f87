/**
 * Creation of files that several writers may try to create at the same time, which is what every commit consists of.
 * Each kind of file system has its own way to create a file only if it is absent: object stores have an operation for
 * it, HDFS has the rename, and local file systems have hard links. This package also decides after a failure whether
 * the file exists, and how often an attempt is repeated. Start with {@link ExclusiveFiles}, which uses
 * {@link PutIfAbsent}.
 */
package io.albis.table.put;
