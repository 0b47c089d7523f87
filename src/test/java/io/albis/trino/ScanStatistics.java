package io.albis.trino;

import io.albis.trino.handle.AlbisTableHandle;
import io.trino.execution.QueryInfo;
import io.trino.execution.StageInfo;
import io.trino.operator.OperatorStats;
import io.trino.plugin.base.metrics.LongCount;
import io.trino.spi.QueryId;
import io.trino.spi.metrics.Metric;
import io.trino.spi.metrics.Metrics;
import io.trino.sql.planner.optimizations.PlanNodeSearcher;
import io.trino.sql.planner.plan.PlanNodeId;
import io.trino.sql.planner.plan.TableScanNode;
import io.trino.testing.DistributedQueryRunner;

import java.util.List;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.MoreCollectors.onlyElement;

/**
 * Statistics of the only scan of an Albis table in a query.
 *
 * @param operator the statistics of the engine
 * @param splits the metrics of the split source
 */
public record ScanStatistics(OperatorStats operator, Metrics splits)
{
    public static ScanStatistics of(DistributedQueryRunner queryRunner, QueryId queryId)
    {
        PlanNodeId id = PlanNodeSearcher.searchFrom(queryRunner.getQueryPlan(queryId).getRoot())
                .where(node -> node instanceof TableScanNode tableScan && tableScan.getTable().connectorHandle() instanceof AlbisTableHandle)
                .findOnlyElement()
                .getId();
        QueryInfo query = queryRunner.getCoordinator().getQueryManager().getFullQueryInfo(queryId);
        OperatorStats operator = query.getQueryStats().getOperatorSummaries().stream()
                .filter(candidate -> candidate.getSourceId().equals(Optional.of(id)))
                .collect(onlyElement());
        List<Metrics> splits = query.getStages().orElseThrow().getStages().stream()
                .map(StageInfo::stageStats)
                .map(stage -> stage.getSplitSourceMetrics().getOrDefault(id, Metrics.EMPTY))
                .collect(toImmutableList());
        return new ScanStatistics(operator, splits.stream().reduce(Metrics.EMPTY, Metrics::mergeWith));
    }

    /**
     * Returns the number of rows that the reader returned.
     */
    public long rows()
    {
        return operator.getPhysicalInputPositions();
    }

    /**
     * Returns the sum of a metric over the scans, or zero if none of them has it.
     */
    public long scanned(String name)
    {
        return value(operator.getConnectorMetrics(), name);
    }

    public long split(String name)
    {
        return value(splits, name);
    }

    private static long value(Metrics metrics, String name)
    {
        Metric<?> metric = metrics.getMetrics().get(name);
        return metric == null ? 0 : ((LongCount) metric).getTotal();
    }
}
