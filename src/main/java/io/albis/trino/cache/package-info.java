/**
 * This package contains the code that the caches of a node share. The cache of manifests and the cache of column group
 * metadata use it to load a value once for all queries that need it at the same time. Start with {@link SharedLoads},
 * which is the only class.
 */
package io.albis.trino.cache;
