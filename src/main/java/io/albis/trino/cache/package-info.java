/**
 * What the caches of a node have in common. Start with {@link SharedLoads}.
 */
package io.albis.trino.cache;
