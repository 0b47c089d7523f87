package io.albis.trino.system;

import io.albis.table.manifest.ConcurrentReads.ReadCall;

/**
 * Makes a native value, which is not null, when a query needs it. This reads files.
 */
@FunctionalInterface
interface DeferredValue
        extends ReadCall<Object> {}
