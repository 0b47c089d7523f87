package io.albis.placement;

import org.junit.jupiter.api.Test;

import java.util.UUID;

import static org.assertj.core.api.Assertions.assertThat;

final class TestRowGroupPath
{
    private static final UUID ID = UUID.fromString("00c0ffee-1234-5678-9abc-def012345678");

    @Test
    void testFilesOfRowGroups()
    {
        assertThat(RowGroupPath.rowGroup("/warehouse/shop/sales-1/rg-" + ID + "/cg-" + UUID.randomUUID() + "/data")).contains(ID);
        assertThat(RowGroupPath.rowGroup("/warehouse/shop/sales-1/rg-" + ID + "/cg-" + UUID.randomUUID() + "/metadata")).contains(ID);
        assertThat(RowGroupPath.rowGroup("/rg-" + ID + "/something")).contains(ID);
    }

    @Test
    void testOtherFiles()
    {
        assertThat(RowGroupPath.rowGroup(null)).isEmpty();
        assertThat(RowGroupPath.rowGroup("")).isEmpty();
        assertThat(RowGroupPath.rowGroup("/warehouse/shop/sales-1/versions/00000000000000000001.json")).isEmpty();
        assertThat(RowGroupPath.rowGroup("/warehouse/shop/sales-1/manifests/" + ID)).isEmpty();
        // A file, and directories with similar names
        assertThat(RowGroupPath.rowGroup("/warehouse/rg-" + ID)).isEmpty();
        assertThat(RowGroupPath.rowGroup("/warehouse/org-" + ID + "/data")).isEmpty();
        assertThat(RowGroupPath.rowGroup("/warehouse/rg-" + ID + "0/data")).isEmpty();
        assertThat(RowGroupPath.rowGroup("/warehouse/rg-1/data")).isEmpty();
        assertThat(RowGroupPath.rowGroup("/warehouse/rg-00c0ffee12345678-9abc-def0-12345678/data")).isEmpty();
    }
}
