package io.albis.launcher.server;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Skips a test, with a reason, where there is no Python that can create virtual environments. The summary of bin/albis
 * test repeats the reason.
 */
final class PythonCondition
        implements ExecutionCondition
{
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context)
    {
        try {
            if (TestingPython.find().isPresent()) {
                return ConditionEvaluationResult.enabled("There is a Python");
            }
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        return SkippedTest.skip(context, "there is no Python %s to %s with venv on the PATH".formatted(TestingPython.OLDEST, TestingPython.NEWEST));
    }
}
