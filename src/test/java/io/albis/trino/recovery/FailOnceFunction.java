package io.albis.trino.recovery;

import io.airlift.slice.Slice;
import io.trino.spi.TrinoException;
import io.trino.spi.function.Description;
import io.trino.spi.function.ScalarFunction;
import io.trino.spi.function.SqlType;
import io.trino.spi.type.StandardTypes;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import static io.trino.spi.StandardErrorCode.GENERIC_INTERNAL_ERROR;

/**
 * Makes the first attempt of a task fail in the middle of its rows. The next attempt succeeds.
 */
public final class FailOnceFunction
{
    private static final Set<String> FAILED = ConcurrentHashMap.newKeySet();

    private FailOnceFunction() {}

    /**
     * Returns whether the function has failed for this token.
     */
    static boolean hasFailed(String token)
    {
        return FAILED.contains(token);
    }

    @Description("False, or a failure if the condition holds and it is the first time for the token")
    @ScalarFunction(value = "fail_once", deterministic = false)
    @SqlType(StandardTypes.BOOLEAN)
    public static boolean failOnce(@SqlType(StandardTypes.VARCHAR) Slice token, @SqlType(StandardTypes.BOOLEAN) boolean condition)
    {
        if (condition && FAILED.add(token.toStringUtf8())) {
            throw new TrinoException(GENERIC_INTERNAL_ERROR, "this attempt fails: " + token.toStringUtf8());
        }
        return false;
    }
}
