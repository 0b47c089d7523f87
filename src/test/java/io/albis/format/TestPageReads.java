package io.albis.format;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.format.ReadHookFileSystem.Read;
import io.albis.format.io.StorageAccess;
import io.albis.format.metadata.RowGroup;
import io.albis.format.run.Compression;
import io.albis.format.run.Run;
import io.albis.format.scan.AlbisBatch;
import io.albis.format.scan.MetadataSource;
import io.albis.format.scan.ReaderOptions;
import io.albis.format.scan.ReaderResources;
import io.albis.format.scan.RowGroupReader;
import io.albis.format.scan.RowGroupScan;
import io.albis.format.scan.ScanHistory;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystemFactory;
import io.trino.spi.block.Block;
import io.trino.spi.block.LongArrayBlock;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.type.Type;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;

import static io.albis.format.schema.AlbisLayout.BLOCK;
import static io.trino.spi.security.ConnectorIdentity.ofUser;
import static io.trino.spi.type.BigintType.BIGINT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

/**
 * A few rows have the same values as when all rows are read, whether their runs are read by page or not, and no byte of
 * them is read twice.
 */
final class TestPageReads
        extends BaseSelectionTest
{
    private static final AlbisColumn KEY = AlbisColumn.make(1, "key", BIGINT);
    // requests for adjacent bytes only, for those with gaps of two pages, and for those with large gaps
    private static final List<StorageAccess> ACCESSES = ImmutableList.of(
            StorageAccess.LOCAL,
            new StorageAccess(8192, 1 << 17, 1 << 22, false),
            StorageAccess.REMOTE);

    private final List<Read> reads = new ArrayList<>();
    private final TrinoFileSystem storage = new MemoryFileSystemFactory().create(ofUser("test"));
    private final TrinoFileSystem fileSystem = new ReadHookFileSystem(storage, reads::add);

    TestPageReads()
    {
        super(4);
    }

    @Override
    protected void test(String description, Random random, Type type)
            throws IOException
    {
        double nulls = random.nextBoolean() ? 0 : random.nextDouble() * random.nextDouble();
        Block written = randomBlock(random, type, nulls);
        // in a group with the values, the key is read with them in the row layout
        AlbisColumn value = AlbisColumn.make(2, "value", type);
        AlbisColumn other = AlbisColumn.make(3, "other", BIGINT);
        AlbisColumnGroup keys = AlbisColumnGroup.make(BLOCK, KEY);
        AlbisSchema schema = AlbisSchema.makeSchema(keys, AlbisColumnGroup.make(randomLayout(random, type), value, other));
        Compression compression = random.nextInt(4) == 0 ? Compression.LZ4 : Compression.NONE;
        long[] numbers = IntStream.range(0, ROWS).mapToLong(row -> row * 1_000_000_007L).toArray();
        RowGroup rowGroup = write(fileSystem, random, schema, compression, new LongArrayBlock(ROWS, Optional.empty(), IntStream.range(0, ROWS).mapToLong(row -> row).toArray()), written, new LongArrayBlock(ROWS, Optional.empty(), numbers));
        for (int selection = 0; selection < 6; selection++) {
            check(description, random, List.of(value, other, KEY), written, rowGroup, randomRows(random));
        }
        storage.deleteDirectory(FOLDER);
    }

    /**
     * Returns single rows, and ranges of rows next to each other.
     */
    private static int[] randomRows(Random random)
    {
        TreeSet<Integer> rows = new TreeSet<>();
        int pieces = 1 + random.nextInt(random.nextBoolean() ? 3 : 40);
        int maxLength = 1 + random.nextInt(random.nextBoolean() ? 3 : 100);
        // those of one run, or of all
        int begin = random.nextBoolean() ? 0 : random.nextInt(3) * Run.MAX_ROWS;
        int end = begin == 0 && random.nextBoolean() ? ROWS : Math.min(ROWS, begin + Run.MAX_ROWS);
        for (int piece = 0; piece < pieces; piece++) {
            int first = random.nextInt(8) == 0 ? end - 1 : begin + random.nextInt(end - begin);
            int last = Math.min(ROWS, first + 1 + random.nextInt(maxLength));
            for (int row = first; row < last; row++) {
                rows.add(row);
            }
        }
        return rows.stream().mapToInt(row -> row).toArray();
    }

    private void check(String description, Random random, List<AlbisColumn> columns, Block written, RowGroup rowGroup, int[] rows)
            throws IOException
    {
        TupleDomain<AlbisColumn> predicate = TupleDomain.withColumnDomains(ImmutableMap.of(
                KEY, Domain.multipleValues(BIGINT, IntStream.of(rows).mapToObj(row -> (Object) (long) row).toList())));
        StorageAccess access = ACCESSES.get(random.nextInt(ACCESSES.size()));
        ReaderResources resources = new ReaderResources(MetadataSource.FILES, access, Runnable::run, new ScanHistory(columns.size()));
        BlockEquality equality = new BlockEquality(_ -> true);
        String place = "%s, %s, rows %s".formatted(description, access, IntStream.of(rows).boxed().toList());
        reads.clear();
        int next = 0;
        try (RowGroupReader reader = RowGroupReader.open(fileSystem, FOLDER, rowGroup, RowGroupScan.of(columns, predicate), ReaderOptions.DEFAULTS, resources)) {
            for (AlbisBatch batch = reader.next(); batch != null; batch = reader.next()) {
                int count = batch.positionCount();
                int[] positions = IntStream.range(0, count).filter(_ -> random.nextInt(4) > 0).toArray();
                int[] selected = random.nextInt(3) > 0 || positions.length == 0 ? IntStream.range(0, count).toArray() : positions;
                if (selected.length < count) {
                    batch.selectPositions(selected, 0, selected.length);
                }
                Block block = batch.block(0);
                Block others = batch.block(1);
                assertThat(block.getPositionCount()).as(place).isEqualTo(selected.length);
                for (int position = 0; position < selected.length; position++) {
                    int row = rows[next + selected[position]];
                    if (!equality.isEqual(columns.getFirst().type(), block, position, written, row) || BIGINT.getLong(others, position) != row * 1_000_000_007L) {
                        fail("%s: row %s has another value".formatted(place, row));
                    }
                }
                next += count;
            }
        }
        assertThat(next).as(place).isEqualTo(rows.length);
        assertNoByteTwice(place);
    }

    private void assertNoByteTwice(String place)
    {
        reads.sort(Comparator.comparing((Read read) -> read.location().toString()).thenComparing(Read::position));
        for (int i = 1; i < reads.size(); i++) {
            Read last = reads.get(i - 1);
            Read read = reads.get(i);
            assertThat(last.location().equals(read.location()) && read.position() < last.end()).as("%s: %s and %s", place, last, read).isFalse();
        }
    }
}
