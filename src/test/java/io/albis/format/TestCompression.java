package io.albis.format;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.Ints;
import com.sun.management.ThreadMXBean;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.albis.filesystem.FileBytes;
import io.albis.format.io.AlbisDataException;
import io.albis.format.io.PageChecksum;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.ColumnGroupMetadata;
import io.albis.format.metadata.MetadataCodec;
import io.albis.format.metadata.RowGroup;
import io.albis.format.run.Chunk;
import io.albis.format.run.ChunkEncoding.Dictionary;
import io.albis.format.run.Compression;
import io.albis.format.run.NarrowValues;
import io.albis.format.run.NodeChunks;
import io.albis.format.run.Run;
import io.albis.format.run.StoredBytes;
import io.albis.format.scan.AlbisBatch;
import io.albis.format.scan.ReaderOptions;
import io.albis.format.scan.RowGroupReader;
import io.albis.format.scan.RowGroupScan;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.format.write.RollingRowGroupWriter;
import io.albis.format.write.WriterOptions;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystemFactory;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.block.VariableWidthBlock;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.type.TypeUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;

import static io.albis.format.io.AlbisDataException.Reason.DAMAGED;
import static io.trino.spi.predicate.TupleDomain.withColumnDomains;
import static io.trino.spi.security.ConnectorIdentity.ofUser;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.BooleanType.BOOLEAN;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.util.Collections.nCopies;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Runs and dictionaries in compressed form: only those that are needed are decompressed, and compressed bytes or
 * lengths that are invalid in spite of correct checksums cause an error that names the place.
 */
@ParameterizedClass
@MethodSource("parameters")
final class TestCompression
{
    private static final Location FOLDER = Location.of("memory:///table");
    // three runs
    private static final int ROWS = 2 * Run.MAX_ROWS + 1000;
    private static final AlbisColumn NUMBER = AlbisColumn.make(1, "number", BIGINT);
    private static final AlbisColumn TEXT = AlbisColumn.make(2, "text", VARCHAR);
    private static final AlbisColumn WORD = AlbisColumn.make(3, "word", VARCHAR);
    private static final AlbisColumn FLAG = AlbisColumn.make(4, "flag", BOOLEAN);
    private static final AlbisColumn RANDOM = AlbisColumn.make(5, "random", BIGINT);
    private static final List<AlbisColumn> COLUMNS = ImmutableList.of(NUMBER, TEXT, WORD, FLAG, RANDOM);
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final AlbisLayout layout;
    private final Compression compression;
    private final TrinoFileSystem fileSystem = new MemoryFileSystemFactory().create(ofUser("test"));

    TestCompression(AlbisLayout layout, Compression compression)
    {
        this.layout = layout;
        this.compression = compression;
    }

    static List<Arguments> parameters()
    {
        return Arrays.stream(AlbisLayout.values())
                .flatMap(layout -> ImmutableList.of(Compression.LZ4, Compression.ZSTD).stream().map(compression -> Arguments.of(layout, compression)))
                .toList();
    }

    @Test
    void testSmallerFiles()
            throws IOException
    {
        Page page = page();
        RowGroup plain = write(page, Compression.NONE);
        RowGroup compressed = write(page, compression);
        assertThat(compressed.bytes()).isLessThan(plain.bytes() * 7 / 8);
        assertThat(read(plain, TupleDomain.all())).isEqualTo(rows(page));
        assertThat(read(compressed, TupleDomain.all())).isEqualTo(rows(page));
        assertThat(chunks(compressed).stream().flatMap(chunk -> chunk.runs().stream()).map(run -> run.stored().compression()))
                .contains(compression);
        if (layout == AlbisLayout.BLOCK) {
            // text, a dictionary, and its runs; random numbers stay as they are
            assertThat(chunks(compressed).get(1).runs()).allMatch(run -> run.stored().compression() == compression);
            assertThat(((Dictionary) chunks(compressed).get(2).encoding()).stored().compression()).isEqualTo(compression);
            assertThat(chunks(compressed).get(4).runs()).allMatch(run -> run.stored().compression() == Compression.NONE);
            assertThat(chunks(compressed).get(4).length()).isEqualTo(chunks(plain).get(4).length());
        }
    }

    @Test
    void testOnlyNeededRunsAreDecompressed()
            throws IOException
    {
        Page page = page();
        RowGroup rowGroup = write(page, compression);
        for (int damaged = 0; damaged < 3; damaged++) {
            int run = damaged;
            RowGroup other = withDamagedRun(rowGroup, run);
            for (int wanted = 0; wanted < 3; wanted++) {
                // in the row layout, the column of the predicate is in the same run, so all runs are needed
                TupleDomain<AlbisColumn> predicate = withColumnDomains(ImmutableMap.of(FLAG, Domain.singleValue(BOOLEAN, true), NUMBER, Domain.singleValue(BIGINT, (long) wanted * Run.MAX_ROWS)));
                Throwable failure = catchThrowable(() -> read(other, predicate));
                if (layout == AlbisLayout.BLOCK && wanted != run) {
                    assertThat(failure).as("run %s is damaged, run %s is wanted", run, wanted).isNull();
                }
                else {
                    assertDamaged(failure, "run " + run);
                }
            }
            assertDamaged(catchThrowable(() -> read(other, TupleDomain.all())), "run " + run);
        }
    }

    @Test
    void testTextHasNoSecondCopy()
            throws IOException
    {
        Page page = page();
        RowGroup rowGroup = write(page, compression);
        try (RowGroupReader reader = RowGroupReader.open(fileSystem, FOLDER, rowGroup, RowGroupScan.of(ImmutableList.of(TEXT), TupleDomain.all()), ReaderOptions.DEFAULTS)) {
            reader.next().block(0);
            long before = THREADS.getCurrentThreadAllocatedBytes();
            VariableWidthBlock block = (VariableWidthBlock) reader.next().block(0);
            long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
            assertThat(block.getPositionCount()).isEqualTo(Run.MAX_ROWS);
            if (layout == AlbisLayout.BLOCK) {
                assertThat(allocated).isLessThan(block.getRawSlice().length() * 3L / 2);
                assertThat(block.getRawSlice().byteArray()).hasSize(chunks(rowGroup).get(1).runs().get(1).length() + NarrowValues.SLACK);
            }
        }
    }

    @Test
    void testMemory()
            throws IOException
    {
        Page page = page();
        RowGroup rowGroup = write(page, compression);
        // the text is filtered without blocks that retain it, so the reader has it in its own buffers
        TupleDomain<AlbisColumn> predicate = withColumnDomains(ImmutableMap.of(TEXT, Domain.singleValue(VARCHAR, text(1))));
        Run run = chunks(rowGroup).get(layout == AlbisLayout.BLOCK ? 1 : 0).runs().getFirst();
        assertThat(run.stored().compression()).isEqualTo(compression);
        try (RowGroupReader reader = RowGroupReader.open(fileSystem, FOLDER, rowGroup, RowGroupScan.of(ImmutableList.of(RANDOM), predicate), ReaderOptions.DEFAULTS)) {
            AlbisBatch batch = reader.next();
            assertThat(batch.positionCount()).isPositive();
            batch.block(0);
            assertThat(reader.memoryUsage()).isGreaterThan(run.length() + run.stored().length());
        }
    }

    @Test
    void testDamagedBytes()
            throws IOException
    {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        RowGroup rowGroup = write(page(), compression);
        int damaged = 0;
        for (int round = 0; round < 30; round++) {
            int run = random.nextInt(3);
            RowGroup other = rewrite(rowGroup, chunk -> chunk, (file, begin, length, _, part) -> {
                if (part == run) {
                    file[begin + random.nextInt(length)] ^= (byte) (1 << random.nextInt(8));
                }
            });
            // a changed byte can be a byte of a value, which only the checksum protects
            Throwable failure = catchThrowable(() -> read(other, TupleDomain.all()));
            if (failure != null) {
                damaged++;
                assertThat(failure).as("seed %s", seed).isInstanceOf(AlbisDataException.class).hasMessageContaining("segment 0");
                assertThat(((AlbisDataException) failure).reason()).as("seed %s", seed).isEqualTo(DAMAGED);
            }
        }
        assertThat(damaged).as("seed %s", seed).isPositive();
    }

    @Test
    void testLengths()
            throws IOException
    {
        RowGroup rowGroup = write(page(), compression);
        for (int length : new int[] {-1, 1, 100, 1000}) {
            RowGroup other = withDecodedLengths(rowGroup, stored -> stored.decodedLength() + length);
            assertDamaged(catchThrowable(() -> read(other, TupleDomain.all())), rowGroup.id().toString());
        }
        for (int length : new int[] {0, 1}) {
            RowGroup other = withDecodedLengths(rowGroup, _ -> length);
            assertDamaged(catchThrowable(() -> read(other, TupleDomain.all())), "metadata");
        }
        // no memory is allocated for a length that the rows cannot have, or that is too much for the stored bytes
        for (int length : new int[] {1 << 28, 1 << 30, Integer.MAX_VALUE - 8}) {
            RowGroup other = withDecodedLengths(rowGroup, _ -> length);
            long before = THREADS.getCurrentThreadAllocatedBytes();
            assertDamaged(catchThrowable(() -> read(other, TupleDomain.all())), "metadata");
            assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(1 << 25);
        }
    }

    @Test
    void testAnotherCompression()
            throws IOException
    {
        Compression another = compression == Compression.LZ4 ? Compression.ZSTD : Compression.LZ4;
        RowGroup rowGroup = write(page(), compression);
        RowGroup other = rewrite(rowGroup, chunk -> mapStored(chunk, stored -> new StoredBytes(another, stored.length(), stored.decodedLength(), stored.checksums())), (_, _, _, _, _) -> {});
        assertDamaged(catchThrowable(() -> read(other, TupleDomain.all())), another.toString());
    }

    private RowGroup withDecodedLengths(RowGroup rowGroup, ToIntFunction<StoredBytes> length)
            throws IOException
    {
        return rewrite(rowGroup, chunk -> mapStored(chunk, stored -> new StoredBytes(stored.compression(), stored.length(), length.applyAsInt(stored), stored.checksums())), (_, _, _, _, _) -> {});
    }

    private RowGroup withDamagedRun(RowGroup rowGroup, int run)
            throws IOException
    {
        return rewrite(rowGroup, chunk -> chunk, (file, begin, length, column, part) -> {
            if (part == run && (layout == AlbisLayout.ROW || column == COLUMNS.indexOf(TEXT))) {
                Arrays.fill(file, begin, begin + length, (byte) 0xFF);
            }
        });
    }

    private interface Change
    {
        /**
         * Changes the compressed bytes of a run.
         */
        void apply(byte[] file, int begin, int length, int column, int run);
    }

    /**
     * Rewrites both files with correct checksums.
     */
    private RowGroup rewrite(RowGroup rowGroup, UnaryOperator<Chunk> metadataChange, Change change)
            throws IOException
    {
        ColumnGroupInstance instance = rowGroup.columnGroups().getFirst();
        Location dataFile = rowGroup.dataFile(FOLDER, instance);
        byte[] file = bytes(dataFile);
        ColumnGroupMetadata metadata = metadata(rowGroup);
        List<List<NodeChunks>> chunks = new ArrayList<>();
        List<List<ColumnStatistics>> statistics = new ArrayList<>();
        for (int column = 0; column < COLUMNS.size(); column++) {
            statistics.add(ImmutableList.of(metadata.statistics(column, 0)));
            if (layout == AlbisLayout.BLOCK || column == 0) {
                Chunk chunk = metadata.chunk(column, 0);
                chunks.add(ImmutableList.of(NodeChunks.of(metadataChange.apply(change(chunk, column, file, instance, change)))));
            }
        }
        Slice changed = MetadataCodec.encode(instance.id(), layout, metadata.columns(), metadata.dataBytes(), Ints.asList(metadata.segmentRows()), MetadataCodec.sections(layout, metadata.columns(), chunks, statistics, nCopies(COLUMNS.size(), Optional.empty())));
        overwrite(rowGroup.metadataFile(FOLDER, instance), changed.getBytes());
        overwrite(dataFile, file);
        ColumnGroupInstance crafted = new ColumnGroupInstance(instance.id(), instance.columnIds(), instance.dataBytes(), changed.length());
        return new RowGroup(rowGroup.id(), rowGroup.rows(), ImmutableList.of(crafted), rowGroup.statistics());
    }

    private static Chunk change(Chunk chunk, int column, byte[] file, ColumnGroupInstance instance, Change change)
    {
        PageChecksum checksum = new PageChecksum(instance.id());
        long offset = chunk.offset() + chunk.dictionaryLength();
        ImmutableList.Builder<Run> runs = ImmutableList.builder();
        for (int run = 0; run < chunk.runs().size(); run++) {
            Run original = chunk.runs().get(run);
            StoredBytes stored = original.stored();
            if (stored.compression() != Compression.NONE) {
                change.apply(file, (int) offset, stored.length(), column, run);
            }
            int[] checksums = new int[stored.checksums().length];
            for (int page = 0; page < checksums.length; page++) {
                int position = (int) offset + page * PageChecksum.PAGE_SIZE;
                checksums[page] = checksum.of(position, file, position, PageChecksum.pageLength(stored.paddedLength(), page));
            }
            runs.add(new Run(new StoredBytes(stored.compression(), stored.length(), stored.decodedLength(), checksums), original.nulls(), original.encoding()));
            offset += stored.paddedLength();
        }
        return new Chunk(chunk.encoding(), chunk.offset(), runs.build());
    }

    /**
     * Changes the description of all compressed parts.
     */
    private static Chunk mapStored(Chunk chunk, UnaryOperator<StoredBytes> change)
    {
        UnaryOperator<StoredBytes> onlyCompressed = stored -> stored.compression() == Compression.NONE ? stored : change.apply(stored);
        return new Chunk(
                chunk.encoding() instanceof Dictionary dictionary ? new Dictionary(dictionary.entries(), dictionary.sorted(), dictionary.values(), onlyCompressed.apply(dictionary.stored())) : chunk.encoding(),
                chunk.offset(),
                chunk.runs().stream()
                        .map(run -> new Run(onlyCompressed.apply(run.stored()), run.nulls(), run.encoding()))
                        .toList());
    }

    private static void assertDamaged(Throwable failure, String message)
    {
        assertThat(failure).isInstanceOf(AlbisDataException.class).hasMessageContaining(message);
        assertThat(((AlbisDataException) failure).reason()).isEqualTo(DAMAGED);
    }

    private Page page()
    {
        Random random = new Random(5);
        BlockBuilder[] builders = COLUMNS.stream()
                .map(column -> column.type().createBlockBuilder(null, ROWS))
                .toArray(BlockBuilder[]::new);
        for (int row = 0; row < ROWS; row++) {
            BIGINT.writeLong(builders[0], row);
            VARCHAR.writeSlice(builders[1], text(row));
            VARCHAR.writeSlice(builders[2], Slices.utf8Slice("one of three hundred words: " + random.nextInt(300)));
            BOOLEAN.writeBoolean(builders[3], true);
            BIGINT.writeLong(builders[4], random.nextLong());
        }
        return new Page(Arrays.stream(builders).map(BlockBuilder::build).toArray(Block[]::new));
    }

    private static Slice text(int row)
    {
        return Slices.utf8Slice("the text of row %s says nothing".formatted(row));
    }

    private RowGroup write(Page page, Compression compression)
            throws IOException
    {
        WriterOptions options = WriterOptions.DEFAULTS.withSegmentBytes(1 << 24).withCompression(compression);
        RollingRowGroupWriter writer = new RollingRowGroupWriter(fileSystem, FOLDER, AlbisSchema.makeSchema(AlbisColumnGroup.make(layout, COLUMNS)).rowGroupSchema(), options);
        writer.append(page);
        return writer.finish().getFirst();
    }

    private ColumnGroupMetadata metadata(RowGroup rowGroup)
            throws IOException
    {
        ColumnGroupInstance instance = rowGroup.columnGroups().getFirst();
        Location location = rowGroup.metadataFile(FOLDER, instance);
        return MetadataCodec.decode(location, Optional.of(instance.id()), Slices.wrappedBuffer(bytes(location)));
    }

    private List<Chunk> chunks(RowGroup rowGroup)
            throws IOException
    {
        ColumnGroupMetadata metadata = metadata(rowGroup);
        assertThat(metadata.segments()).isEqualTo(1);
        ImmutableList.Builder<Chunk> chunks = ImmutableList.builder();
        for (int column = 0; column < COLUMNS.size(); column++) {
            chunks.add(metadata.chunk(column, 0));
        }
        return chunks.build();
    }

    private List<List<Object>> read(RowGroup rowGroup, TupleDomain<AlbisColumn> predicate)
            throws IOException
    {
        List<List<Object>> rows = new ArrayList<>();
        try (RowGroupReader reader = RowGroupReader.open(fileSystem, FOLDER, rowGroup, RowGroupScan.of(COLUMNS, predicate), ReaderOptions.DEFAULTS)) {
            for (AlbisBatch batch = reader.next(); batch != null; batch = reader.next()) {
                Block[] blocks = new Block[COLUMNS.size()];
                for (int channel = 0; channel < blocks.length; channel++) {
                    blocks[channel] = batch.block(channel);
                }
                rows.addAll(rows(new Page(batch.positionCount(), blocks)));
            }
        }
        return rows;
    }

    private static List<List<Object>> rows(Page page)
    {
        List<List<Object>> rows = new ArrayList<>();
        for (int position = 0; position < page.getPositionCount(); position++) {
            List<Object> row = new ArrayList<>();
            for (int channel = 0; channel < COLUMNS.size(); channel++) {
                row.add(TypeUtils.readNativeValue(COLUMNS.get(channel).type(), page.getBlock(channel), position));
            }
            rows.add(row);
        }
        return rows;
    }

    private byte[] bytes(Location location)
            throws IOException
    {
        Location original = original(location);
        return FileBytes.read(fileSystem, fileSystem.newInputFile(original).exists() ? original : location);
    }

    /**
     * Replaces a file and keeps the original, so that each change starts from it.
     */
    private void overwrite(Location location, byte[] bytes)
            throws IOException
    {
        Location original = original(location);
        if (!fileSystem.newInputFile(original).exists()) {
            fileSystem.newOutputFile(original).createOrOverwrite(bytes(location));
        }
        fileSystem.newOutputFile(location).createOrOverwrite(bytes);
    }

    private static Location original(Location location)
    {
        return Location.of(location + ".original");
    }
}
