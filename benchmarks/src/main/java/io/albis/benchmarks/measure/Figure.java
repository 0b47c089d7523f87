package io.albis.benchmarks.measure;

import static io.albis.benchmarks.measure.Unit.BYTES;
import static io.albis.benchmarks.measure.Unit.COUNT;
import static io.albis.benchmarks.measure.Unit.GIGABITS;
import static io.albis.benchmarks.measure.Unit.KILOBYTES;
import static io.albis.benchmarks.measure.Unit.MILLIONS;
import static io.albis.benchmarks.measure.Unit.NANOSECONDS;
import static io.albis.benchmarks.measure.Unit.PER_SECOND;
import static io.albis.benchmarks.measure.Unit.SHORT_NANOSECONDS;
import static io.albis.benchmarks.measure.Unit.SHORT_THOUSANDTHS;
import static io.albis.benchmarks.measure.Unit.THOUSANDTHS;
import static java.util.Locale.ENGLISH;
import static java.util.Objects.requireNonNull;

/**
 * The figures that are measured for each query.
 */
public enum Figure
{
    RESULT_ROWS("rows", COUNT),
    ELAPSED("elapsed", NANOSECONDS),
    /**
     * The time until the plan is complete, including the requests to the connectors.
     */
    PLANNING("planning", NANOSECONDS),
    /**
     * The time in the queue plus the longest time that a scan waited for its splits, mostly for dynamic filters. Other
     * scans may run in the meantime.
     */
    WAITING("waiting", NANOSECONDS),
    /**
     * Like {@link #SCAN_CPU}, but in wall time: the sum over all threads, including the time in which they wait for
     * storage or a CPU.
     */
    SCANNING("scanning, all threads", NANOSECONDS),
    /**
     * The CPU time of the threads that run the operators of the query.
     */
    CPU("CPU", NANOSECONDS),
    /**
     * The CPU time of the operators that read tables, including the filters and projections that the engine fuses with
     * them.
     */
    SCAN_CPU("scan CPU", NANOSECONDS),
    /**
     * The CPU time of all other filters and projections.
     */
    FILTER_CPU("filter CPU", NANOSECONDS),
    /**
     * The CPU time of the operators that write tables.
     */
    WRITE_CPU("write CPU", NANOSECONDS),
    /**
     * The CPU time of the entire process while the query runs, including planning, garbage collection, compilation, and
     * the client.
     */
    PROCESS_CPU("process CPU", NANOSECONDS),
    /**
     * The memory that all threads of the process allocate while the query runs.
     */
    ALLOCATED("allocated", BYTES),
    ROWS_READ("rows read", COUNT),
    BYTES_READ("read", BYTES),
    /**
     * The bytes that tasks receive from other tasks.
     */
    EXCHANGED("exchanged", BYTES),
    /**
     * The number of segments in the splits that are not skipped. Only Albis reports this figure and the following ones.
     */
    SEGMENTS("segments", COUNT),
    SEGMENTS_SKIPPED("segments skipped", COUNT),
    /**
     * The number of rows in the segments that are not skipped.
     */
    SEGMENT_ROWS("rows", COUNT),
    ROWS_SKIPPED("rows skipped", COUNT),
    /**
     * The peak memory of the query as reported by the engine.
     */
    PEAK_MEMORY("peak memory", BYTES, false),
    /**
     * The largest heap size after a garbage collection while the query runs, or zero if there is no garbage collection.
     */
    PEAK_HEAP("peak heap", BYTES, false),
    BYTES_ON_DISK("on disk", BYTES),
    /**
     * The time of one operation of a benchmark that repeats the operation many times.
     */
    OPERATION("time", SHORT_NANOSECONDS),
    OPERATION_CPU("CPU time", SHORT_NANOSECONDS),
    /**
     * The number of values in blocks per second, including nulls.
     */
    VALUE_RATE("values/s", MILLIONS, false),
    ALLOCATED_PER_ROW("allocated bytes/row", COUNT, false),
    /**
     * The bytes that the writers of a statement report to the engine.
     */
    BYTES_WRITTEN("written", KILOBYTES),
    /**
     * The size of the files that a statement creates or overwrites.
     */
    NEW_FILES("new files", KILOBYTES),
    /**
     * A checksum over all rows of the table after a statement. It is only compared.
     */
    CHECKSUM("checksum", COUNT, false),
    /**
     * The number of statements per second, of all clients together.
     */
    RATE("statements", PER_SECOND, false),
    /**
     * The median of the times of all statements of one kind. The time of a statement includes its retries.
     */
    MEDIAN_LATENCY("p50", SHORT_NANOSECONDS, false),
    /**
     * The time that 99 % of all statements of one kind do not exceed.
     */
    TAIL_LATENCY("p99", SHORT_NANOSECONDS, false),
    /**
     * The number of times that a statement failed because others wrote at the same time.
     */
    CONFLICTS("conflicts", COUNT),
    /**
     * The time from the call of a client until the first split of the query is opened.
     */
    FIRST_SPLIT("first split", SHORT_NANOSECONDS, false),
    /**
     * A checksum of the values that a query returns, without those that it does not determine. It is only compared.
     */
    RESULT_CHECKSUM("result checksum", COUNT, false),
    /**
     * The size of the values that are not null, regardless of the format, divided by the time of all threads.
     */
    GOODPUT("data", GIGABITS, false),
    /**
     * The time for one row.
     */
    ROW_TIME("ns/row", THOUSANDTHS, false),
    /**
     * The instructions of the processor for one row, if the machine counts them.
     */
    ROW_INSTRUCTIONS("instructions/row", THOUSANDTHS, false),
    ROW_CACHE_MISSES("cache misses/row", THOUSANDTHS, false),
    /**
     * The objects that are created for one row.
     */
    ROW_OBJECTS("objects/row", THOUSANDTHS, false),
    /**
     * The time for one row of a column in which values are searched, which is less than a nanosecond.
     */
    SEARCH_TIME("ns/row", SHORT_THOUSANDTHS, false),
    /**/;

    private final String title;
    private final Unit unit;
    private final boolean additive;

    Figure(String title, Unit unit)
    {
        this(title, unit, true);
    }

    Figure(String title, Unit unit, boolean additive)
    {
        this.title = requireNonNull(title, "title is null");
        this.unit = requireNonNull(unit, "unit is null");
        this.additive = additive;
    }

    public String title()
    {
        return title;
    }

    public Unit unit()
    {
        return unit;
    }

    /**
     * Returns the title and the unit, as in the header of a column.
     */
    public String header()
    {
        return unit.symbol().isEmpty() ? title : "%s (%s)".formatted(title, unit.symbol());
    }

    /**
     * Returns whether more of it is better, as of values per second.
     */
    public boolean isRate()
    {
        return unit == MILLIONS || unit == GIGABITS || unit == PER_SECOND;
    }

    /**
     * Combines the figures of several queries: returns the sum, or the maximum for figures that cannot be added up.
     */
    public double combine(double first, double second)
    {
        return additive ? first + second : Math.max(first, second);
    }

    public String columnName()
    {
        String name = name().toLowerCase(ENGLISH);
        return unit == NANOSECONDS || unit == SHORT_NANOSECONDS ? name + "_nanos" : name;
    }
}
