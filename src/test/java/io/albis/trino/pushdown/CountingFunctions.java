package io.albis.trino.pushdown;

import io.airlift.slice.Slice;
import io.trino.spi.Plugin;
import io.trino.spi.function.LiteralParameters;
import io.trino.spi.function.ScalarFunction;
import io.trino.spi.function.SqlType;

import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

import static io.trino.spi.type.StandardTypes.BOOLEAN;

/**
 * A function that counts its calls on all nodes of the process.
 */
public final class CountingFunctions
        implements Plugin
{
    static final AtomicLong CALLS = new AtomicLong();

    @Override
    public Set<Class<?>> getFunctions()
    {
        return Set.of(CountingFunctions.class);
    }

    /**
     * Returns whether a text ends with a byte.
     */
    @ScalarFunction("counted_ends_with")
    @LiteralParameters({"x", "y"})
    @SqlType(BOOLEAN)
    public static boolean endsWith(@SqlType("varchar(x)") Slice text, @SqlType("varchar(y)") Slice end)
    {
        CALLS.incrementAndGet();
        return text.length() > 0 && text.getByte(text.length() - 1) == end.getByte(0);
    }
}
