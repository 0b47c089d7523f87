package io.albis.format.scan;

import com.google.common.collect.ImmutableList;
import io.albis.filesystem.FileBytes;
import io.albis.format.ReadHookFileSystem;
import io.albis.format.io.AlbisDataException;
import io.albis.format.io.StorageAccess;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.spi.predicate.TupleDomain;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Readers whose requests fail, or return damaged data.
 */
final class TestFailedRequests
        extends BaseRequestsTest
{
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void testFailure(boolean together)
            throws Exception
    {
        RowGroup rowGroup = write(together);
        for (ColumnGroupInstance instance : rowGroup.columnGroups()) {
            Location file = rowGroup.dataFile(FOLDER, instance);
            byte[] bytes = FileBytes.read(storage, file);
            for (int i = 0; i < 3; i++) {
                storage.deleteFile(file);
                byte[] damaged = switch (i) {
                    case 0 -> Arrays.copyOf(bytes, bytes.length * 3 / 4);
                    case 1 -> flip(bytes, bytes.length / 2);
                    default -> flip(bytes, 0);
                };
                storage.newOutputFile(file).createOrOverwrite(damaged);
                StorageAccess access = new StorageAccess(1 << 12, 1 << 20, 1 << 22, false);
                Throwable expected = failure(rowGroup, access);
                assertThat(expected).isInstanceOf(AlbisDataException.class).hasMessageContainingAll(file.toString(), "column group " + instance.id(), "segment ");
                assertThat(failure(rowGroup, access.ahead(1 << 22))).isInstanceOf(AlbisDataException.class).hasMessage(expected.getMessage());
            }
            storage.deleteFile(file);
            String missing = failure(rowGroup, StorageAccess.REMOTE).getMessage();
            assertThat(missing).contains(file.toString(), "is missing");
            assertThat(failure(rowGroup, StorageAccess.REMOTE.ahead(1 << 22))).hasMessage(missing);
            storage.newOutputFile(file).createOrOverwrite(bytes);
        }
    }

    /**
     * After a failure the position of the reader is unknown, so continuing could skip rows.
     */
    @Test
    void testNothingComesAfterAFailure()
            throws Exception
    {
        RowGroup rowGroup = write(true);
        for (int failing = 0; failing < 12; failing++) {
            AtomicInteger requests = new AtomicInteger(failing);
            TrinoFileSystem unreliable = new ReadHookFileSystem(storage, _ -> {
                if (requests.getAndDecrement() == 0) {
                    throw new IOException("once");
                }
            });
            RowGroupScan scan = RowGroupScan.of(ImmutableList.of(ID), between(SCATTERED, 0, ROWS));
            long rows = 0;
            try (RowGroupReader reader = RowGroupReader.open(unreliable, FOLDER, rowGroup, scan, ReaderOptions.DEFAULTS, new ReaderResources(metadata(rowGroup), StorageAccess.LOCAL, executor, new ScanHistory(1)))) {
                for (AlbisBatch batch = reader.next(); batch != null; batch = reader.next()) {
                    rows += batch.positionCount();
                    AlbisBatch current = batch;
                    if (catchThrowable(() -> current.block(0)) != null) {
                        // A block may be requested again
                        assertThat(current.block(0).getPositionCount()).isEqualTo(current.positionCount());
                    }
                }
                assertThat(rows).isEqualTo(ROWS / 2 + 1);
            }
            catch (IOException e) {
                assertThat(e).hasMessageContaining("once");
            }
        }
        AtomicInteger requests = new AtomicInteger(2);
        TrinoFileSystem unreliable = new ReadHookFileSystem(storage, _ -> {
            if (requests.getAndDecrement() == 0) {
                throw new IOException("once");
            }
        });
        try (RowGroupReader reader = RowGroupReader.open(unreliable, FOLDER, rowGroup, RowGroupScan.of(ImmutableList.of(), between(SCATTERED, 0, ROWS)), ReaderOptions.DEFAULTS, new ReaderResources(metadata(rowGroup), StorageAccess.LOCAL, executor, new ScanHistory(0)))) {
            assertThat(catchThrowable(() -> read(reader, 0))).hasMessageContaining("once");
            assertThat(catchThrowable(reader::next)).isInstanceOf(IllegalStateException.class);
            assertThat(catchThrowable(reader::prepare)).isInstanceOf(IllegalStateException.class);
        }
    }

    private Throwable failure(RowGroup rowGroup, StorageAccess access)
    {
        ScanHistory history = new ScanHistory(COLUMNS.size());
        for (int channel = 0; channel < COLUMNS.size(); channel++) {
            history.requested(channel);
        }
        return catchThrowable(() -> readAll(open(rowGroup, access, history, RowGroupScan.of(COLUMNS, TupleDomain.all()))));
    }

    private static byte[] flip(byte[] bytes, int index)
    {
        byte[] flipped = bytes.clone();
        flipped[index] ^= 1;
        return flipped;
    }
}
