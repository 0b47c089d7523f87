package io.albis.launcher.server;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExtensionContext;

import java.lang.reflect.Method;

/**
 * Says which test is skipped and why, in a line that the summary of bin/albis test repeats.
 */
public final class SkippedTest
{
    private SkippedTest() {}

    /**
     * Skips a class, or one of its methods.
     */
    public static ConditionEvaluationResult skip(ExtensionContext context, String reason)
    {
        String method = context.getTestMethod().map(Method::getName).map("#"::concat).orElse("");
        System.out.println("%s%s is skipped: %s".formatted(context.getRequiredTestClass().getSimpleName(), method, reason));
        return ConditionEvaluationResult.disabled(reason);
    }
}
