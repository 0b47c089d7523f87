package io.albis.benchmarks.format.slice;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.format.jmh.CpuCounter;
import io.albis.benchmarks.format.jmh.VectorLoops;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Finds the rows of a range on a single thread, in row groups that are in memory. One operation searches all of them.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class SearchBenchmark
{
    @Param("1-1-1")
    public String column;

    @Param("ALBIS_SCAN")
    public SearchMethod method;

    @Param("1")
    public double percent;

    private List<RangeSearch> searches;
    private ValueRange range;
    private int[] positions;

    @Setup
    public void create()
    {
        VectorLoops.await();
        SearchedColumn searched = SearchedColumn.parse(column);
        ImmutableList.Builder<RangeSearch> builder = ImmutableList.builder();
        for (int rowGroup = 0; rowGroup < searched.rowGroups(); rowGroup++) {
            builder.add(method.create(searched.values(rowGroup)));
        }
        searches = builder.build();
        range = searched.range(percent);
        positions = new int[searched.rowGroupRows()];
    }

    @Benchmark
    public void search(Blackhole blackhole, CpuCounter cpu)
    {
        cpu.start();
        for (RangeSearch search : searches) {
            blackhole.consume(search.search(range, positions));
            blackhole.consume(positions);
        }
        cpu.stop();
    }
}
