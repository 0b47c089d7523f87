package io.albis.format.filter;

import io.airlift.slice.Slice;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.type.Type;
import jakarta.annotation.Nullable;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import static io.airlift.slice.SizeOf.instanceSize;
import static io.trino.spi.type.TypeUtils.readNativeValue;
import static java.util.Objects.requireNonNull;

/**
 * The results of a {@link ValueTest}, which the readers of a scan share, so that each distinct value is tested once.
 * Their number is limited, because a test can be slow. All other values may match. One reader accounts for the memory,
 * as in {@link SharedFilter}. Thread safe.
 */
public final class TestedValues
{
    /**
     * The most distinct values that are tested.
     */
    public static final int MAX_VALUES = 8192;
    // Longer values are not tested, so that the results stay small
    private static final int MAX_LENGTH = 1024;

    // a value that is not a slice has at most the size of the largest native value
    private static final int ENTRY_SIZE = 64 + instanceSize(Slice.class);
    // stands for a null in the results
    private static final Object NULL = new Object();

    private final Type type;
    private final ValueTest test;
    private final ConcurrentMap<Object, Boolean> results = new ConcurrentHashMap<>();
    private final AtomicInteger tested = new AtomicInteger();
    private final AtomicLong retainedSize = new AtomicLong();
    private final AtomicReference<Object> owner = new AtomicReference<>();

    /**
     * @param type a scalar type, whose values are tested
     */
    public TestedValues(Type type, ValueTest test)
    {
        this.type = requireNonNull(type, "type is null");
        this.test = requireNonNull(test, "test is null");
    }

    /**
     * Returns whether a row with an integral value may match.
     *
     * @param value the value, or 0 or 1 for a boolean
     */
    public boolean mayMatchInteger(long value)
    {
        return type.getJavaType() == boolean.class ? mayMatch(value != 0) : mayMatch((Object) value);
    }

    /**
     * Returns whether a row with a value may match. Waits if another thread tests the value.
     *
     * @param value Trino's native value, which is only valid during the call; null for a null
     */
    public boolean mayMatch(@Nullable Object value)
    {
        if (value == null) {
            return results.computeIfAbsent(NULL, _ -> test.mayMatch(null));
        }
        Boolean known = results.get(value);
        if (known != null) {
            return known;
        }
        if (length(value) > MAX_LENGTH || isExhausted()) {
            return true;
        }
        // the bytes of a slice belong to the block
        Object kept = value instanceof Slice slice ? slice.copy() : value;
        Boolean matches = results.computeIfAbsent(kept, this::test);
        return matches == null || matches;
    }

    /**
     * Returns null if too many values have been tested.
     */
    @Nullable
    private Boolean test(Object value)
    {
        if (tested.incrementAndGet() > MAX_VALUES) {
            return null;
        }
        retainedSize.addAndGet(ENTRY_SIZE + length(value));
        return test.mayMatch(value);
    }

    private static int length(Object value)
    {
        return value instanceof Slice slice ? slice.length() : 0;
    }

    /**
     * Returns whether no further values are tested.
     */
    public boolean isExhausted()
    {
        return tested.get() >= MAX_VALUES;
    }

    /**
     * Returns whether a row with the value at a position of a block may match.
     */
    public boolean mayMatch(ValueBlock block, int position)
    {
        return mayMatch(readNativeValue(type, block, position));
    }

    /**
     * Creates a filter for use by one thread.
     */
    public ValueFilter newFilter()
    {
        return new ValueTestFilter(this);
    }

    /**
     * Returns the number of bytes that the reader must account for, which is zero if another reader already does.
     */
    public long claim(Object reader)
    {
        return owner.get() == reader || owner.compareAndSet(null, reader) ? retainedSize.get() : 0;
    }

    /**
     * Ends the accounting by a reader, so that another reader can take over.
     */
    public void release(Object reader)
    {
        owner.compareAndSet(reader, null);
    }
}
