package io.albis.trino.tpcds;

import io.albis.format.schema.AlbisLayout;
import io.albis.trino.AlbisQueryRunner;

final class TestAlbisRowLayoutTpcds
        extends BaseTpcdsTest
{
    @Override
    protected AutoCloseable startStorage()
    {
        return () -> {};
    }

    @Override
    protected AlbisQueryRunner.Builder queryRunnerBuilder()
    {
        return AlbisQueryRunner.builder()
                .addAlbisProperty("albis.default-layout", AlbisLayout.ROW.name());
    }
}
