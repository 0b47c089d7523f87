package io.albis.trino;

import io.albis.format.AlbisLayout;
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
