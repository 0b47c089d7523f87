package io.albis.format.filter;

import com.google.common.collect.MapMaker;
import io.trino.spi.predicate.Domain;

import java.util.concurrent.ConcurrentMap;

/**
 * What readers look values up in, by the domain that has them: made once for all readers of a scan, as a dynamic filter may
 * have a million values. Thread safe.
 */
public final class FilterCache
{
    // by identity, as long as the domain is in use: to compare domains takes as long as to make a filter
    private final ConcurrentMap<Domain, SharedFilter> filters = new MapMaker().weakKeys().makeMap();

    public SharedFilter get(Domain domain)
    {
        return filters.computeIfAbsent(domain, _ -> new SharedFilter()).prepare(domain);
    }
}
