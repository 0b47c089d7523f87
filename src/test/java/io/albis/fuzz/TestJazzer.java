package io.albis.fuzz;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.concurrent.TimeUnit.DAYS;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs Jazzer on each target. Jazzer instruments the classes of its process and fuzzes a single method, so each target
 * gets a process of its own.
 */
@Tag("slow")
final class TestJazzer
{
    private static final int SECONDS = Integer.getInteger("fuzz.seconds", 20);
    private static final Pattern EXECUTIONS = Pattern.compile("Done (\\d+) runs in \\d+ second");
    private static final Path FOLDER = Path.of("target", "jazzer").toAbsolutePath();

    static List<FuzzTargets> targets()
    {
        String names = System.getProperty("fuzz.targets");
        if (names == null) {
            return ImmutableList.copyOf(FuzzTargets.values());
        }
        return Splitter.on(',').splitToStream(names)
                .map(FuzzTargets::valueOf)
                .collect(toImmutableList());
    }

    @ParameterizedTest
    @MethodSource("targets")
    @Timeout(value = 7, unit = DAYS)
    void testTarget(FuzzTargets target)
            throws IOException, InterruptedException
    {
        Path found = Files.createDirectories(FOLDER.resolve(target.method()));
        Path log = FOLDER.resolve(target.method() + ".log");
        Process process = fuzzer(target, found).redirectErrorStream(true).redirectOutput(log.toFile()).start();
        int exitCode;
        try {
            exitCode = process.waitFor();
        }
        finally {
            process.destroyForcibly();
        }
        String output = Files.readString(log);
        assertThat(exitCode).as("%s", output).isZero();
        Matcher executions = EXECUTIONS.matcher(output);
        assertThat(executions.find()).as("%s", output).isTrue();
        System.out.printf("Jazzer: %s executions of %s%n", executions.group(1), target);
        assertThat(Long.parseLong(executions.group(1))).isPositive();
    }

    private static ProcessBuilder fuzzer(FuzzTargets target, Path found)
    {
        return new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xmx1g",
                "-XX:+UseParallelGC",
                "-XX:+EnableDynamicAgentLoading",
                "-Djdk.attach.allowAttachSelf=true",
                "--add-modules=jdk.incubator.vector",
                "--sun-misc-unsafe-memory-access=allow",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                "com.code_intelligence.jazzer.Jazzer",
                "--target_class=" + TestFuzzing.class.getName(),
                "--target_method=" + target.method(),
                "--instrumentation_includes=io.albis.**:org.roaringbitmap.**",
                "--custom_hook_includes=io.albis.**",
                "--reproducer_path=" + FOLDER,
                "-max_total_time=" + SECONDS,
                // A hang takes forever, and the first input waits until the classes are instrumented
                "-timeout=300",
                "-rss_limit_mb=0",
                "-artifact_prefix=" + FOLDER.resolve(target.method() + "-"),
                found.toString(),
                target.corpusFolder().toAbsolutePath().toString());
    }
}
