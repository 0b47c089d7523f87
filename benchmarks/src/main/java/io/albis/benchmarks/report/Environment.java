package io.albis.benchmarks.report;

import com.google.common.collect.ImmutableMap;
import com.sun.management.OperatingSystemMXBean;
import io.albis.benchmarks.server.Builds;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.stream.Stream;

import static java.util.Locale.ENGLISH;
import static java.util.stream.Collectors.joining;

/**
 * Describes what the figures depend on: the machine, and the builds.
 */
public final class Environment
{
    private static final Path PROCESSORS = Path.of("/proc/cpuinfo");

    private Environment() {}

    public static Map<String, String> describe()
    {
        OperatingSystemMXBean machine = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return ImmutableMap.<String, String>builder()
                .put("date", LocalDate.now(ZoneOffset.UTC).toString())
                .put("machine", "%s, %s cores, %.0f GB memory".formatted(processor(), machine.getAvailableProcessors(), machine.getTotalMemorySize() / 1e9))
                .put("system", "%s %s".formatted(machine.getName(), machine.getVersion()))
                .put("JVM", "%s %s, heap %.1f GB, %s".formatted(
                        System.getProperty("java.vm.name"),
                        System.getProperty("java.runtime.version"),
                        Runtime.getRuntime().maxMemory() / 1e9,
                        collectors()))
                .put("Trino", Builds.trino())
                .put("Albis", Builds.albis())
                .put("benchmarks", "build " + Builds.benchmarks())
                .buildOrThrow();
    }

    /**
     * Returns the average number of threads that were ready to run during the last minute. A load higher than the
     * number of cores means that other processes use the machine.
     */
    public static String load()
    {
        return String.format(ENGLISH, "%.1f", ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    }

    private static String collectors()
    {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .map(GarbageCollectorMXBean::getName)
                .collect(joining(", "));
    }

    private static String processor()
    {
        if (!Files.isReadable(PROCESSORS)) {
            return System.getProperty("os.arch");
        }
        try (Stream<String> lines = Files.lines(PROCESSORS)) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElseGet(() -> System.getProperty("os.arch"));
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
