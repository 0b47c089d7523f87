package io.albis.table.path;

import io.trino.filesystem.Location;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class TestTablePaths
{
    private static final TablePaths PATHS = new TablePaths(Location.of("memory:///warehouse/s/t-1"));

    /**
     * No folder has more files than HDFS allows.
     */
    @Test
    void testVersions()
    {
        assertVersion(1, "versions/00000000000000000001.json");
        assertVersion(999_999, "versions/00000000000000999999.json");
        assertVersion(1_000_000, "versions/1/00000000000001000000.json");
        assertVersion(1_999_999, "versions/1/00000000000001999999.json");
        assertVersion(12_345_678, "versions/12/00000000000012345678.json");
    }

    private static void assertVersion(long version, String path)
    {
        assertThat(TablePaths.versionPath(version)).isEqualTo(path);
        assertThat(PATHS.version(version)).isEqualTo(Location.of("memory:///warehouse/s/t-1/" + path));
    }
}
