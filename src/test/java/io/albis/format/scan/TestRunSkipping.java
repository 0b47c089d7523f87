package io.albis.format.scan;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.airlift.slice.Slices;
import io.albis.format.AlbisSchema;
import io.albis.format.io.FileFrame;
import io.albis.format.io.StorageAccess;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.albis.format.run.Run;
import io.albis.format.run.SegmentShare;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.format.write.RollingRowGroupWriter;
import io.albis.format.write.WriterOptions;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystemFactory;
import io.trino.spi.Page;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.predicate.ValueSet;
import io.trino.spi.type.Int128;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

import static com.google.common.collect.Iterables.getOnlyElement;
import static io.albis.format.scan.RowGroupFixture.FOLDER;
import static io.albis.format.scan.RowGroupFixture.metadata;
import static io.trino.spi.security.ConnectorIdentity.ofUser;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.DecimalType.createDecimalType;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static io.trino.spi.type.TypeUtils.writeNativeValue;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Where the bounds of runs are much tighter than those of their segment, a scan neither reads nor filters the runs that
 * cannot match.
 */
final class TestRunSkipping
{
    private static final int RUNS = 7;
    private static final int ROWS = RUNS * Run.MAX_ROWS - 3000;
    private static final AlbisColumn NUMBER = AlbisColumn.make(1, "number", BIGINT);
    private static final AlbisColumn OTHER = AlbisColumn.make(2, "other", BIGINT);

    private final TrinoFileSystem fileSystem = new MemoryFileSystemFactory().create(ofUser("test"));

    @ParameterizedTest
    @EnumSource
    void testSortedNumbers(AlbisLayout layout)
            throws IOException
    {
        RowGroup rowGroup = write(layout, NUMBER, row -> row % 11 == 3 ? null : (Object) (row * 10L), true);
        assertThat(runStatistics(rowGroup)).hasSize(RUNS);
        assertScan(rowGroup, NUMBER, range(100_000, 100_500), row -> row % 11 != 3 && row * 10 >= 100_000 && row * 10 <= 100_500, RUNS - 1);
        assertScan(rowGroup, NUMBER, range(0, 10L * 2 * Run.MAX_ROWS + 5), row -> row % 11 != 3 && row <= 2 * Run.MAX_ROWS, RUNS - 3);
        assertScan(rowGroup, NUMBER, Domain.create(ValueSet.ofRanges(Range.lessThan(BIGINT, 5L)), true), row -> row % 11 == 3 || row == 0, 0);
        // the bounds of the segment do not exclude the value, and those of all runs do
        assertScan(rowGroup, NUMBER, Domain.singleValue(BIGINT, 10L * Run.MAX_ROWS - 5), _ -> false, 0);
    }

    @ParameterizedTest
    @EnumSource
    void testSortedTexts(AlbisLayout layout)
            throws IOException
    {
        AlbisColumn text = AlbisColumn.make(1, "text", VARCHAR);
        RowGroup rowGroup = write(layout, text, row -> Slices.utf8Slice("a long common prefix %08d".formatted(row)), true);
        assertThat(runStatistics(rowGroup)).hasSize(RUNS);
        int searched = 3 * Run.MAX_ROWS + 17;
        assertScan(rowGroup, text, Domain.singleValue(VARCHAR, Slices.utf8Slice("a long common prefix %08d".formatted(searched))), row -> row == searched, RUNS - 1);
    }

    @Test
    void testOtherTypes()
            throws IOException
    {
        AlbisColumn decimal = AlbisColumn.make(1, "decimal", createDecimalType(38));
        RowGroup rowGroup = write(AlbisLayout.BLOCK, decimal, row -> Int128.valueOf(row / 100 - 300L, 5), true);
        assertScan(rowGroup, decimal, Domain.singleValue(decimal.type(), Int128.valueOf(-300, 5)), row -> row < 100, RUNS - 1);
        AlbisColumn ratio = AlbisColumn.make(1, "ratio", DOUBLE);
        // NaN is in no bound
        rowGroup = write(AlbisLayout.BLOCK, ratio, row -> row % 100 == 7 ? Double.NaN : 1000.0 - row, true);
        assertScan(rowGroup, ratio, Domain.create(ValueSet.ofRanges(Range.greaterThan(DOUBLE, 500.0)), false), row -> row % 100 != 7 && row < 500, RUNS - 1);
        assertScan(rowGroup, ratio, Domain.notNull(DOUBLE), _ -> true, 0);
    }

    @Test
    void testOnlyWhereTight()
            throws IOException
    {
        assertThat(runStatistics(write(AlbisLayout.BLOCK, NUMBER, row -> row * 7919L % 65_521, true))).isEmpty();
        assertThat(runStatistics(write(AlbisLayout.BLOCK, NUMBER, _ -> 5L, true))).isEmpty();
        assertThat(runStatistics(write(AlbisLayout.BLOCK, NUMBER, row -> row < 20 ? (Object) (long) row : null, true))).hasSize(RUNS);
        RowGroup rowGroup = write(AlbisLayout.BLOCK, NUMBER, row -> (long) row, false);
        assertThat(runStatistics(rowGroup)).isEmpty();
        assertScan(rowGroup, NUMBER, range(5, 9), row -> row >= 5 && row <= 9, 0);
    }

    @Test
    void testRunsThatMatchAsAWhole()
            throws IOException
    {
        RowGroup rowGroup = write(AlbisLayout.BLOCK, NUMBER, row -> (long) row, true);
        // only the first and the last of the runs with matching rows have to be read to evaluate the filter
        long first = Run.MAX_ROWS / 2;
        long last = 5 * Run.MAX_ROWS + 100;
        // no gap between two runs is read
        StorageAccess access = new StorageAccess(0, 1 << 20, 1 << 24, false);
        ReaderResources resources = new ReaderResources(MetadataSource.FILES, access, Runnable::run, new ScanHistory(1));
        RowGroupScan scan = RowGroupScan.of(ImmutableList.of(OTHER), predicate(NUMBER, range(first, last)));
        try (RowGroupReader reader = RowGroupReader.open(fileSystem, FOLDER, rowGroup, scan, ReaderOptions.DEFAULTS, resources)) {
            long rows = 0;
            for (AlbisBatch batch = reader.next(); batch != null; batch = reader.next()) {
                rows += batch.block(0).getPositionCount();
            }
            assertThat(rows).isEqualTo(last - first + 1);
            long expected = 0;
            for (ColumnGroupInstance instance : rowGroup.columnGroups()) {
                List<Run> runs = metadata(fileSystem, rowGroup, instance).chunk(0, 0).runs();
                boolean filter = instance.columnIds().contains(NUMBER.id());
                // the header is read with the first run
                expected += instance.metadataBytes() + FileFrame.HEADER_SIZE;
                expected += filter ? runs.get(0).paddedLength() + runs.get(5).paddedLength() : runs.subList(0, 6).stream().mapToLong(Run::paddedLength).sum();
            }
            assertThat(reader.metrics().bytesRead()).isEqualTo(expected);
        }
    }

    @Test
    void testDynamicFilter()
            throws IOException
    {
        RowGroup rowGroup = write(AlbisLayout.BLOCK, NUMBER, row -> (long) row, true);
        // the filter arrives before the segment, and after some runs of it
        List<Long> skipped = new ArrayList<>();
        for (int late = 0; late < 10; late++) {
            int asked = late;
            AtomicInteger count = new AtomicInteger();
            AtomicReference<TupleDomain<AlbisColumn>> filter = new AtomicReference<>(predicate(NUMBER, range(10, 19)));
            RowGroupScan scan = new RowGroupScan(ImmutableList.of(NUMBER), TupleDomain.all(), () -> count.getAndIncrement() < asked ? TupleDomain.all() : filter.get(), SegmentShare.ALL);
            try (RowGroupReader reader = open(rowGroup, scan)) {
                List<Long> found = new ArrayList<>();
                for (AlbisBatch batch = reader.next(); batch != null; batch = reader.next()) {
                    for (int position = 0; position < batch.positionCount(); position++) {
                        found.add(BIGINT.getLong(batch.block(0), position));
                    }
                }
                assertThat(found).contains(10L, 19L);
                skipped.add(reader.metrics().runsSkipped());
            }
        }
        assertThat(skipped).contains(RUNS - 1L, RUNS - 2L, RUNS - 3L, 1L);
        assertThat(skipped).isSortedAccordingTo(Comparator.reverseOrder());
    }

    private interface RowPredicate
    {
        boolean matches(int row);
    }

    private void assertScan(RowGroup rowGroup, AlbisColumn column, Domain domain, RowPredicate matches, int runsSkipped)
            throws IOException
    {
        List<Long> expected = IntStream.range(0, ROWS).filter(matches::matches).mapToObj(row -> (long) row).toList();
        List<Long> found = new ArrayList<>();
        try (RowGroupReader reader = open(rowGroup, RowGroupScan.of(ImmutableList.of(OTHER), predicate(column, domain)))) {
            for (AlbisBatch batch = reader.next(); batch != null; batch = reader.next()) {
                for (int position = 0; position < batch.positionCount(); position++) {
                    found.add(BIGINT.getLong(batch.block(0), position));
                }
            }
            assertThat(reader.metrics().runsSkipped()).as(domain.toString()).isEqualTo(runsSkipped);
            assertThat(reader.metrics().rowsSkipped()).isEqualTo(reader.metrics().rows() - found.size());
            assertThat(reader.metrics().segments() + reader.metrics().segmentsSkipped()).isEqualTo(1);
        }
        assertThat(found).as(domain.toString()).isEqualTo(expected);
    }

    private RowGroupReader open(RowGroup rowGroup, RowGroupScan scan)
            throws IOException
    {
        return RowGroupReader.open(fileSystem, FOLDER, rowGroup, scan, ReaderOptions.DEFAULTS);
    }

    private static TupleDomain<AlbisColumn> predicate(AlbisColumn column, Domain domain)
    {
        return TupleDomain.withColumnDomains(ImmutableMap.of(column, domain));
    }

    private static Domain range(long low, long high)
    {
        return Domain.create(ValueSet.ofRanges(Range.range(BIGINT, low, true, high, true)), false);
    }

    /**
     * Writes one segment with a column, and a column with the numbers of the rows.
     */
    private RowGroup write(AlbisLayout layout, AlbisColumn column, IntFunction<Object> values, boolean runBounds)
            throws IOException
    {
        AlbisSchema schema = AlbisSchema.makeSchema(AlbisColumnGroup.make(layout, column), AlbisColumnGroup.make(layout, OTHER));
        WriterOptions options = WriterOptions.DEFAULTS.withSegmentBytes(WriterOptions.MAX_SEGMENT_BYTES).withRunBounds(runBounds);
        RollingRowGroupWriter writer = new RollingRowGroupWriter(fileSystem, FOLDER, schema.rowGroupSchema(), options);
        BlockBuilder builder = column.type().createBlockBuilder(null, ROWS);
        BlockBuilder others = BIGINT.createBlockBuilder(null, ROWS);
        for (int row = 0; row < ROWS; row++) {
            writeNativeValue(column.type(), builder, values.apply(row));
            BIGINT.writeLong(others, row);
        }
        writer.append(new Page(builder.build(), others.build()));
        return getOnlyElement(writer.finish());
    }

    private List<ColumnStatistics> runStatistics(RowGroup rowGroup)
            throws IOException
    {
        return metadata(fileSystem, rowGroup, rowGroup.columnGroups().getFirst()).runStatistics(0, 0);
    }
}
