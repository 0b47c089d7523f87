package io.albis.trino;

import io.albis.format.schema.AlbisLayout;

final class TestAlbisRowLayoutConnectorSmokeTest
        extends BaseAlbisConnectorSmokeTest
{
    @Override
    protected AlbisLayout layout()
    {
        return AlbisLayout.ROW;
    }
}
