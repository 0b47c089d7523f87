package io.albis.benchmarks.measure;

import static io.albis.benchmarks.measure.Unit.BYTES;
import static io.albis.benchmarks.measure.Unit.COUNT;
import static io.albis.benchmarks.measure.Unit.MILLIONS;
import static io.albis.benchmarks.measure.Unit.NANOSECONDS;
import static io.albis.benchmarks.measure.Unit.SHORT_NANOSECONDS;
import static java.util.Locale.ENGLISH;
import static java.util.Objects.requireNonNull;

/**
 * What is measured of a query.
 */
public enum Figure
{
    RESULT_ROWS("rows", COUNT),
    ELAPSED("elapsed", NANOSECONDS),
    /**
     * Until the plan is there: with what the connectors are asked for it.
     */
    PLANNING("planning", NANOSECONDS),
    /**
     * In a queue, and then the longest that one of the scans waited for its splits, most of it for dynamic filters.
     * Other scans may be at work meanwhile.
     */
    WAITING("waiting", NANOSECONDS),
    /**
     * As {@link #SCAN_CPU}, but by the clock: all threads together, also while they wait for storage or a processor.
     */
    SCANNING("scanning, all threads", NANOSECONDS),
    /**
     * Of the threads that run the query's operators.
     */
    CPU("CPU", NANOSECONDS),
    /**
     * Of the operators that read tables, with the filters and projections that the engine put into them.
     */
    SCAN_CPU("scan CPU", NANOSECONDS),
    /**
     * Of the filters and projections that stand anywhere else.
     */
    FILTER_CPU("filter CPU", NANOSECONDS),
    /**
     * Of the operators that write tables.
     */
    WRITE_CPU("write CPU", NANOSECONDS),
    /**
     * Of the whole process while the query ran: with planning, garbage collection, compilation, the client.
     */
    PROCESS_CPU("process CPU", NANOSECONDS),
    /**
     * Of all threads of the process while the query ran.
     */
    ALLOCATED("allocated", BYTES),
    ROWS_READ("rows read", COUNT),
    BYTES_READ("read", BYTES),
    /**
     * Of those that the splits hold, how many were looked into. Only Albis says so, as in the next ones.
     */
    SEGMENTS("segments", COUNT),
    SEGMENTS_SKIPPED("segments skipped", COUNT),
    /**
     * Of the segments that were looked into.
     */
    SEGMENT_ROWS("rows", COUNT),
    ROWS_SKIPPED("rows skipped", COUNT),
    /**
     * As the engine accounts for it.
     */
    PEAK_MEMORY("peak memory", BYTES, false),
    /**
     * What a garbage collection left while the query ran, the most of all; zero if there was none.
     */
    PEAK_HEAP("peak heap", BYTES, false),
    BYTES_ON_DISK("on disk", BYTES),
    /**
     * Of one operation of a benchmark that repeats it many times.
     */
    OPERATION("time", SHORT_NANOSECONDS),
    OPERATION_CPU("CPU time", SHORT_NANOSECONDS),
    /**
     * Blocks' values in a second, those that are null as well.
     */
    VALUE_RATE("values/s", MILLIONS, false),
    ALLOCATED_PER_ROW("allocated bytes/row", COUNT, false),
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
     * Of all queries together: the sum, or the most for what is not added up.
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
