package io.albis.trino.hdfs;

import io.albis.hdfs.HdfsCluster;
import io.albis.trino.AlbisQueryRunner;
import io.albis.trino.BaseTpcdsTest;

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
                // the server is on the machine of the DataNode, so its splits are bound to it
                .addAlbisProperty("albis.split-locality", "PREFER");
    }
}
