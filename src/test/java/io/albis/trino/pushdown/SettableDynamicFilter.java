package io.albis.trino.pushdown;

import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.DynamicFilter;
import io.trino.spi.predicate.TupleDomain;

import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * A dynamic filter that tests narrow explicitly.
 */
public final class SettableDynamicFilter
        implements DynamicFilter
{
    private volatile TupleDomain<ColumnHandle> predicate = TupleDomain.all();

    public void set(TupleDomain<ColumnHandle> predicate)
    {
        this.predicate = predicate;
    }

    @Override
    public Set<ColumnHandle> getColumnsCovered()
    {
        return predicate.getDomains().orElseThrow().keySet();
    }

    @Override
    public CompletableFuture<?> isBlocked()
    {
        return NOT_BLOCKED;
    }

    @Override
    public boolean isComplete()
    {
        return false;
    }

    @Override
    public boolean isAwaitable()
    {
        return false;
    }

    @Override
    public TupleDomain<ColumnHandle> getCurrentPredicate()
    {
        return predicate;
    }
}
