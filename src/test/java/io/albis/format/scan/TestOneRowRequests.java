package io.albis.format.scan;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.filesystem.FileBytes;
import io.albis.format.ReadHookFileSystem.Read;
import io.albis.format.io.AlbisDataException;
import io.albis.format.io.StorageAccess;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.albis.format.run.Run;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisLayout;
import io.trino.filesystem.Location;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.type.Type;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.airlift.slice.Slices.utf8Slice;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.DecimalType.createDecimalType;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Requests and bytes of a query for one row by its key, which is the order of the rows, of a table with 23 columns.
 */
final class TestOneRowRequests
        extends BaseRequestsTest
{
    private static final int TABLE_ROWS = 200_000;
    private static final int SEGMENT_BYTES = 1 << 20;
    private static final long FOUND = 123_456;
    private static final AlbisColumn KEY = AlbisColumn.make(1, "key", BIGINT);
    private static final AlbisColumn NAME = AlbisColumn.make(23, "name", VARCHAR);
    private static final List<AlbisColumn> TABLE = IntStream.rangeClosed(1, 23)
            .mapToObj(id -> id == 1 ? KEY : id == 23 ? NAME : AlbisColumn.make(id, "c" + id, type(id)))
            .collect(toImmutableList());
    // one of the 76 row groups of a table with 100 M rows (docs/benchmarks.md)
    private static final int MANY_ROWS = 100_000_000 / 76;
    private static final long MANY_BEGIN = 56_000_000;
    private static final long MANY_FOUND = 56_781_234;
    private static final List<AlbisColumn> MANY = ImmutableList.of(
            KEY,
            AlbisColumn.make(2, "n", BIGINT),
            AlbisColumn.make(3, "price", createDecimalType(18, 2)),
            AlbisColumn.make(4, "name", VARCHAR));
    private static final List<List<AlbisColumn>> TOGETHER = ImmutableList.of(TABLE);
    private static final List<List<AlbisColumn>> APART = ImmutableList.of(ImmutableList.of(KEY), TABLE.subList(1, 22), ImmutableList.of(NAME));

    private static Type type(int id)
    {
        return id <= 10 ? BIGINT : createDecimalType(7, 2);
    }

    /**
     * In the block layout, each column needs the page of its value, and at most the page of the validity words or two
     * pages of lengths and anchors before it. The key is filtered, so its run is read as a whole.
     */
    @Test
    void testBlocks()
            throws Exception
    {
        for (List<List<AlbisColumn>> groups : List.of(TOGETHER, APART)) {
            RowGroup rowGroup = write(AlbisLayout.BLOCK, groups);
            List<Read> local = readRow(rowGroup, StorageAccess.LOCAL);
            assertThat(local).hasSize(28);
            assertThat(bytes(local)).isEqualTo(135_168);
            assertThat(runBytes(rowGroup, TABLE)).isEqualTo(585_880);
            // a second request for a column takes longer than the rest of its run
            List<Read> remote = readRow(rowGroup, StorageAccess.REMOTE);
            assertThat(remote).hasSize(TABLE.size());
            assertThat(bytes(remote)).isEqualTo(281_752);
        }
    }

    /**
     * In the row layout, the place of a row is known only if its column group has no variable-width column. A filter
     * needs all rows of its column group.
     */
    @Test
    void testRows()
            throws Exception
    {
        List<Read> together = readRow(write(AlbisLayout.ROW, TOGETHER), StorageAccess.LOCAL);
        assertThat(together).hasSize(1);
        assertThat(bytes(together)).isEqualTo(1_048_384);
        List<Read> apart = readRow(write(AlbisLayout.ROW, APART), StorageAccess.LOCAL);
        assertThat(apart.stream().map(Read::length)).containsExactly(55_192, 4096, 171_024);
    }

    /**
     * Returns the number of bytes of the runs with the row.
     */
    private long runBytes(RowGroup rowGroup, List<AlbisColumn> columns)
            throws IOException
    {
        long bytes = 0;
        for (AlbisColumn column : columns) {
            int[] segmentRows = metadata(rowGroup, column).segmentRows();
            int row = (int) FOUND;
            int segment = 0;
            while (row >= segmentRows[segment]) {
                row -= segmentRows[segment];
                segment++;
            }
            bytes += bytes(rowGroup, column, segment, 1 << (row / Run.MAX_ROWS));
        }
        return bytes;
    }

    /**
     * The row of a table with 100 M rows that docs/benchmarks.md describes.
     */
    @Test
    void testRowOfLargeTable()
            throws Exception
    {
        RowGroup rowGroup = RowGroupFixture.write(storage, AlbisLayout.BLOCK, ImmutableList.of(MANY), SEGMENT_BYTES, MANY_ROWS, TestOneRowRequests::manyValue);
        List<Read> data = readRow(rowGroup, StorageAccess.LOCAL, MANY, MANY_FOUND);
        assertThat(data).hasSize(6);
        assertThat(bytes(data)).isEqualTo(36_864);
    }

    private static Object manyValue(AlbisColumn column, int row)
    {
        long key = MANY_BEGIN + row;
        long a = key / 10_000;
        long b = key % 10_000;
        return switch (column.name()) {
            case "key" -> key;
            case "n" -> b % 1000;
            case "price" -> a * b * 100;
            default -> utf8Slice("customer " + (a * 7919 + b * 104_729) % 1_000_003);
        };
    }

    /**
     * Damage is found if and only if the row is on the damaged page.
     */
    @ParameterizedTest
    @EnumSource
    void testDamage(AlbisLayout layout)
            throws Exception
    {
        RowGroup rowGroup = write(layout, APART);
        List<Read> data = readRow(rowGroup, StorageAccess.LOCAL);
        int found = 0;
        int others = 0;
        for (ColumnGroupInstance instance : rowGroup.columnGroups()) {
            Location location = rowGroup.dataFile(FOLDER, instance);
            byte[] bytes = FileBytes.read(storage, location);
            List<Read> inFile = data.stream().filter(read -> read.location().equals(location)).toList();
            for (Read read : inFile) {
                // the first and the last byte of a request, and those before and after it, which are on other pages
                for (long damaged : new long[] {read.position() - 1, read.position(), read.end() - 1, read.end()}) {
                    boolean isRead = inFile.stream().anyMatch(other -> other.position() <= damaged && damaged < other.end());
                    byte[] changed = bytes.clone();
                    changed[(int) damaged] ^= 1;
                    FileBytes.overwrite(storage, location, changed);
                    if (isRead) {
                        assertThatThrownBy(() -> readRow(rowGroup, StorageAccess.LOCAL))
                                .as("byte %s of %s", damaged, location)
                                .isInstanceOfSatisfying(AlbisDataException.class, exception -> assertThat(exception.reason()).isEqualTo(AlbisDataException.Reason.DAMAGED))
                                .hasMessageContaining(location.toString())
                                .hasMessageContaining("checksum");
                        found++;
                    }
                    else {
                        assertThat(readRow(rowGroup, StorageAccess.LOCAL)).isEqualTo(data);
                        others++;
                    }
                    reads.clear();
                }
            }
            FileBytes.overwrite(storage, location, bytes);
        }
        assertThat(found).isPositive();
        assertThat(others).isPositive();
    }

    private List<Read> readRow(RowGroup rowGroup, StorageAccess access)
            throws Exception
    {
        return readRow(rowGroup, access, TABLE, FOUND);
    }

    private List<Read> readRow(RowGroup rowGroup, StorageAccess access, List<AlbisColumn> columns, long key)
            throws Exception
    {
        reads.clear();
        TupleDomain<AlbisColumn> predicate = TupleDomain.withColumnDomains(ImmutableMap.of(KEY, Domain.singleValue(BIGINT, key)));
        assertThat(readAll(open(rowGroup, access, new ScanHistory(columns.size()), predicate, columns.toArray(AlbisColumn[]::new)))).isEqualTo(1);
        return takeData();
    }

    private static long bytes(List<Read> reads)
    {
        return reads.stream().mapToLong(Read::length).sum();
    }

    private RowGroup write(AlbisLayout layout, List<List<AlbisColumn>> groups)
            throws IOException
    {
        Random random = new Random(1);
        return RowGroupFixture.write(storage, layout, groups, SEGMENT_BYTES, TABLE_ROWS, (column, row) -> value(random, column, row));
    }

    private static Object value(Random random, AlbisColumn column, int row)
    {
        int id = column.id();
        if (column.equals(KEY)) {
            return (long) row;
        }
        if (column.equals(NAME)) {
            return utf8Slice("customer " + row * 7919L % 1_000_003);
        }
        if (id % 4 == 0 && random.nextInt(20) == 0) {
            return null;
        }
        if (id == 2) {
            return 2_450_000L + row / 1000;
        }
        if (id <= 10) {
            return (long) random.nextInt(1 << (2 * id));
        }
        return (long) random.nextInt(1_000_000);
    }
}
