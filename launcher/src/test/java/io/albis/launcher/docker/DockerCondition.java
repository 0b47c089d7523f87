package io.albis.launcher.docker;

import com.google.common.collect.ImmutableList;
import io.albis.launcher.server.SkippedTest;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

import static java.util.concurrent.TimeUnit.SECONDS;

/**
 * Skips a test, with a reason, where containers cannot run. The condition uses the Docker command, because
 * Testcontainers would retry for minutes.
 */
public final class DockerCondition
        implements ExecutionCondition
{
    private static final int LIMIT_SECONDS = 120;
    private static final List<String> IMAGES = ImmutableList.of(TestingDockerCluster.PROJECT + "-hadoop", TestingDockerCluster.PROJECT + "-trino");

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context)
    {
        return whyNot()
                .map(reason -> SkippedTest.skip(context, reason))
                .orElseGet(() -> ConditionEvaluationResult.enabled("A Docker engine answers"));
    }

    private static Optional<String> whyNot()
    {
        if (!succeeds("docker", "version")) {
            return Optional.of("no Docker engine answers: docker version fails, or takes longer than %s s".formatted(LIMIT_SECONDS));
        }
        if (!succeeds("docker", "compose", "version")) {
            return Optional.of("Docker has no compose plugin: docker compose version fails, or takes longer than %s s".formatted(LIMIT_SECONDS));
        }
        return IMAGES.stream()
                .filter(image -> !succeeds("docker", "image", "inspect", image))
                .findFirst()
                .map("there is no image %s: bin/albis docker test builds it, and runs this"::formatted);
    }

    private static boolean succeeds(String... command)
    {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!process.waitFor(LIMIT_SECONDS, SECONDS)) {
                process.destroyForcibly();
                return false;
            }
            return process.exitValue() == 0;
        }
        catch (IOException _) {
            // The docker command is not on the PATH
            return false;
        }
        catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
