package io.albis.format;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.Ints;
import com.sun.management.ThreadMXBean;
import io.airlift.slice.DynamicSliceOutput;
import io.airlift.slice.Slice;
import io.airlift.slice.SliceInput;
import io.airlift.slice.Slices;
import io.albis.format.io.AlbisDataException;
import io.albis.format.io.FileSection;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.ColumnGroupMetadata;
import io.albis.format.metadata.MetadataCodec;
import io.albis.format.metadata.RowGroup;
import io.albis.format.metadata.RowGroupCodec;
import io.albis.format.metadata.StatisticsDomains;
import io.albis.format.run.Chunk;
import io.albis.format.run.NodeChunks;
import io.albis.format.run.ChunkEncoding;
import io.albis.format.run.Run;
import io.albis.format.run.RunEncoding;
import io.albis.format.run.RunEncoding.Fixed;
import io.albis.format.run.StoredBytes;
import io.albis.format.scan.AlbisBatch;
import io.albis.format.scan.ReaderOptions;
import io.albis.format.scan.RowGroupReader;
import io.albis.format.scan.RowGroupScan;
import io.albis.format.scan.SegmentShare;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.format.write.RollingRowGroupWriter;
import io.albis.format.write.WriterOptions;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.TrinoInput;
import io.trino.filesystem.memory.MemoryFileSystemFactory;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.predicate.ValueSet;
import io.trino.spi.type.Type;
import io.trino.spi.type.TypeUtils;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

import static io.albis.format.io.AlbisDataException.Reason.DAMAGED;
import static io.albis.format.io.AlbisDataException.Reason.TOO_NEW;
import static io.albis.format.statistics.ValueOrder.UNORDERED;
import static io.trino.spi.security.ConnectorIdentity.ofUser;
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
{
    private static final Location FOLDER = Location.of("memory:///table");
    private static final int ROWS = 300;
    private static final AlbisColumn NUMBER = AlbisColumn.make(1, "number", BIGINT);
    private static final AlbisColumn PRICE = AlbisColumn.make(2, "price", createDecimalType(9, 2));
    private static final AlbisColumn TEXT = AlbisColumn.make(3, "text", VARCHAR);
    private static final AlbisColumn RATIO = AlbisColumn.make(4, "ratio", DOUBLE);
    private static final List<AlbisColumn> COLUMNS = ImmutableList.of(NUMBER, PRICE, TEXT, RATIO);
    private static final TupleDomain<AlbisColumn> PREDICATE = TupleDomain.withColumnDomains(ImmutableMap.of(
            NUMBER, Domain.create(ValueSet.ofRanges(Range.greaterThan(BIGINT, 0L)), false),
            PRICE, Domain.create(ValueSet.ofRanges(Range.lessThan(PRICE.type(), 250L)), true),
            TEXT, Domain.create(ValueSet.ofRanges(Range.greaterThan(VARCHAR, Slices.utf8Slice("b"))), false)));
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final long MAX_ALLOCATED = 64L << 20;

    private final TrinoFileSystem fileSystem = new MemoryFileSystemFactory().create(ofUser("test"));

    static List<Arguments> layoutsAndOtherTypes()
    {
        return Arrays.stream(AlbisLayout.values())
                .flatMap(layout -> Stream.of(createDecimalType(9, 4), createDecimalType(18, 2), BIGINT).map(type -> Arguments.of(layout, type)))
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

    @Test
    void testFixedValues()
            throws IOException
    {
        RowGroup rowGroup = write(AlbisLayout.BLOCK, WriterOptions.DEFAULTS.withNarrowWidths(false));
        for (Fixed parameters : new Fixed[] {
                // Values of the full width have no base, because rows and filters would add it in different ways.
                new Fixed(Long.BYTES, 7, 0),
                new Fixed(Long.BYTES, 0, 1),
                new Fixed(9, 0, 0),
                new Fixed(16, 0, 0),
                new Fixed(1, 0, 0),
                new Fixed(0, 0, 0),
                new Fixed(4, 0, ROWS),
                new Fixed(7, 0, 3),
        }) {
            assertDamaged(withRun(rowGroup, 0, run -> new Run(run.stored(), run.nulls(), parameters)), parameters.toString());
        }
        assertDamaged(withRun(rowGroup, 0, run -> new Run(run.stored(), ROWS + 1, run.encoding())), "more nulls than rows");
        assertDamaged(withRun(rowGroup, 0, run -> new Run(StoredBytes.plain(run.length() - 1, run.stored().checksums()), run.nulls(), run.encoding())), "a short run");
        assertDamaged(withChunk(rowGroup, 0, chunk -> new Chunk(new ChunkEncoding.Constant(new byte[3]), chunk.offset(), ImmutableList.of())), "a short constant");
    }

    @Test
    void testEncodingOfAnotherType()
            throws IOException
    {
        RowGroup rowGroup = write(AlbisLayout.BLOCK, WriterOptions.DEFAULTS.withDictionaries(false));
        for (int column = 0; column < COLUMNS.size(); column++) {
            boolean variable = column == 2;
            StoredBytes bytes = StoredBytes.plain(8, new int[1]);
            ChunkEncoding dictionary = variable ? new ChunkEncoding.Dictionary(2, false, new Fixed(4, 0, 0), bytes) : new ChunkEncoding.Dictionary(2, false, new RunEncoding.Bytes(1, 0), bytes);
            RunEncoding parameters = variable ? new Fixed(4, 0, 0) : new RunEncoding.Bytes(1, 0);
            for (Map.Entry<ChunkEncoding, RunEncoding> encoding : ImmutableMap.of(
                    dictionary, new RunEncoding.Ids(1, 0),
                    new ChunkEncoding.Bits(), new RunEncoding.Plain(),
                    new ChunkEncoding.Rows(), new RunEncoding.Plain(),
                    variable ? new ChunkEncoding.Fixed() : new ChunkEncoding.Bytes(), parameters).entrySet()) {
                assertDamaged(
                        withChunk(rowGroup, column, chunk -> new Chunk(encoding.getKey(), chunk.offset(), chunk.runs().stream().map(run -> new Run(run.stored(), run.nulls(), encoding.getValue())).toList())),
                        "column %s as %s".formatted(column, encoding.getKey()));
            }
        }
    }

    @Test
    void testDictionaryIds()
            throws IOException
    {
        RowGroup rowGroup = write(AlbisLayout.BLOCK, WriterOptions.DEFAULTS, row -> Slices.utf8Slice("text that repeats " + row % 5));
        for (RunEncoding ids : new RunEncoding[] {new RunEncoding.Ids(1, 2), new RunEncoding.Ids(1, 5), new RunEncoding.Ids(1, 6), new RunEncoding.Ids(1, 0xFFFF), new RunEncoding.Ids(2, 0), new RunEncoding.Ids(0, 0)}) {
            assertDamaged(withRun(rowGroup, 2, run -> new Run(run.stored(), run.nulls(), ids)), ids.toString());
        }
        for (int entries : new int[] {4, 6, 255, ChunkEncoding.Dictionary.MAX_ENTRIES}) {
            assertDamaged(withChunk(rowGroup, 2, chunk -> {
                ChunkEncoding.Dictionary dictionary = (ChunkEncoding.Dictionary) chunk.encoding();
                return new Chunk(new ChunkEncoding.Dictionary(entries, dictionary.sorted(), dictionary.values(), dictionary.stored()), chunk.offset(), chunk.runs());
            }), entries + " entries");
        }
    }

    @ParameterizedTest
    @EnumSource
    void testUnknownCodes(AlbisLayout layout)
            throws IOException
    {
        RowGroup rowGroup = write(layout, WriterOptions.DEFAULTS);
        ColumnGroupInstance instance = rowGroup.columnGroups().getFirst();
        byte[] original = bytes(rowGroup.metadataFile(FOLDER, instance));
        ColumnGroupMetadata metadata = metadata(rowGroup, original);
        int storageType = 32 + 8 + 1 + 4 + 4;
        byte[] text = {(byte) 'x'};
        for (int feature = 0; feature < Long.SIZE; feature++) {
            byte[] file = original.clone();
            file[32 + feature / 8] |= (byte) (1 << feature % 8);
            assertTooNew(rowGroup, file, "features");
        }
        assertTooNew(rowGroup, with(original, 32 + 8, 2), "layout 2");
        assertTooNew(rowGroup, with(original, storageType, 10), "storage type 10");
        List<FileSection> sections = sections(original);
        FileSection chunks = sections.getFirst();
        for (int kind : new int[] {0, 3, 17, 0x7FFF}) {
            assertTooNew(rowGroup, withSections(instance, metadata, with(sections, new FileSection(kind, 0, Slices.wrappedBuffer(text)))), "section " + kind);
        }
        // the first byte of a chunk is its encoding, and the first byte of its runs, after the offset, their compression
        for (int offset : new int[] {0, 1 + Long.BYTES}) {
            byte[] content = chunks.content().getBytes();
            content[offset] = 100;
            List<FileSection> changed = new ArrayList<>(sections);
            changed.set(0, new FileSection(chunks.kind(), chunks.column(), Slices.wrappedBuffer(content)));
            assertTooNew(rowGroup, withSections(instance, metadata, changed), offset == 0 ? "encoding 100" : "compression 100");
        }
    }

    @ParameterizedTest
    @EnumSource
    void testSections(AlbisLayout layout)
            throws IOException
    {
        RowGroup rowGroup = write(layout, WriterOptions.DEFAULTS);
        ColumnGroupInstance instance = rowGroup.columnGroups().getFirst();
        byte[] original = bytes(rowGroup.metadataFile(FOLDER, instance));
        ColumnGroupMetadata metadata = metadata(rowGroup, original);
        List<FileSection> sections = sections(original);
        Slice content = Slices.wrappedBuffer(new byte[] {1, 2, 3});
        // sections that may be ignored, of any column, before and after the others
        for (int kind : new int[] {0x8000, 0x8010, 0x801F, 0xFFFF}) {
            for (int column : new int[] {-1, 0, 3, 1000}) {
                FileSection ignorable = new FileSection(kind, column, content);
                List<FileSection> first = new ArrayList<>(sections);
                first.addFirst(ignorable);
                for (List<FileSection> added : ImmutableList.of(first, with(sections, ignorable))) {
                    assertThat(catchThrowable(() -> readAll(withMetadata(rowGroup, withSections(instance, metadata, added))))).isNull();
                }
            }
        }
        for (int section = 0; section < sections.size(); section++) {
            List<FileSection> without = new ArrayList<>(sections);
            FileSection removed = without.remove(section);
            assertDamaged(withMetadata(rowGroup, withSections(instance, metadata, without)), "without section " + removed);
            assertDamaged(withMetadata(rowGroup, withSections(instance, metadata, with(sections, removed))), "twice section " + removed);
            assertDamaged(withMetadata(rowGroup, withSections(instance, metadata, with(without, new FileSection(removed.kind(), 1000, removed.content())))), "column 1000");
        }
    }

    private static List<FileSection> with(List<FileSection> sections, FileSection added)
    {
        return ImmutableList.<FileSection>builder().addAll(sections).add(added).build();
    }

    private static byte[] with(byte[] bytes, int index, int value)
    {
        byte[] changed = bytes.clone();
        changed[index] = (byte) value;
        return changed;
    }

    private static ColumnGroupMetadata metadata(RowGroup rowGroup, byte[] file)
            throws IOException
    {
        ColumnGroupInstance instance = rowGroup.columnGroups().getFirst();
        return MetadataCodec.decode(rowGroup.metadataFile(FOLDER, instance), Optional.of(instance.id()), Slices.wrappedBuffer(file));
    }

    /**
     * Returns the sections of a file with the columns and one segment of this test.
     */
    private static List<FileSection> sections(byte[] file)
    {
        Slice body = Slices.wrappedBuffer(file, 32, file.length - 36);
        SliceInput input = body.getInput();
        input.skip(8 + 1 + 4);
        for (int column = 0; column < COLUMNS.size(); column++) {
            input.skip(5);
            input.skip(input.readUnsignedShort());
        }
        input.skip(8);
        input.skip(4L * input.readInt());
        return FileSection.read(body, input);
    }

    private static byte[] withSections(ColumnGroupInstance instance, ColumnGroupMetadata metadata, List<FileSection> sections)
    {
        return MetadataCodec.encode(instance.id(), metadata.layout(), metadata.columns(), metadata.dataBytes(), Ints.asList(metadata.segmentRows()), sections).getBytes();
    }

    private RowGroup withMetadata(RowGroup rowGroup, byte[] file)
            throws IOException
    {
        ColumnGroupInstance instance = rowGroup.columnGroups().getFirst();
        overwrite(rowGroup.metadataFile(FOLDER, instance), withChecksum(file));
        return new RowGroup(rowGroup.id(), rowGroup.rows(), ImmutableList.of(new ColumnGroupInstance(instance.id(), instance.columnIds(), instance.dataBytes(), file.length)), rowGroup.statistics());
    }

    private void assertTooNew(RowGroup rowGroup, byte[] file, String message)
            throws IOException
    {
        RowGroup crafted = withMetadata(rowGroup, file);
        Throwable failure = catchThrowable(() -> readAll(crafted));
        assertThat(failure).as(message).isInstanceOf(AlbisDataException.class).hasMessageContaining(message).hasMessageContaining("upgrade the Albis plugin").hasMessageContaining(rowGroup.id().toString());
        assertThat(((AlbisDataException) failure).reason()).as(message).isEqualTo(TOO_NEW);
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

    @ParameterizedTest
    @EnumSource
    void testRandomBytes(AlbisLayout layout)
            throws IOException
    {
        fuzz(layout, 1500);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("slow")
    void testManyRandomBytes(AlbisLayout layout)
            throws IOException
    {
        fuzz(layout, 100_000);
    }

    private void fuzz(AlbisLayout layout, int rounds)
            throws IOException
    {
        RowGroup rowGroup = write(layout, WriterOptions.DEFAULTS.withSegmentBytes(2 * WriterOptions.MIN_SEGMENT_BYTES));
        ColumnGroupInstance instance = rowGroup.columnGroups().getFirst();
        Location metadataFile = rowGroup.metadataFile(FOLDER, instance);
        byte[] metadata = bytes(metadataFile);
        DynamicSliceOutput output = new DynamicSliceOutput(100);
        RowGroupCodec.write(rowGroup, output);
        byte[] entry = output.slice().getBytes();
        long seed = new Random().nextLong();
        for (int round = 0; round < rounds; round++) {
            String description = "%s, seed %s".formatted(layout, seed + round);
            Random random = new Random(seed + round);
            boolean inEntry = random.nextInt(4) == 0;
            RowGroup crafted = rowGroup;
            if (inEntry) {
                byte[] bytes = entry.clone();
                damage(random, bytes, 0, bytes.length);
                try {
                    crafted = RowGroupCodec.read(Slices.wrappedBuffer(bytes).getInput());
                }
                catch (IllegalArgumentException | IndexOutOfBoundsException _) {
                    // the exceptions that callers expect
                    continue;
                }
            }
            else {
                byte[] bytes = metadata.clone();
                damage(random, bytes, 32, bytes.length - 4);
                overwrite(metadataFile, withChecksum(bytes));
            }
            RowGroup read = crafted;
            assertLittleMemory(description, () -> {
                Throwable failure = catchThrowable(() -> {
                    if (inEntry) {
                        StatisticsDomains.overlaps(read, PREDICATE);
                    }
                    readAll(read);
                });
                if (failure instanceof UncheckedIOException unchecked && inEntry) {
                    failure = unchecked.getCause();
                }
                if (failure != null) {
                    assertThat(failure).as(description).isInstanceOf(AlbisDataException.class);
                }
            });
            overwrite(metadataFile, metadata);
        }
    }

    private static void damage(Random random, byte[] bytes, int begin, int end)
    {
        int changes = 1 + random.nextInt(3);
        for (int i = 0; i < changes; i++) {
            int index = begin + random.nextInt(end - begin);
            switch (random.nextInt(4)) {
                case 0 -> bytes[index] ^= (byte) (1 << random.nextInt(8));
                case 1 -> bytes[index] = (byte) random.nextInt(256);
                case 2 -> bytes[index] = (byte) (random.nextBoolean() ? 0xFF : 0x7F);
                default -> {
                    // a whole number
                    int size = Math.min(1 << random.nextInt(4), end - index);
                    for (int j = 0; j < size; j++) {
                        bytes[index + j] = (byte) (j == size - 1 ? 0x7F : 0xFF);
                    }
                }
            }
        }
    }

    private interface Action
    {
        void run()
                throws IOException;
    }

    private static void assertLittleMemory(String description, Action action)
            throws IOException
    {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        action.run();
        assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).as(description).isLessThan(MAX_ALLOCATED);
    }

    private static byte[] longBytes(long value)
    {
        return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
    }

    private RowGroup write(AlbisLayout layout, WriterOptions options)
            throws IOException
    {
        return write(layout, options, row -> Slices.utf8Slice("text " + row));
    }

    private RowGroup write(AlbisLayout layout, WriterOptions options, LongFunction<Slice> text)
            throws IOException
    {
        return write(AlbisSchema.makeSchema(AlbisColumnGroup.make(layout, COLUMNS)), options, text);
    }

    private RowGroup write(AlbisSchema schema, WriterOptions options)
            throws IOException
    {
        return write(schema, options, row -> Slices.utf8Slice("text " + row));
    }

    private RowGroup write(AlbisSchema schema, WriterOptions options, LongFunction<Slice> text)
            throws IOException
    {
        RollingRowGroupWriter writer = new RollingRowGroupWriter(fileSystem, FOLDER, schema.rowGroupSchema(), options);
        Block[] blocks = new Block[schema.columns().size()];
        for (int channel = 0; channel < blocks.length; channel++) {
            AlbisColumn column = schema.columns().get(channel);
            BlockBuilder builder = column.type().createBlockBuilder(null, ROWS);
            for (long row = 0; row < ROWS; row++) {
                if (row % 7 == 3) {
                    builder.appendNull();
                    continue;
                }
                TypeUtils.writeNativeValue(column.type(), builder, switch (column.id()) {
                    case 3 -> text.apply(row);
                    case 4 -> (double) row;
                    default -> row;
                });
            }
            blocks[channel] = builder.build();
        }
        writer.append(new Page(blocks));
        return writer.finish().getFirst();
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
        Slice file = MetadataCodec.encode(instance.id(), metadata.layout(), metadata.columns(), dataBytes, segmentRows, allChunks, allStatistics);
        overwrite(location, file.getBytes());
        ColumnGroupInstance crafted = new ColumnGroupInstance(instance.id(), instance.columnIds(), instance.dataBytes(), file.length());
        return new RowGroup(rowGroup.id(), rowGroup.rows(), ImmutableList.of(crafted), rowGroup.statistics());
    }

    private AbstractThrowableAssert<?, ? extends Throwable> assertDamaged(RowGroup rowGroup, String description)
    {
        return assertDamaged(rowGroup, RowGroupScan.of(COLUMNS, PREDICATE), description);
    }

    private AbstractThrowableAssert<?, ? extends Throwable> assertDamaged(RowGroup rowGroup, RowGroupScan scan, String description)
    {
        return assertDamaged(rowGroup, scan, description, () -> {});
    }

    private AbstractThrowableAssert<?, ? extends Throwable> assertDamaged(RowGroup rowGroup, RowGroupScan scan, String description, Action afterFirst)
    {
        Throwable failure = catchThrowable(() -> readAll(rowGroup, scan, afterFirst));
        assertThat(failure).as(description).isInstanceOf(AlbisDataException.class);
        assertThat(((AlbisDataException) failure).reason()).as(description).isEqualTo(DAMAGED);
        return assertThat(failure).as(description).hasMessageContaining(rowGroup.id().toString());
    }

    private void readAll(RowGroup rowGroup)
            throws IOException
    {
        readAll(rowGroup, RowGroupScan.of(COLUMNS, PREDICATE), () -> {});
    }

    private void readAll(RowGroup rowGroup, RowGroupScan scan, Action afterFirst)
            throws IOException
    {
        try (RowGroupReader reader = RowGroupReader.open(fileSystem, FOLDER, rowGroup, scan, ReaderOptions.DEFAULTS)) {
            boolean first = true;
            for (AlbisBatch batch = reader.next(); batch != null; batch = reader.next()) {
                for (int channel = 0; channel < scan.columns().size(); channel++) {
                    assertThat(batch.block(channel).getPositionCount()).isEqualTo(batch.positionCount());
                }
                if (first) {
                    afterFirst.run();
                }
                first = false;
            }
        }
    }

    private static byte[] withChecksum(byte[] file)
    {
        CRC32C checksum = new CRC32C();
        checksum.update(file, 0, file.length - Integer.BYTES);
        ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).putInt(file.length - Integer.BYTES, (int) checksum.getValue());
        return file;
    }

    private byte[] bytes(Location location)
            throws IOException
    {
        try (TrinoInput input = fileSystem.newInputFile(location).newInput()) {
            return input.readFully(0, (int) fileSystem.newInputFile(location).length()).getBytes();
        }
    }

    private void overwrite(Location location, byte[] bytes)
            throws IOException
    {
        fileSystem.newOutputFile(location).createOrOverwrite(bytes.clone());
    }
}
