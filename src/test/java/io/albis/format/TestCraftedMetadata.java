package io.albis.format;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.albis.format.io.AlbisDataException;
import io.albis.format.io.FileSection;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.ColumnGroupMetadata;
import io.albis.format.metadata.MetadataCodec;
import io.albis.format.metadata.RowGroup;
import io.albis.format.metadata.StatisticsDomains;
import io.albis.format.run.Chunk;
import io.albis.format.run.ChunkEncoding;
import io.albis.format.run.NodeChunks;
import io.albis.format.run.Run;
import io.albis.format.run.RunEncoding;
import io.albis.format.run.RunEncoding.Fixed;
import io.albis.format.run.SegmentShare;
import io.albis.format.run.StoredBytes;
import io.albis.format.scan.RowGroupScan;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.format.write.WriterOptions;
import io.trino.filesystem.Location;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.type.Type;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import static io.albis.format.statistics.ValueOrder.UNORDERED;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.DecimalType.createDecimalType;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Files with correct checksums but invalid content cause a descriptive error and never allocate much memory.
 */
final class TestCraftedMetadata
        extends BaseCraftedMetadataTest
{
    static List<Arguments> layoutsAndOtherTypes()
    {
        return Arrays.stream(AlbisLayout.values())
                .flatMap(layout -> Stream.of(createDecimalType(9, 4), createDecimalType(8, 2), BIGINT).map(type -> Arguments.of(layout, type)))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("layoutsAndOtherTypes")
    void testTypeOfAnotherScale(AlbisLayout layout, Type type)
            throws IOException
    {
        RowGroup rowGroup = write(layout, WriterOptions.DEFAULTS);
        AlbisColumn column = AlbisColumn.make(PRICE.id(), PRICE.name(), type);
        assertDamaged(rowGroup, RowGroupScan.of(ImmutableList.of(column), TupleDomain.all()), type.getDisplayName())
                .hasMessageContaining("decimal(9,2)")
                .hasMessageContaining(type.getDisplayName());
        TupleDomain<AlbisColumn> predicate = TupleDomain.withColumnDomains(ImmutableMap.of(column, Domain.singleValue(type, 5L)));
        assertDamaged(rowGroup, RowGroupScan.of(ImmutableList.of(NUMBER), predicate), type.getDisplayName()).hasMessageContaining("decimal(9,2)");
    }

    static List<Fixed> damagedFixedValues()
    {
        return ImmutableList.of(
                // Values of the full width have no base, because rows and filters would add it in different ways.
                new Fixed(Long.BYTES, 7, 0),
                new Fixed(Long.BYTES, 0, 1),
                new Fixed(9, 0, 0),
                new Fixed(16, 0, 0),
                new Fixed(1, 0, 0),
                new Fixed(0, 0, 0),
                new Fixed(4, 0, ROWS),
                new Fixed(7, 0, 3));
    }

    @ParameterizedTest
    @MethodSource("damagedFixedValues")
    void testFixedValues(Fixed parameters)
            throws IOException
    {
        RowGroup rowGroup = write(AlbisLayout.BLOCK, WriterOptions.DEFAULTS.withNarrowWidths(false));
        assertDamaged(withRun(rowGroup, 0, run -> new Run(run.stored(), run.nulls(), parameters)), parameters.toString());
    }

    @Test
    void testRunsOfFixedValues()
            throws IOException
    {
        RowGroup rowGroup = write(AlbisLayout.BLOCK, WriterOptions.DEFAULTS.withNarrowWidths(false));
        assertDamaged(withRun(rowGroup, 0, run -> new Run(run.stored(), ROWS + 1, run.encoding())), "more nulls than rows");
        assertDamaged(withRun(rowGroup, 0, run -> new Run(StoredBytes.plain(run.length() - 1, run.stored().checksums()), run.nulls(), run.encoding())), "a short run");
        assertDamaged(withChunk(rowGroup, 0, chunk -> new Chunk(new ChunkEncoding.Constant(new byte[3]), chunk.offset(), ImmutableList.of())), "a short constant");
    }

    static List<Arguments> encodingsOfAnotherType()
    {
        StoredBytes bytes = StoredBytes.plain(8, new int[1]);
        ImmutableList.Builder<Arguments> encodings = ImmutableList.builder();
        for (AlbisColumn column : COLUMNS) {
            boolean variable = column.type().equals(VARCHAR);
            RunEncoding parameters = variable ? new Fixed(4, 0, 0) : new RunEncoding.Bytes(1, 0);
            encodings.add(Arguments.of(column, new ChunkEncoding.Dictionary(2, false, parameters, bytes), new RunEncoding.Ids(1, 0)));
            encodings.add(Arguments.of(column, new ChunkEncoding.Bits(), new RunEncoding.Plain()));
            encodings.add(Arguments.of(column, new ChunkEncoding.Rows(), new RunEncoding.Plain()));
            encodings.add(Arguments.of(column, variable ? new ChunkEncoding.Fixed() : new ChunkEncoding.Bytes(), parameters));
        }
        return encodings.build();
    }

    @ParameterizedTest
    @MethodSource("encodingsOfAnotherType")
    void testEncodingOfAnotherType(AlbisColumn column, ChunkEncoding encoding, RunEncoding parameters)
            throws IOException
    {
        RowGroup rowGroup = write(AlbisLayout.BLOCK, WriterOptions.DEFAULTS.withDictionaries(false));
        assertDamaged(
                withChunk(rowGroup, COLUMNS.indexOf(column), chunk -> new Chunk(encoding, chunk.offset(), chunk.runs().stream().map(run -> new Run(run.stored(), run.nulls(), parameters)).toList())),
                "column %s as %s".formatted(column, encoding));
    }

    static List<RunEncoding> damagedIds()
    {
        return ImmutableList.of(new RunEncoding.Ids(1, 2), new RunEncoding.Ids(1, 5), new RunEncoding.Ids(1, 6), new RunEncoding.Ids(1, 0xFFFF), new RunEncoding.Ids(2, 0), new RunEncoding.Ids(0, 0));
    }

    @ParameterizedTest
    @MethodSource("damagedIds")
    void testDictionaryIds(RunEncoding ids)
            throws IOException
    {
        assertDamaged(withRun(writeDictionary(), 2, run -> new Run(run.stored(), run.nulls(), ids)), ids.toString());
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 6, 255, ChunkEncoding.Dictionary.MAX_ENTRIES})
    void testDictionaryEntries(int entries)
            throws IOException
    {
        assertDamaged(withChunk(writeDictionary(), 2, chunk -> {
            ChunkEncoding.Dictionary dictionary = (ChunkEncoding.Dictionary) chunk.encoding();
            return new Chunk(new ChunkEncoding.Dictionary(entries, dictionary.sorted(), dictionary.values(), dictionary.stored()), chunk.offset(), chunk.runs());
        }), entries + " entries");
    }

    private RowGroup writeDictionary()
            throws IOException
    {
        return write(AlbisSchema.makeSchema(AlbisColumnGroup.make(COLUMNS)), WriterOptions.DEFAULTS, row -> Slices.utf8Slice("text that repeats " + row % 5));
    }

    @ParameterizedTest
    @EnumSource
    void testOffsets(AlbisLayout layout)
            throws IOException
    {
        RowGroup rowGroup = write(layout, WriterOptions.DEFAULTS);
        for (long offset : new long[] {Long.MAX_VALUE & -8, (Long.MAX_VALUE & -8) - 8 * 64, 1L << 62, Integer.MAX_VALUE & -8L, 1 << 20}) {
            assertDamaged(withChunk(rowGroup, 0, chunk -> new Chunk(chunk.encoding(), offset, chunk.runs())), "a chunk at " + offset);
        }
    }

    @ParameterizedTest
    @EnumSource
    void testStatistics(AlbisLayout layout)
            throws IOException
    {
        RowGroup rowGroup = write(layout, WriterOptions.DEFAULTS);
        byte[] one = longBytes(1);
        byte[] nine = longBytes(9);
        byte[] nan = longBytes(Double.doubleToRawLongBits(Double.NaN));
        assertThat(catchThrowable(() -> readAll(withStatistics(rowGroup, 0, one, nine, 0)))).isNull();
        assertDamaged(withStatistics(rowGroup, 0, new byte[3], nine, 0), "a short minimum");
        assertDamaged(withStatistics(rowGroup, 0, one, new byte[16], 0), "a long maximum");
        assertDamaged(withStatistics(rowGroup, 0, nine, one, 0), "a minimum above the maximum");
        assertDamaged(withStatistics(rowGroup, 2, "z".getBytes(UTF_8), "a".getBytes(UTF_8), 0), "a text above the maximum");
        assertDamaged(withStatistics(rowGroup, 0, one, nine, ROWS + 1), "more nulls than rows");
        RowGroup withNan = withStatistics(rowGroup, 3, nan, nan, 0);
        TupleDomain<AlbisColumn> predicate = TupleDomain.withColumnDomains(ImmutableMap.of(RATIO, Domain.singleValue(DOUBLE, 5.0)));
        assertDamaged(withNan, RowGroupScan.of(ImmutableList.of(RATIO), predicate), "NaN as a bound");
    }

    @Test
    void testBoundsInManifests()
            throws IOException
    {
        RowGroup rowGroup = write(AlbisLayout.BLOCK, WriterOptions.DEFAULTS);
        for (ColumnStatistics statistics : ImmutableList.of(
                new ColumnStatistics(1, 0, UNORDERED, Optional.of(new byte[3]), Optional.empty()),
                new ColumnStatistics(1, 0, UNORDERED, Optional.of(longBytes(9)), Optional.of(longBytes(1))))) {
            Throwable failure = catchThrowable(() -> StatisticsDomains.overlaps(rowGroup.withStatistics(ImmutableList.of(statistics)), PREDICATE));
            // the connector converts this exception to ALBIS_BAD_DATA
            assertThat(failure).isInstanceOf(UncheckedIOException.class).hasCauseInstanceOf(AlbisDataException.class);
            assertThat(failure).hasMessageContaining("column 1");
        }
    }

    @Test
    void testSizesAreNotBelieved()
            throws IOException
    {
        RowGroup rowGroup = write(AlbisLayout.BLOCK, WriterOptions.DEFAULTS);
        ColumnGroupInstance instance = rowGroup.columnGroups().getFirst();
        for (int size : new int[] {Integer.MAX_VALUE, Integer.MAX_VALUE - 16, 1 << 30}) {
            RowGroup crafted = new RowGroup(rowGroup.id(), rowGroup.rows(), ImmutableList.of(new ColumnGroupInstance(instance.id(), instance.columnIds(), instance.dataBytes(), size)), rowGroup.statistics());
            assertLittleMemory("metadata of %s bytes".formatted(size), () -> assertDamaged(crafted, "metadata of %s bytes".formatted(size)));
        }
        RowGroup large = withDataBytes(withChunk(rowGroup, 2, chunk -> new Chunk(chunk.encoding(), chunk.offset(), ImmutableList.of(new Run(StoredBytes.plain(1 << 30, new int[1 << 18]), chunk.runs().getFirst().nulls(), chunk.runs().getFirst().encoding()))), 1L << 40), 1L << 40);
        assertLittleMemory("a run of 1 GB", () -> assertDamaged(large, "a run of 1 GB"));
    }

    @ParameterizedTest
    @EnumSource
    void testColumnGroupOpenedLate(AlbisLayout layout)
            throws IOException
    {
        AlbisSchema schema = AlbisSchema.makeSchema(AlbisColumnGroup.make(layout, NUMBER), AlbisColumnGroup.make(layout, RATIO));
        RowGroup first = write(schema, WriterOptions.DEFAULTS.withSegmentBytes(WriterOptions.MIN_SEGMENT_BYTES));
        RowGroup second = write(schema, WriterOptions.DEFAULTS.withSegmentBytes(2 * WriterOptions.MIN_SEGMENT_BYTES));
        ColumnGroupInstance late = second.columnGroups().getLast();
        RowGroup mixed = new RowGroup(first.id(), ROWS, ImmutableList.of(first.columnGroups().getFirst(), late), ImmutableList.of());
        overwrite(mixed.dataFile(FOLDER, late), bytes(second.dataFile(FOLDER, late)));
        overwrite(mixed.metadataFile(FOLDER, late), bytes(second.metadataFile(FOLDER, late)));

        AtomicReference<TupleDomain<AlbisColumn>> dynamicPredicate = new AtomicReference<>(TupleDomain.all());
        RowGroupScan scan = new RowGroupScan(ImmutableList.of(NUMBER), TupleDomain.all(), dynamicPredicate::get, SegmentShare.ALL);
        assertDamaged(mixed, scan, "a dynamic filter that comes late", () -> dynamicPredicate.set(TupleDomain.withColumnDomains(ImmutableMap.of(RATIO, Domain.notNull(DOUBLE)))))
                .hasMessageContaining("different segments");
    }

    private RowGroup withRun(RowGroup rowGroup, int column, UnaryOperator<Run> change)
            throws IOException
    {
        return withChunk(rowGroup, column, chunk -> new Chunk(chunk.encoding(), chunk.offset(), chunk.runs().stream().map(change).toList()));
    }

    private RowGroup withChunk(RowGroup rowGroup, int column, UnaryOperator<Chunk> change)
            throws IOException
    {
        return withChunk(rowGroup, column, change, rowGroup.columnGroups().getFirst().dataBytes());
    }

    private RowGroup withChunk(RowGroup rowGroup, int column, UnaryOperator<Chunk> change, long dataBytes)
            throws IOException
    {
        return rewrite(rowGroup, dataBytes, (metadata, index) -> {
            List<Chunk> chunks = new ArrayList<>();
            for (int segment = 0; segment < metadata.segments(); segment++) {
                Chunk chunk = metadata.chunk(index, segment);
                chunks.add(segment == 0 && (index == column || metadata.layout() == AlbisLayout.ROW) ? change.apply(chunk) : chunk);
            }
            return chunks;
        }, TestCraftedMetadata::statistics);
    }

    private RowGroup withStatistics(RowGroup rowGroup, int column, byte[] min, byte[] max, long nulls)
            throws IOException
    {
        return rewrite(rowGroup, rowGroup.columnGroups().getFirst().dataBytes(), TestCraftedMetadata::chunks, (metadata, index) -> {
            List<ColumnStatistics> all = new ArrayList<>(statistics(metadata, index));
            if (index == column) {
                ColumnStatistics first = all.getFirst();
                all.set(0, new ColumnStatistics(first.columnId(), nulls, first.order(), Optional.of(min), Optional.of(max)));
            }
            return all;
        });
    }

    private static RowGroup withDataBytes(RowGroup rowGroup, long dataBytes)
    {
        ColumnGroupInstance instance = rowGroup.columnGroups().getFirst();
        return new RowGroup(rowGroup.id(), rowGroup.rows(), ImmutableList.of(new ColumnGroupInstance(instance.id(), instance.columnIds(), dataBytes, instance.metadataBytes())), rowGroup.statistics());
    }

    private interface Part<T>
    {
        List<T> get(ColumnGroupMetadata metadata, int index)
                throws IOException;
    }

    private static List<Chunk> chunks(ColumnGroupMetadata metadata, int index)
            throws IOException
    {
        List<Chunk> chunks = new ArrayList<>();
        for (int segment = 0; segment < metadata.segments(); segment++) {
            chunks.add(metadata.chunk(index, segment));
        }
        return chunks;
    }

    private static List<ColumnStatistics> statistics(ColumnGroupMetadata metadata, int index)
            throws IOException
    {
        List<ColumnStatistics> statistics = new ArrayList<>();
        for (int segment = 0; segment < metadata.segments(); segment++) {
            statistics.add(metadata.statistics(index, segment));
        }
        return statistics;
    }

    /**
     * Rewrites the metadata, starting from the original, with a valid checksum.
     */
    private RowGroup rewrite(RowGroup rowGroup, long dataBytes, Part<Chunk> chunks, Part<ColumnStatistics> statistics)
            throws IOException
    {
        ColumnGroupInstance instance = rowGroup.columnGroups().getFirst();
        Location original = FOLDER.appendPath("original-" + instance.id());
        Location location = rowGroup.metadataFile(FOLDER, instance);
        if (!fileSystem.newInputFile(original).exists()) {
            overwrite(original, bytes(location));
        }
        ColumnGroupMetadata metadata = MetadataCodec.decode(location, Optional.of(instance.id()), Slices.wrappedBuffer(bytes(original)));
        List<List<NodeChunks>> allChunks = new ArrayList<>();
        List<List<ColumnStatistics>> allStatistics = new ArrayList<>();
        List<Integer> segmentRows = new ArrayList<>();
        for (int rows : metadata.segmentRows()) {
            segmentRows.add(rows);
        }
        for (int column = 0; column < metadata.columns().size(); column++) {
            if (metadata.layout() == AlbisLayout.BLOCK || column == 0) {
                allChunks.add(chunks.get(metadata, column).stream().map(NodeChunks::of).toList());
            }
            allStatistics.add(statistics.get(metadata, column));
        }
        List<FileSection> sections = MetadataCodec.sections(metadata.layout(), metadata.columns(), allChunks, allStatistics, Collections.nCopies(allStatistics.size(), Optional.empty()), Collections.nCopies(allStatistics.size(), Optional.empty()), List.of());
        Slice file = MetadataCodec.encode(instance.id(), metadata.layout(), metadata.columns(), dataBytes, segmentRows, sections);
        overwrite(location, file.getBytes());
        ColumnGroupInstance crafted = new ColumnGroupInstance(instance.id(), instance.columnIds(), instance.dataBytes(), file.length());
        return new RowGroup(rowGroup.id(), rowGroup.rows(), ImmutableList.of(crafted), rowGroup.statistics());
    }
}
