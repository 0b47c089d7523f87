package io.albis.trino.history;

import io.albis.trino.history.HistoryRun.Size;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * As {@link TestHistories}, on HDFS, whose NameNode and DataNodes are killed, too.
 */
@Tag("slow")
final class TestHistoriesOnHdfs
        extends BaseHistoriesTest
{
    @Test
    void testSimulatedKills()
            throws Exception
    {
        checkSimulated("simulated-hdfs", HistoryStorage.hdfs(), new Size(6, 600, 100, Pace.FAST_RESTARTS));
    }

    @Test
    void testKills()
            throws Exception
    {
        check("hdfs", HistoryStorage.hdfs(), 2, this::startProcess, longRun(3000, 300));
    }
}
