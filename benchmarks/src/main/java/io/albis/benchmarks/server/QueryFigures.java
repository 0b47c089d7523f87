package io.albis.benchmarks.server;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.airlift.units.Duration;
import io.albis.benchmarks.measure.Figure;
import io.albis.benchmarks.measure.Figures;
import io.trino.execution.QueryInfo;
import io.trino.execution.QueryStats;
import io.trino.operator.FilterAndProjectOperator;
import io.trino.operator.OperatorStats;
import io.trino.operator.ScanFilterAndProjectOperator;
import io.trino.operator.TableScanOperator;
import io.trino.operator.TableWriterOperator;
import io.trino.plugin.base.metrics.LongCount;

import java.util.Collection;
import java.util.Set;
import java.util.stream.Stream;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

/**
 * Extracts the figures from the statistics that the engine keeps for a finished query.
 */
final class QueryFigures
{
    private static final Set<String> SCANS = ImmutableSet.of(
            TableScanOperator.class.getSimpleName(),
            ScanFilterAndProjectOperator.class.getSimpleName());
    private static final Set<String> FILTERS = ImmutableSet.of(FilterAndProjectOperator.class.getSimpleName());
    private static final Set<String> WRITERS = ImmutableSet.of(TableWriterOperator.class.getSimpleName());

    private QueryFigures() {}

    public static Figures read(QueryInfo queryInfo)
    {
        QueryStats stats = queryInfo.getQueryStats();
        return new Figures(ImmutableMap.<Figure, Long>builder()
                .put(Figure.ELAPSED, nanos(stats.getElapsedTime()))
                .put(Figure.PLANNING, nanos(stats.getAnalysisTime()) + nanos(stats.getPlanningTime()))
                .put(Figure.WAITING, nanos(stats.getQueuedTime()) + nanos(stats.getResourceWaitingTime()) + longestWait(queryInfo))
                .put(Figure.SCANNING, operatorWall(stats.getOperatorSummaries(), SCANS))
                .put(Figure.CPU, nanos(stats.getTotalCpuTime()))
                .put(Figure.SCAN_CPU, operatorCpu(stats.getOperatorSummaries(), SCANS))
                .put(Figure.FILTER_CPU, operatorCpu(stats.getOperatorSummaries(), FILTERS))
                .put(Figure.WRITE_CPU, operatorCpu(stats.getOperatorSummaries(), WRITERS))
                .put(Figure.ROWS_READ, stats.getPhysicalInputPositions())
                .put(Figure.BYTES_READ, stats.getPhysicalInputDataSize().toBytes())
                .put(Figure.EXCHANGED, stats.getInternalNetworkInputDataSize().toBytes())
                .put(Figure.BYTES_WRITTEN, stats.getPhysicalWrittenDataSize().toBytes())
                .put(Figure.SEGMENTS, connectorMetric(stats.getOperatorSummaries(), "Albis segments"))
                .put(Figure.SEGMENTS_SKIPPED, connectorMetric(stats.getOperatorSummaries(), "Albis segments skipped"))
                .put(Figure.SEGMENT_ROWS, connectorMetric(stats.getOperatorSummaries(), "Albis rows"))
                .put(Figure.ROWS_SKIPPED, connectorMetric(stats.getOperatorSummaries(), "Albis rows skipped"))
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

    private static long operatorWall(Collection<OperatorStats> operators, Set<String> types)
    {
        return operators.stream()
                .filter(operator -> types.contains(operator.getOperatorType()))
                .flatMap(operator -> Stream.of(operator.getAddInputWall(), operator.getGetOutputWall(), operator.getFinishWall()))
                .mapToLong(QueryFigures::nanos)
                .sum();
    }

    private static long longestWait(QueryInfo queryInfo)
    {
        return queryInfo.getStages().stream()
                .flatMap(stages -> stages.getStages().stream())
                .flatMap(stage -> stage.stageStats().getGetSplitDistribution().values().stream())
                .mapToLong(distribution -> Math.round(distribution.total()))
                .max()
                .orElse(0);
    }

    private static long connectorMetric(Collection<OperatorStats> operators, String name)
    {
        return operators.stream()
                .map(operator -> operator.getConnectorMetrics().getMetrics().get(name))
                .filter(LongCount.class::isInstance)
                .mapToLong(metric -> ((LongCount) metric).getTotal())
                .sum();
    }

    private static long nanos(Duration duration)
    {
        return duration.roundTo(NANOSECONDS);
    }
}
