package io.albis.format.scan;

import com.google.common.collect.ImmutableList;
import io.albis.format.io.StorageAccess;
import io.albis.format.metadata.RowGroup;
import io.albis.format.run.Run;
import io.albis.format.schema.AlbisColumn;
import io.trino.spi.predicate.TupleDomain;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.spi.type.BigintType.BIGINT;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Ranges that are close to each other become one request.
 */
final class TestCoalescedRequests
        extends BaseRequestsTest
{
    private static final int NEIGHBORS = 20;
    private static final List<AlbisColumn> NEIGHBOR_COLUMNS = IntStream.rangeClosed(1, NEIGHBORS)
            .mapToObj(id -> AlbisColumn.make(id, "column_" + id, BIGINT))
            .collect(toImmutableList());

    @Test
    void testLocalNeighborsBecomeOneRequest()
            throws Exception
    {
        RowGroup rowGroup = writeNeighbors();
        ScanHistory history = new ScanHistory(NEIGHBORS);
        // One request of 8 kB for each column
        readAll(open(rowGroup, StorageAccess.LOCAL, history, RowGroupScan.of(NEIGHBOR_COLUMNS, TupleDomain.all())));
        assertThat(takeData()).hasSize(NEIGHBORS);
        // One request for eight columns
        readAll(open(rowGroup, StorageAccess.LOCAL, history, RowGroupScan.of(NEIGHBOR_COLUMNS, TupleDomain.all())));
        assertThat(takeData()).hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void testRemoteNeighborsBecomeOneRequest(boolean readAhead)
            throws Exception
    {
        StorageAccess access = readAhead ? StorageAccess.REMOTE.ahead(1 << 20) : StorageAccess.REMOTE;
        readAll(open(writeNeighbors(), access, askedForAll(NEIGHBORS), RowGroupScan.of(NEIGHBOR_COLUMNS, TupleDomain.all())));
        assertThat(takeData()).hasSize(1);
    }

    /**
     * A small gap between two columns is read along with them.
     */
    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    void testGap(boolean near, boolean readAhead)
            throws Exception
    {
        int maxGap = (NEIGHBORS - 2) * Run.MAX_ROWS - (near ? 0 : 1);
        StorageAccess access = new StorageAccess(maxGap, 1 << 20, 1 << 20, readAhead);
        readAll(open(writeNeighbors(), access, askedForAll(2), TupleDomain.all(), NEIGHBOR_COLUMNS.getLast(), NEIGHBOR_COLUMNS.getFirst()));
        assertThat(takeData()).hasSize(near ? 1 : 2);
    }

    /**
     * Writes a row group with one run of 8 kB for each column.
     */
    private RowGroup writeNeighbors()
            throws IOException
    {
        Random random = new Random(1);
        return write(ImmutableList.of(NEIGHBOR_COLUMNS), Run.MAX_ROWS, (_, _) -> (long) random.nextInt(256));
    }

    private static ScanHistory askedForAll(int channels)
    {
        ScanHistory history = new ScanHistory(channels);
        for (int channel = 0; channel < channels; channel++) {
            history.requested(channel);
        }
        return history;
    }

    @Test
    void testSegmentsBecomeOneRequest()
            throws Exception
    {
        RowGroup rowGroup = write(false);
        ScanHistory history = new ScanHistory(2);
        StorageAccess access = StorageAccess.REMOTE.ahead(1 << 24);
        readAll(open(rowGroup, access, history, TupleDomain.all(), ID, WIDE));
        reads.clear();
        readAll(open(rowGroup, access, history, TupleDomain.all(), ID, WIDE));
        assertThat(takeData()).hasSize(2);
    }
}
