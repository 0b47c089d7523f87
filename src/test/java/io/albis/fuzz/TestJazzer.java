package io.albis.fuzz;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.concurrent.TimeUnit.DAYS;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs Jazzer on each target. Jazzer instruments the classes of its process and fuzzes a single method, so each target
 * gets a process of its own. On a busy machine, it takes up to half a minute until the process has instrumented these
 * classes and read the corpus. The time of fuzzing begins only then.
 */
@Tag("slow")
final class TestJazzer
{
    private static final int SECONDS = Integer.getInteger("fuzz.seconds", 30);
    private static final int MAX_START_SECONDS = 300;
    private static final Pattern STARTED = Pattern.compile("#(\\d+)\\s+INITED ");
    private static final Pattern EXECUTIONS = Pattern.compile("Done (\\d+) runs in \\d+ second");
    private static final AtomicLong TOTAL = new AtomicLong();
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
        Path stop = FOLDER.resolve(target.method() + ".stop");
        Files.deleteIfExists(stop);
        Process process = fuzzer(target, found, stop).redirectErrorStream(true).redirectOutput(log.toFile()).start();
        int exitCode;
        try {
            while (process.isAlive() && find(STARTED, log).isEmpty()) {
                Thread.sleep(100);
            }
            process.waitFor(SECONDS, TimeUnit.SECONDS);
            Files.writeString(stop, "stop");
            exitCode = process.waitFor();
        }
        finally {
            process.destroyForcibly();
        }
        String output = Files.readString(log, ISO_8859_1);
        assertThat(exitCode).as("%s", output).isZero();
        long corpus = find(STARTED, log).orElseThrow(() -> new AssertionError(output));
        long executions = find(EXECUTIONS, log).orElseThrow(() -> new AssertionError(output));
        TOTAL.addAndGet(executions);
        System.out.println("Jazzer: %s executions of %s in %s seconds".formatted(executions, target, SECONDS));
        // Not only the corpus was read
        assertThat(executions).as("%s", output).isGreaterThan(corpus);
    }

    private static OptionalLong find(Pattern pattern, Path log)
            throws IOException
    {
        Matcher matcher = pattern.matcher(Files.readString(log, ISO_8859_1));
        return matcher.find() ? OptionalLong.of(Long.parseLong(matcher.group(1))) : OptionalLong.empty();
    }

    @AfterAll
    static void printTotal()
    {
        System.out.println("Jazzer: %s executions of all targets".formatted(TOTAL));
    }

    private static ProcessBuilder fuzzer(FuzzTargets target, Path found, Path stop)
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
                // If the process does not start, nothing writes the file that stops it
                "-max_total_time=" + (MAX_START_SECONDS + SECONDS),
                "-stop_file=" + stop,
                // A hang takes forever, and the first input waits until the classes are instrumented
                "-timeout=300",
                "-rss_limit_mb=0",
                "-artifact_prefix=" + FOLDER.resolve(target.method() + "-"),
                found.toString(),
                target.corpusFolder().toAbsolutePath().toString());
    }
}
