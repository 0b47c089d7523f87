package io.albis.trino.tpcds;

import io.albis.s3.S3TestServer;
import io.albis.trino.AlbisQueryRunner;

final class TestAlbisS3Tpcds
        extends BaseTpcdsTest
{
    private S3TestServer server;

    @Override
    protected AutoCloseable startStorage()
            throws Exception
    {
        server = S3TestServer.start();
        return server;
    }

    @Override
    protected AlbisQueryRunner.Builder queryRunnerBuilder()
    {
        return AlbisQueryRunner.builder()
                .addAlbisProperties(server.catalogProperties("warehouse"));
    }
}
