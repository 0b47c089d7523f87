package io.albis.trino.tpcds;

import io.albis.format.schema.AlbisLayout;
import org.junit.jupiter.api.Tag;

@Tag("slow")
final class TestAlbisRowLayoutTpcds
        extends TestAlbisTpcds
{
    @Override
    protected AlbisLayout layout()
    {
        return AlbisLayout.ROW;
    }
}
