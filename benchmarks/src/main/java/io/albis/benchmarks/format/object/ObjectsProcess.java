package io.albis.benchmarks.format.object;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.sun.management.ThreadMXBean;
import io.albis.benchmarks.format.data.Dataset;
import io.albis.benchmarks.format.data.Datasets;
import io.albis.benchmarks.format.file.FormatFiles;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.RuntimeMXBean;
import java.nio.file.Path;
import java.util.List;

import static com.google.common.base.Preconditions.checkState;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A process that counts the objects of one reader. It has the options of this process, except for those of the heap:
 * the young generation must hold everything that a scan creates.
 */
final class ObjectsProcess
{
    private static final List<String> HEAP_OPTIONS = ImmutableList.of("-Xm", "-XX:+Use", "-XX:G1", "-XX:MaxRAM", "-javaagent", "-agentlib");
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private ObjectsProcess() {}

    /**
     * What a scan creates.
     */
    record Counts(long objects, long allocatedBytes, long nanos) {}

    static void main(String[] arguments)
            throws Exception
    {
        ObjectReader reader = ObjectReader.valueOf(arguments[0]);
        FormatFiles files = new FormatFiles(Path.of(arguments[1]));
        Dataset dataset = Datasets.parse(arguments[2]);
        int warmUps = Integer.parseInt(arguments[3]);
        for (int i = 0; i < warmUps; i++) {
            reader.read(files, dataset);
        }
        long objects = HeapObjects.created(() -> reader.read(files, dataset));
        long allocated = THREADS.getCurrentThreadAllocatedBytes();
        long start = System.nanoTime();
        reader.read(files, dataset);
        long nanos = System.nanoTime() - start;
        allocated = THREADS.getCurrentThreadAllocatedBytes() - allocated;
        System.out.println("%s %s %s".formatted(objects, allocated, nanos));
    }

    /**
     * Runs the process.
     *
     * @param heapMegabytes size of its heap
     */
    static Counts run(ObjectReader reader, Path data, Dataset dataset, int warmUps, int heapMegabytes)
            throws IOException, InterruptedException
    {
        RuntimeMXBean runtime = ManagementFactory.getRuntimeMXBean();
        Process process = new ProcessBuilder(ImmutableList.<String>builder()
                .add(Path.of(System.getProperty("java.home"), "bin", "java").toString())
                .addAll(runtime.getInputArguments().stream()
                        .filter(argument -> HEAP_OPTIONS.stream().noneMatch(argument::startsWith))
                        .collect(toImmutableList()))
                // Loading classes would start a garbage collection, too
                .add("-XX:MetaspaceSize=1g")
                .add("-XX:+UseSerialGC", "-Xms%sm".formatted(heapMegabytes), "-Xmx%sm".formatted(heapMegabytes), "-Xmn%sm".formatted(heapMegabytes * 3 / 4))
                .add("-cp", runtime.getClassPath(), ObjectsProcess.class.getName())
                .add(reader.name(), data.toString(), dataset.name(), Integer.toString(warmUps))
                .build())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        List<String> lines = new String(process.getInputStream().readAllBytes(), UTF_8).lines().collect(toImmutableList());
        checkState(process.waitFor() == 0 && !lines.isEmpty(), "The process of %s failed", reader.label());
        List<String> counts = Splitter.on(' ').splitToList(lines.getLast());
        return new Counts(Long.parseLong(counts.get(0)), Long.parseLong(counts.get(1)), Long.parseLong(counts.get(2)));
    }
}
