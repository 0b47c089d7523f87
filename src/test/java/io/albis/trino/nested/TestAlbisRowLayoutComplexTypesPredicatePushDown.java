package io.albis.trino.nested;

import io.albis.format.schema.AlbisLayout;
import org.junit.jupiter.api.Tag;

@Tag("slow")
final class TestAlbisRowLayoutComplexTypesPredicatePushDown
        extends TestAlbisComplexTypesPredicatePushDown
{
    @Override
    protected AlbisLayout layout()
    {
        return AlbisLayout.ROW;
    }
}
