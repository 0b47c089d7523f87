package io.albis.trino;

import io.albis.format.schema.AlbisLayout;
import org.junit.jupiter.api.Tag;

@Tag("slow")
final class TestAlbisRowLayoutConnectorSmokeTest
        extends BaseAlbisConnectorSmokeTest
{
    @Override
    protected AlbisLayout layout()
    {
        return AlbisLayout.ROW;
    }
}
