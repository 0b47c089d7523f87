package io.albis.format.scan;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.sun.management.ThreadMXBean;
import io.airlift.slice.Slice;
import io.albis.format.metadata.RowGroup;
import io.albis.format.run.Run;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisLayout;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystemFactory;
import io.trino.spi.block.Block;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Random;

import static io.airlift.slice.Slices.utf8Slice;
import static io.albis.format.scan.RowGroupFixture.FOLDER;
import static io.trino.spi.security.ConnectorIdentity.ofUser;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The memory that a reader allocates is bounded by the bytes that it reads, whatever the lengths of the texts.
 */
final class TestDecodedSize
{
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int LONG_TEXT = 200_000;
    private static final int FOUND_IN_SECOND_RUN = 7_730;

    private static final AlbisColumn KEY = AlbisColumn.make(1, "key", BIGINT);
    private static final AlbisColumn TEXT = AlbisColumn.make(2, "text", VARCHAR);
    private static final List<AlbisColumn> COLUMNS = ImmutableList.of(KEY, TEXT);

    private final TrinoFileSystem fileSystem = new MemoryFileSystemFactory().create(ofUser("test"));

    @ParameterizedTest
    @EnumSource
    void testLongTextBeforeManyShortOnes(AlbisLayout layout)
            throws IOException
    {
        assertBounded(layout, 2 * Run.MAX_ROWS, new RowGroupFixture.Values()
        {
            private final Random random = new Random(1);

            @Override
            public Object value(AlbisColumn column, int row)
            {
                boolean first = row < Run.MAX_ROWS;
                if (column.equals(KEY)) {
                    return first ? (row == 5 ? 1L : 0) : (row - Run.MAX_ROWS < FOUND_IN_SECOND_RUN ? 1L : 0);
                }
                return row == 5 ? text(random, LONG_TEXT) : text(random, 5);
            }
        }, 1 + FOUND_IN_SECOND_RUN);
    }

    /**
     * A page with few rows contains a copy of a dictionary entry for each row, unless the copies take more memory than
     * the dictionary. Here, all rows share one long entry.
     */
    @ParameterizedTest
    @EnumSource
    void testLongTextInADictionary(AlbisLayout layout)
            throws IOException
    {
        int rows = 60_000;
        int found = 200;
        assertBounded(layout, rows, (column, row) -> {
            if (column.equals(KEY)) {
                return row < found ? 1L : 0;
            }
            return row < found ? text(new Random(1), LONG_TEXT) : utf8Slice("a text that is found a few times in here %s".formatted(row % 1000));
        }, found);
    }

    private void assertBounded(AlbisLayout layout, int rows, RowGroupFixture.Values values, int expected)
            throws IOException
    {
        RowGroup rowGroup = RowGroupFixture.write(fileSystem, layout, COLUMNS, rows, values);
        TupleDomain<AlbisColumn> predicate = TupleDomain.withColumnDomains(ImmutableMap.of(KEY, Domain.singleValue(BIGINT, 1L)));
        // The first read loads classes
        read(rowGroup, predicate);
        long before = THREADS.getCurrentThreadAllocatedBytes();
        long found = read(rowGroup, predicate);
        long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
        assertThat(found).isEqualTo(expected);
        long stored = rowGroup.columnGroups().getFirst().dataBytes();
        assertThat(allocated).as("bytes allocated to read a file of %s bytes", stored).isLessThan(5 * stored + (2 << 20));
    }

    private long read(RowGroup rowGroup, TupleDomain<AlbisColumn> predicate)
            throws IOException
    {
        long rows = 0;
        try (RowGroupReader reader = RowGroupReader.open(fileSystem, FOLDER, rowGroup, RowGroupScan.of(ImmutableList.of(TEXT), predicate), ReaderOptions.DEFAULTS)) {
            for (AlbisBatch batch = reader.next(); batch != null; batch = reader.next()) {
                Block block = batch.block(0);
                rows += block.getPositionCount();
            }
        }
        return rows;
    }

    private static Slice text(Random random, int length)
    {
        StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            text.append((char) ('a' + random.nextInt(26)));
        }
        return utf8Slice(text.toString());
    }
}
