package io.albis.launcher.server;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

/**
 * Skips a class or a method where the command of its annotation fails.
 */
final class RequiredCommandCondition
        implements ExecutionCondition
{
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context)
    {
        // The methods of an annotated class come here, too, and most have no annotation
        Optional<RequiredCommand> required = context.getElement().map(element -> element.getAnnotation(RequiredCommand.class));
        if (required.isEmpty() || succeeds(required.orElseThrow().value())) {
            return ConditionEvaluationResult.enabled("Nothing is missing");
        }
        return SkippedTest.skip(context, required.orElseThrow().reason());
    }

    private static boolean succeeds(String command)
    {
        try {
            return TestingCommand.of("bash", "-c", command).run().exitCode() == 0;
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
