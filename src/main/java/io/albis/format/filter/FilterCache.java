package io.albis.format.filter;

import com.google.common.collect.MapMaker;
import io.trino.spi.predicate.Domain;

import java.util.concurrent.ConcurrentMap;

/**
 * Caches lookup structures by the domain that they implement. All readers of a scan share them, because a dynamic
 * filter may have a million values. Thread safe.
 */
public final class FilterCache
{
    // Keys are weak and compared by identity, because comparing domains is as expensive as creating a filter.
    private final ConcurrentMap<Domain, SharedFilter> filters = new MapMaker().weakKeys().makeMap();

    /**
     * Returns the shared lookup structure of a domain, and creates it on the first call.
     */
    public SharedFilter get(Domain domain)
    {
        return filters.computeIfAbsent(domain, _ -> new SharedFilter()).prepare(domain);
    }
}
