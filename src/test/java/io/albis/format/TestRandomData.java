package io.albis.format;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.Ints;
import io.airlift.slice.Slices;
import io.albis.format.io.AlbisDataException;
import io.albis.format.io.PageChecksum;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.ColumnGroupMetadata;
import io.albis.format.metadata.MetadataCodec;
import io.albis.format.metadata.RowGroup;
import io.albis.format.run.Chunk;
import io.albis.format.run.ChunkEncoding;
import io.albis.format.run.NodeChunks;
import io.albis.format.run.Run;
import io.albis.format.run.StoredBytes;
import io.albis.format.scan.RowGroupScan;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.format.write.RollingRowGroupWriter;
import io.albis.format.write.WriterOptions;
import io.trino.filesystem.Location;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.type.Int128;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;

import static com.google.common.collect.Iterables.getOnlyElement;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.BooleanType.BOOLEAN;
import static io.trino.spi.type.DecimalType.createDecimalType;
import static io.trino.spi.type.TypeUtils.writeNativeValue;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Values with correct checksums but invalid content cause a descriptive error or another value, never another
 * exception.
 */
final class TestRandomData
        extends BaseCraftedMetadataTest
{
    private static final int DATA_ROWS = 3000;
    private static final AlbisColumn OUTLIERS = AlbisColumn.make(1, "outliers", BIGINT);
    private static final AlbisColumn BITS = AlbisColumn.make(2, "bits", BOOLEAN);
    private static final AlbisColumn ANCHORS = AlbisColumn.make(3, "anchors", VARCHAR);
    private static final AlbisColumn WORDS = AlbisColumn.make(4, "words", VARCHAR);
    private static final AlbisColumn CODES = AlbisColumn.make(5, "codes", createDecimalType(38));
    private static final List<AlbisColumn> DATA_COLUMNS = ImmutableList.of(OUTLIERS, BITS, ANCHORS, WORDS, CODES);

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
        fuzz(layout, 50_000);
    }

    private void fuzz(AlbisLayout layout, int rounds)
            throws IOException
    {
        RowGroup rowGroup = write(layout);
        ColumnGroupInstance instance = getOnlyElement(rowGroup.columnGroups());
        Location dataFile = rowGroup.dataFile(FOLDER, instance);
        Location metadataFile = rowGroup.metadataFile(FOLDER, instance);
        byte[] data = bytes(dataFile);
        ColumnGroupMetadata metadata = MetadataCodec.decode(metadataFile, Optional.of(instance.id()), Slices.wrappedBuffer(bytes(metadataFile)));
        checkEncodings(metadata);
        Random seeds = new Random();
        int failures = 0;
        for (int round = 0; round < rounds; round++) {
            long seed = seeds.nextLong();
            String description = "%s, seed %s".formatted(layout, seed);
            Random random = new Random(seed);
            byte[] damaged = data.clone();
            Chunk chunk = metadata.chunk(layout == AlbisLayout.ROW ? 0 : random.nextInt(DATA_COLUMNS.size()), 0);
            for (int i = 0; i < 1 + random.nextInt(3); i++) {
                int offset = (int) chunk.offset() + random.nextInt((int) chunk.length());
                damaged[offset] = switch (random.nextInt(3)) {
                    case 0 -> (byte) (damaged[offset] ^ 1 << random.nextInt(8));
                    case 1 -> (byte) random.nextInt(256);
                    default -> (byte) (random.nextBoolean() ? 0xFF : 0x7F);
                };
            }
            overwrite(dataFile, damaged);
            RowGroup crafted = withChecksums(rowGroup, metadata, damaged);
            TupleDomain<AlbisColumn> predicate = random.nextBoolean() ? TupleDomain.all() : randomPredicate(random);
            assertLittleMemory(description, () -> {
                Throwable failure = catchThrowable(() -> readAll(crafted, RowGroupScan.of(DATA_COLUMNS, predicate), () -> {}));
                if (failure != null) {
                    assertThat(failure).as(description).isInstanceOf(AlbisDataException.class).hasMessageNotContaining("checksum");
                }
            });
            failures += catchThrowable(() -> readAll(crafted, RowGroupScan.of(DATA_COLUMNS, TupleDomain.all()), () -> {})) == null ? 0 : 1;
        }
        // the damage is not only to values
        assertThat(failures).isBetween(1, rounds - 1);
    }

    /**
     * A filter that selects a few rows, so that they are not decoded as a whole.
     */
    private static TupleDomain<AlbisColumn> randomPredicate(Random random)
    {
        return switch (random.nextInt(4)) {
            case 0 -> TupleDomain.withColumnDomains(ImmutableMap.of(OUTLIERS, Domain.multipleValues(BIGINT, ImmutableList.of(5L, 77L, 1_000_000_000L))));
            case 1 -> TupleDomain.withColumnDomains(ImmutableMap.of(WORDS, Domain.singleValue(VARCHAR, Slices.utf8Slice("word number 3"))));
            case 2 -> TupleDomain.withColumnDomains(ImmutableMap.of(CODES, Domain.singleValue(CODES.type(), Int128.valueOf(3, 3)), BITS, Domain.singleValue(BOOLEAN, true)));
            default -> TupleDomain.withColumnDomains(ImmutableMap.of(ANCHORS, Domain.singleValue(VARCHAR, Slices.utf8Slice("text 1500"))));
        };
    }

    private static void checkEncodings(ColumnGroupMetadata metadata)
            throws IOException
    {
        if (metadata.layout() == AlbisLayout.BLOCK) {
            assertThat(metadata.chunk(0, 0).runs().getFirst().encoding()).asString().contains("outliers=3");
            assertThat(metadata.chunk(1, 0).encoding()).isEqualTo(new ChunkEncoding.Bits());
            assertThat(metadata.chunk(2, 0).encoding()).isEqualTo(new ChunkEncoding.Bytes());
            assertThat(metadata.chunk(3, 0).encoding()).isInstanceOf(ChunkEncoding.Dictionary.class);
            assertThat(metadata.chunk(4, 0).encoding()).isInstanceOf(ChunkEncoding.Dictionary.class);
        }
    }

    private RowGroup write(AlbisLayout layout)
            throws IOException
    {
        AlbisSchema schema = AlbisSchema.makeSchema(AlbisColumnGroup.make(layout, DATA_COLUMNS));
        RollingRowGroupWriter writer = new RollingRowGroupWriter(fileSystem, FOLDER, schema.rowGroupSchema(), WriterOptions.DEFAULTS);
        Block[] blocks = new Block[DATA_COLUMNS.size()];
        for (int channel = 0; channel < blocks.length; channel++) {
            AlbisColumn column = DATA_COLUMNS.get(channel);
            BlockBuilder builder = column.type().createBlockBuilder(null, DATA_ROWS);
            for (int row = 0; row < DATA_ROWS; row++) {
                writeNativeValue(column.type(), builder, (row + channel) % 13 == 3 ? null : value(column, row));
            }
            blocks[channel] = builder.build();
        }
        writer.append(new Page(blocks));
        return getOnlyElement(writer.finish());
    }

    private static Object value(AlbisColumn column, int row)
    {
        return switch (column.id()) {
            case 1 -> row % 1000 == 999 ? 1_000_000_000L : row % 100L;
            case 2 -> row % 3 == 0;
            case 3 -> Slices.utf8Slice("text " + row);
            case 4 -> Slices.utf8Slice("word number " + row % 7);
            default -> Int128.valueOf(row % 9, row % 9);
        };
    }

    /**
     * Rewrites the metadata with the checksums of the data.
     */
    private RowGroup withChecksums(RowGroup rowGroup, ColumnGroupMetadata metadata, byte[] data)
            throws IOException
    {
        ColumnGroupInstance instance = getOnlyElement(rowGroup.columnGroups());
        List<List<NodeChunks>> chunks = new ArrayList<>();
        List<List<ColumnStatistics>> statistics = new ArrayList<>();
        for (int column = 0; column < DATA_COLUMNS.size(); column++) {
            if (metadata.layout() == AlbisLayout.BLOCK || column == 0) {
                chunks.add(ImmutableList.of(NodeChunks.of(withChecksums(instance.id(), metadata.chunk(column, 0), data))));
            }
            statistics.add(ImmutableList.of(metadata.statistics(column, 0)));
        }
        byte[] file = MetadataCodec.encode(
                instance.id(),
                metadata.layout(),
                metadata.columns(),
                metadata.dataBytes(),
                Ints.asList(metadata.segmentRows()),
                MetadataCodec.sections(metadata.layout(), metadata.columns(), chunks, statistics, Collections.nCopies(statistics.size(), Optional.empty()), Collections.nCopies(statistics.size(), Optional.empty()), List.of())).getBytes();
        overwrite(rowGroup.metadataFile(FOLDER, instance), file);
        return new RowGroup(rowGroup.id(), rowGroup.rows(), ImmutableList.of(new ColumnGroupInstance(instance.id(), instance.columnIds(), instance.dataBytes(), file.length)), rowGroup.statistics());
    }

    private static Chunk withChecksums(UUID id, Chunk chunk, byte[] data)
    {
        long offset = chunk.offset();
        ChunkEncoding encoding = chunk.encoding();
        if (encoding instanceof ChunkEncoding.Dictionary dictionary) {
            encoding = new ChunkEncoding.Dictionary(dictionary.entries(), dictionary.sorted(), dictionary.values(), withChecksums(id, dictionary.stored(), offset, data));
            offset += dictionary.stored().paddedLength();
        }
        List<Run> runs = new ArrayList<>();
        for (Run run : chunk.runs()) {
            runs.add(new Run(withChecksums(id, run.stored(), offset, data), run.nulls(), run.encoding()));
            offset += run.paddedLength();
        }
        return new Chunk(encoding, chunk.offset(), runs);
    }

    private static StoredBytes withChecksums(UUID id, StoredBytes stored, long offset, byte[] data)
    {
        PageChecksum checksum = new PageChecksum(id);
        int length = stored.paddedLength();
        return StoredBytes.plain(stored.length(), IntStream.range(0, PageChecksum.pages(length))
                .map(page -> {
                    long begin = offset + (long) page * PageChecksum.PAGE_SIZE;
                    return checksum.of(begin, data, (int) begin, PageChecksum.pageLength(length, page));
                })
                .toArray());
    }
}
