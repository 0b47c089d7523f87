package io.albis.format.scan;

import com.google.common.collect.ImmutableList;
import io.albis.format.ReadHookFileSystem;
import io.albis.format.ReadHookFileSystem.Read;
import io.albis.format.io.AlbisDataException;
import io.albis.format.io.StorageAccess;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisLayout;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystemFactory;
import io.trino.spi.block.Block;
import io.trino.spi.predicate.TupleDomain;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import static io.airlift.slice.Slices.utf8Slice;
import static io.albis.format.scan.RowGroupFixture.FOLDER;
import static io.trino.spi.security.ConnectorIdentity.ofUser;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Storage may return different bytes when the same range is requested again. All data that the reader returns was
 * checked.
 */
final class TestRunChecks
{
    private static final int ROWS = 20_000;
    private static final AlbisColumn ID = AlbisColumn.make(1, "id", BIGINT);
    private static final AlbisColumn TEXT = AlbisColumn.make(2, "text", VARCHAR);

    private final TrinoFileSystem storage = new MemoryFileSystemFactory().create(ofUser("test"));

    /**
     * Returns a file system that damages one request for data.
     *
     * @param damaged the number of the request, starting at 0
     */
    private TrinoFileSystem damaging(int damaged, AtomicInteger requests)
    {
        return new ReadHookFileSystem(storage, new ReadHookFileSystem.Hook()
        {
            @Override
            public void read(Read read) {}

            @Override
            public void filled(Read read, byte[] buffer, int offset)
            {
                if (!read.isMetadata() && requests.getAndIncrement() == damaged) {
                    // The digits of a text are near the end of a request
                    buffer[offset + read.length() - 50] ^= 1;
                }
            }
        });
    }

    @Test
    void testSecondReadOfARun()
            throws IOException
    {
        RowGroup rowGroup = write(AlbisLayout.BLOCK);
        // Each of the two channels takes ownership of the bytes of a large run, so each run is read twice
        List<AlbisColumn> columns = ImmutableList.of(TEXT, TEXT);
        AtomicInteger requests = new AtomicInteger();
        readAll(damaging(-1, requests), rowGroup, columns);
        int runs = 3;
        assertThat(requests).hasValue(2 * runs);
        for (int damaged = 0; damaged < 2 * runs; damaged++) {
            TrinoFileSystem fileSystem = damaging(damaged, new AtomicInteger());
            assertThatThrownBy(() -> readAll(fileSystem, rowGroup, columns))
                    .as("request %s", damaged)
                    .isInstanceOf(AlbisDataException.class)
                    .hasMessageContaining("run ")
                    .hasMessageContaining("checksum");
        }
    }

    /**
     * A change in the response to any request is detected.
     */
    @ParameterizedTest
    @EnumSource
    void testEachRequest(AlbisLayout layout)
            throws IOException
    {
        RowGroup rowGroup = write(layout);
        for (List<AlbisColumn> columns : List.of(ImmutableList.of(ID, TEXT), ImmutableList.of(TEXT, ID, TEXT))) {
            AtomicInteger requests = new AtomicInteger();
            readAll(damaging(-1, requests), rowGroup, columns);
            assertThat(requests).hasPositiveValue();
            for (int damaged = 0; damaged < requests.get(); damaged++) {
                TrinoFileSystem fileSystem = damaging(damaged, new AtomicInteger());
                assertThatThrownBy(() -> readAll(fileSystem, rowGroup, columns))
                        .as("request %s for %s", damaged, columns)
                        .isInstanceOf(AlbisDataException.class);
            }
        }
    }

    private RowGroup write(AlbisLayout layout)
            throws IOException
    {
        return RowGroupFixture.write(storage, layout, ImmutableList.of(ID, TEXT), ROWS, (column, row) -> column.equals(ID) ? (Object) (long) row : utf8Slice(text(row)));
    }

    private static String text(int row)
    {
        return "the text of row %08d".formatted(row);
    }

    private static void readAll(TrinoFileSystem fileSystem, RowGroup rowGroup, List<AlbisColumn> columns)
            throws IOException
    {
        int rows = 0;
        try (RowGroupReader reader = RowGroupReader.open(fileSystem, FOLDER, rowGroup, RowGroupScan.of(columns, TupleDomain.all()), ReaderOptions.DEFAULTS, new ReaderResources(MetadataSource.FILES, StorageAccess.LOCAL, Runnable::run, new ScanHistory(columns.size())))) {
            for (AlbisBatch batch = reader.next(); batch != null; batch = reader.next()) {
                for (int channel = 0; channel < columns.size(); channel++) {
                    Block block = batch.block(channel);
                    for (int position = 0; position < batch.positionCount(); position++) {
                        if (columns.get(channel).equals(ID)) {
                            assertThat(BIGINT.getLong(block, position)).isEqualTo(rows + position);
                        }
                        else {
                            assertThat(VARCHAR.getSlice(block, position).toStringUtf8()).isEqualTo(text(rows + position));
                        }
                    }
                }
                rows += batch.positionCount();
            }
        }
        assertThat(rows).isEqualTo(ROWS);
    }
}
