package io.albis.format.filter;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.trino.spi.predicate.Domain;
import jakarta.annotation.Nullable;

import java.util.concurrent.atomic.AtomicReference;

/**
 * The lookup structure of one domain, shared by the readers of a scan. One reader accounts for its memory. When that
 * reader is closed, the next reader that reports its memory takes over. Thread safe. Holds no strong reference to a
 * domain that is a key of {@link FilterCache}.
 */
public final class SharedFilter
{
    // More ranges than this hardly improve the pruning of segments.
    private static final int MAX_PRUNING_RANGES = 128;

    private final AtomicReference<Object> owner = new AtomicReference<>();
    @Nullable
    @GuardedBy("this")
    private FilterValues values;
    // null if simplifying does not change the domain
    @Nullable
    @GuardedBy("this")
    private Domain simplified;

    /**
     * Creates the lookup structure on the first call. Concurrent callers wait until it is complete.
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
     * Returns a superset of the domain with a limited number of ranges, for pruning.
     */
    public synchronized Domain pruningDomain(Domain domain)
    {
        return simplified == null ? domain : simplified;
    }

    /**
     * Creates a filter for use by one thread.
     */
    public synchronized ValueFilter newFilter()
    {
        return values.newFilter();
    }

    /**
     * Returns the number of bytes that the reader must account for, which is zero if another reader already does.
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

    /**
     * Ends the accounting by a reader, so that another reader can take over.
     */
    public void release(Object reader)
    {
        owner.compareAndSet(reader, null);
    }
}
