package io.albis.trino.hdfs;

import com.google.common.collect.ImmutableList;
import io.albis.hdfs.HdfsCluster;
import io.albis.trino.AlbisQueryRunner;
import io.albis.trino.ScanStatistics;
import io.albis.trino.tpcds.BaseTpcdsTest;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class TestHdfsTpcds
        extends BaseTpcdsTest
{
    private HdfsCluster cluster;

    @Override
    protected AutoCloseable startStorage()
    {
        cluster = HdfsCluster.builder().start();
        return cluster;
    }

    @Override
    protected AlbisQueryRunner.Builder queryRunnerBuilder()
    {
        return AlbisQueryRunner.builder()
                .addAlbisProperties(cluster.catalogProperties())
                // The server runs on the same machine as the DataNode, so its splits have that address
                .addAlbisProperty("albis.split-locality", "PREFER");
    }

    @Test
    void testSplitsKnowTheirMachines()
    {
        load(ImmutableList.of("store_sales"));
        MaterializedResultWithPlan result = queryRunner().executeWithPlan(queryRunner().getDefaultSession(), "SELECT sum(ss_net_profit) FROM albis.tiny.store_sales");
        ScanStatistics scan = ScanStatistics.of(queryRunner(), result.queryId());
        assertThat(scan.split("Albis row groups located")).isPositive().isEqualTo(scan.split("Albis row groups selected"));
    }
}
