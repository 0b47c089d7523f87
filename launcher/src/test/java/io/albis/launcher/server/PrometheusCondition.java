package io.albis.launcher.server;

import com.google.common.collect.ImmutableList;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

import java.io.IOException;
import java.util.List;

/**
 * Skips a test, with a reason, where there is no Prometheus. The summary of bin/albis test repeats the reason.
 */
final class PrometheusCondition
        implements ExecutionCondition
{
    private static final List<String> COMMANDS = ImmutableList.of("prometheus", "promtool");

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context)
    {
        try {
            for (String command : COMMANDS) {
                TestingCommand.of(command, "--version").run().checkSucceeded();
            }
            return ConditionEvaluationResult.enabled("There is a Prometheus");
        }
        catch (IOException _) {
            return SkippedTest.skip(context, "there is no prometheus or no promtool on the PATH");
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
