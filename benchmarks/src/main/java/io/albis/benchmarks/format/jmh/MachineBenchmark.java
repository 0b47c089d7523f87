package io.albis.benchmarks.format.jmh;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.Blackhole;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * Measures how fast the machine performs the individual steps of a reader. One operation processes
 * {@link MachineLimit#work} bytes or values.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class MachineBenchmark
{
    @Param("")
    public String data;

    @Param("READ")
    public MachineLimit limit;

    private final byte[] buffer = new byte[MachineLimit.BUFFER_BYTES];
    private Path path;
    private RandomAccessFile file;

    @Setup
    public void prepare()
            throws IOException
    {
        VectorLoops.await();
        new SplittableRandom(0).nextBytes(buffer);
        path = Files.createTempFile(Path.of(data), "machine", ".bytes");
        file = new RandomAccessFile(path.toFile(), "rw");
        for (int i = 0; i < MachineLimit.FILE_BYTES / buffer.length; i++) {
            file.write(buffer);
        }
    }

    @Benchmark
    public void run(Blackhole blackhole, CpuCounter cpu)
            throws IOException
    {
        cpu.start();
        limit.run(file, buffer, blackhole);
        cpu.stop();
    }

    @TearDown
    public void remove()
            throws IOException
    {
        file.close();
        Files.delete(path);
    }
}
