package io.albis.format.filter;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.trino.spi.predicate.Domain;
import jakarta.annotation.Nullable;

import java.util.concurrent.atomic.AtomicReference;

/**
 * What the readers of a scan share for one domain. One of them counts its memory; when it is closed, the next that reports its
 * own does. Thread safe, and refers to no domain that {@link FilterCache} has as a key.
 */
public final class SharedFilter
{
    // More ranges than this say little more about a segment than what is between them
    private static final int MAX_PRUNING_RANGES = 128;

    private final AtomicReference<Object> owner = new AtomicReference<>();
    @Nullable
    @GuardedBy("this")
    private FilterValues values;
    // null if the domain has few ranges
    @Nullable
    @GuardedBy("this")
    private Domain simplified;

    /**
     * Makes it once; others wait meanwhile.
     */
    synchronized SharedFilter prepare(Domain domain)
    {
        if (values == null) {
            Domain pruning = domain.simplify(MAX_PRUNING_RANGES);
            simplified = pruning.equals(domain) ? null : pruning;
            values = FilterValues.of(domain);
        }
        return this;
    }

    /**
     * The domain with few ranges, which may have more values.
     */
    public synchronized Domain pruningDomain(Domain domain)
    {
        return simplified == null ? domain : simplified;
    }

    /**
     * A filter of the values for one thread.
     */
    public synchronized ValueFilter newFilter()
    {
        return values.newFilter();
    }

    /**
     * Bytes that a reader has to count: none if another one does.
     */
    public long claim(Object reader)
    {
        if (owner.get() != reader && !owner.compareAndSet(null, reader)) {
            return 0;
        }
        synchronized (this) {
            return values.retainedSize();
        }
    }

    public void release(Object reader)
    {
        owner.compareAndSet(reader, null);
    }
}
