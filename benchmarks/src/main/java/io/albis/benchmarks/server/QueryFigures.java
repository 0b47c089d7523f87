package io.albis.benchmarks.server;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.airlift.units.Duration;
import io.albis.benchmarks.measure.Figure;
import io.albis.benchmarks.measure.Figures;
import io.trino.execution.QueryStats;
import io.trino.operator.FilterAndProjectOperator;
import io.trino.operator.OperatorStats;
import io.trino.operator.ScanFilterAndProjectOperator;
import io.trino.operator.TableScanOperator;
import io.trino.operator.TableWriterOperator;

import java.util.Collection;
import java.util.Set;
import java.util.stream.Stream;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

/**
 * What the engine knows about a query that is done.
 */
final class QueryFigures
{
    private static final Set<String> SCANS = ImmutableSet.of(
            TableScanOperator.class.getSimpleName(),
            ScanFilterAndProjectOperator.class.getSimpleName());
    private static final Set<String> FILTERS = ImmutableSet.of(FilterAndProjectOperator.class.getSimpleName());
    private static final Set<String> WRITERS = ImmutableSet.of(TableWriterOperator.class.getSimpleName());

    private QueryFigures() {}

    public static Figures read(QueryStats stats)
    {
        return new Figures(ImmutableMap.<Figure, Long>builder()
                .put(Figure.ELAPSED, nanos(stats.getElapsedTime()))
                .put(Figure.PLANNING, nanos(stats.getPlanningTime()))
                .put(Figure.CPU, nanos(stats.getTotalCpuTime()))
                .put(Figure.SCAN_CPU, operatorCpu(stats.getOperatorSummaries(), SCANS))
                .put(Figure.FILTER_CPU, operatorCpu(stats.getOperatorSummaries(), FILTERS))
                .put(Figure.WRITE_CPU, operatorCpu(stats.getOperatorSummaries(), WRITERS))
                .put(Figure.ROWS_READ, stats.getPhysicalInputPositions())
                .put(Figure.BYTES_READ, stats.getPhysicalInputDataSize().toBytes())
                .put(Figure.PEAK_MEMORY, stats.getPeakTotalMemoryReservation().toBytes())
                .buildOrThrow());
    }

    private static long operatorCpu(Collection<OperatorStats> operators, Set<String> types)
    {
        return operators.stream()
                .filter(operator -> types.contains(operator.getOperatorType()))
                .flatMap(operator -> Stream.of(operator.getAddInputCpu(), operator.getGetOutputCpu(), operator.getFinishCpu()))
                .mapToLong(QueryFigures::nanos)
                .sum();
    }

    private static long nanos(Duration duration)
    {
        return duration.roundTo(NANOSECONDS);
    }
}
