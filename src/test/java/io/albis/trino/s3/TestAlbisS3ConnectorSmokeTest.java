package io.albis.trino.s3;

import io.albis.s3.S3TestServer;
import io.albis.trino.AlbisQueryRunner;
import io.albis.trino.BaseAlbisConnectorSmokeTest;
import io.trino.testing.QueryRunner;
import org.junit.jupiter.api.Tag;

@Tag("slow")
class TestAlbisS3ConnectorSmokeTest
        extends BaseAlbisConnectorSmokeTest
{
    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        S3TestServer server = closeAfterClass(S3TestServer.start());
        return AlbisQueryRunner.builder()
                // The test kit of Trino requires three nodes
                .setWorkerCount(2)
                .addAlbisProperties(server.catalogProperties("warehouse"))
                .setInitialTables(REQUIRED_TPCH_TABLES)
                .build();
    }
}
