package io.albis.trino;

import io.albis.RandomPart;
import io.albis.format.schema.AlbisLayout;
import org.junit.jupiter.api.Tag;

@RandomPart(divisor = 6)
@Tag("slow")
final class TestAlbisRowLayoutConnectorTest
        extends TestAlbisConnectorTest
{
    @Override
    protected AlbisLayout layout()
    {
        return AlbisLayout.ROW;
    }
}
