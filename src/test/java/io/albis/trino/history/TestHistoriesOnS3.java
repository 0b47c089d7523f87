package io.albis.trino.history;

import io.albis.trino.history.HistoryRun.Size;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * As {@link TestHistories}, on S3-compatible storage, which is killed, too.
 */
@Tag("slow")
final class TestHistoriesOnS3
        extends BaseHistoriesTest
{
    @Test
    void testSimulatedKills()
            throws Exception
    {
        checkSimulated("simulated-s3", HistoryStorage.s3(), new Size(6, 600, 100, Pace.FAST_RESTARTS));
    }

    @Test
    void testKills()
            throws Exception
    {
        check("s3", HistoryStorage.s3(), 2, this::startProcess, longRun(3000, 400));
    }
}
