package io.albis.trino.manifest;

import io.albis.trino.metadata.AlbisMetadata;
import io.albis.trino.procedure.TransactionMode;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.connector.SourcePage;
import io.trino.spi.connector.SystemTable;
import io.trino.spi.predicate.TupleDomain;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The manifests that system tables read.
 */
final class TestSystemTableReads
{
    private static final int ROW_GROUPS = 9_000;

    private final ManifestExecutor executor = new ManifestExecutor("test", 4);
    private final ConnectorSession session = ManyRowGroups.session();

    @AfterEach
    void shutdown()
    {
        executor.shutdown();
    }

    /**
     * A query with LIMIT closes the table after the rows that it needs.
     */
    @Test
    void testFirstFiles(@TempDir Path folder)
            throws IOException
    {
        ManyRowGroups tables = new ManyRowGroups(folder);
        assertThat(tables.createSorted(ROW_GROUPS).version().manifests()).hasSizeGreaterThan(1);
        ManifestCache cache = ManyRowGroups.cache(executor);
        try (ConnectorPageSource files = open(tables, cache, "t$files")) {
            assertThat(cache.getStats().getLoadCount()).isZero();
            int rows = 0;
            while (rows < 100) {
                rows += files.getNextSourcePage().getPositionCount();
            }
            assertThat(rows).isLessThan(200);
        }
        assertThat(cache.getStats().getLoadCount()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"t$files, 9000", "t$partitions, 8"})
    void testAllRows(String name, int expected, @TempDir Path folder)
            throws IOException
    {
        ManyRowGroups tables = new ManyRowGroups(folder);
        int manifests = tables.createBucketed(ROW_GROUPS).version().manifests().size();
        ManifestCache cache = ManyRowGroups.cache(executor);
        int rows = 0;
        try (ConnectorPageSource source = open(tables, cache, name)) {
            for (SourcePage page = source.getNextSourcePage(); page != null; page = source.getNextSourcePage()) {
                rows += page.getPositionCount();
            }
            assertThat(source.isFinished()).isTrue();
        }
        assertThat(rows).isEqualTo(expected);
        assertThat(cache.getStats().getLoadCount()).isEqualTo(manifests);
    }

    private ConnectorPageSource open(ManyRowGroups tables, ManifestCache cache, String name)
    {
        AlbisMetadata metadata = tables.transactions(cache).create(session, TransactionMode.AUTO_COMMIT);
        SystemTable table = metadata.getSystemTable(session, new SchemaTableName("s", name)).orElseThrow();
        return table.pageSource(null, session, TupleDomain.all());
    }
}
