package io.albis.format.scan;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.airlift.slice.Slices;
import io.albis.format.AlbisSchema;
import io.albis.format.layout.block.BlockEncoding;
import io.albis.format.metadata.ColumnGroupMetadata;
import io.albis.format.metadata.RowGroup;
import io.albis.format.run.Chunk;
import io.albis.format.run.ChunkEncoding;
import io.albis.format.run.Run;
import io.albis.format.run.RunEncoding;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.write.RollingRowGroupWriter;
import io.albis.format.write.WriterOptions;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystemFactory;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.block.DictionaryBlock;
import io.trino.spi.block.RunLengthEncodedBlock;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.predicate.ValueSet;
import io.trino.spi.type.Int128;
import io.trino.spi.type.Type;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;

import static com.google.common.collect.Iterables.getOnlyElement;
import static io.albis.format.scan.RowGroupFixture.FOLDER;
import static io.trino.spi.security.ConnectorIdentity.ofUser;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.BooleanType.BOOLEAN;
import static io.trino.spi.type.CharType.createCharType;
import static io.trino.spi.type.DecimalType.createDecimalType;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static io.trino.spi.type.IntegerType.INTEGER;
import static io.trino.spi.type.TinyintType.TINYINT;
import static io.trino.spi.type.TypeUtils.readNativeValue;
import static io.trino.spi.type.TypeUtils.writeNativeValue;
import static io.trino.spi.type.UuidType.UUID;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The writer chooses each encoding where it is smaller, and the reader returns its values.
 */
final class TestEncodings
{
    // three runs, the last of which is short
    private static final int ROWS = 2 * Run.MAX_ROWS + 1000;

    private final TrinoFileSystem fileSystem = new MemoryFileSystemFactory().create(ofUser("test"));

    static List<Arguments> typesWithBits()
    {
        return ImmutableList.of(Arguments.of(BOOLEAN, 0.0), Arguments.of(BOOLEAN, 0.2), Arguments.of(TINYINT, 0.0), Arguments.of(TINYINT, 0.2));
    }

    @ParameterizedTest
    @MethodSource("typesWithBits")
    void testBits(Type type, double nulls)
            throws IOException
    {
        Random random = new Random(1);
        IntFunction<Object> values = _ -> random.nextDouble() < nulls ? null : type.equals(BOOLEAN) ? (Object) random.nextBoolean() : (Object) (long) random.nextInt(2);
        assertThat(check(type, values, BlockEncoding.ALL).encoding()).isEqualTo(new ChunkEncoding.Bits());
        assertThat(check(type, values, new BlockEncoding(true, true, false, true)).encoding()).isEqualTo(new ChunkEncoding.Fixed());
    }

    @Test
    void testNumbersThatAreNotOnlyBits()
            throws IOException
    {
        assertThat(check(TINYINT, row -> (long) (row % 3), BlockEncoding.ALL).encoding()).isEqualTo(new ChunkEncoding.Fixed());
        assertThat(check(TINYINT, row -> row % 2 - 1L, BlockEncoding.ALL).encoding()).isEqualTo(new ChunkEncoding.Fixed());
    }

    @Test
    void testRunsOfOneBit()
            throws IOException
    {
        // most runs have one value, so they take no bytes
        assertThat(check(BOOLEAN, row -> row < ROWS - 500, BlockEncoding.ALL).encoding()).isEqualTo(new ChunkEncoding.Fixed());
        // a run of nulls
        Chunk chunk = check(BOOLEAN, row -> row < Run.MAX_ROWS ? null : row % 2 == 0, BlockEncoding.ALL);
        assertThat(chunk.encoding()).isEqualTo(new ChunkEncoding.Bits());
        assertThat(chunk.runs().getFirst().length()).isZero();
    }

    @Test
    void testParametersOfEachRun()
            throws IOException
    {
        // one value, a narrow range, a wide range
        Chunk chunk = check(BIGINT, row -> row < Run.MAX_ROWS ? 1L << 40 : row < 2 * Run.MAX_ROWS ? -5L - row % 200 : (long) row * row * row, BlockEncoding.ALL);
        assertThat(chunk.runs().stream().map(Run::encoding)).startsWith(new RunEncoding.Fixed(0, 1L << 40, 0), new RunEncoding.Fixed(1, -204, 0));
        assertThat(chunk.runs().getFirst().length()).isZero();
        Block block = read(BIGINT, TupleDomain.all()).getFirst();
        assertThat(block).isInstanceOf(RunLengthEncodedBlock.class);
        // a run of one value and nulls has only validity
        chunk = check(INTEGER, row -> row % 3 == 0 ? null : row < Run.MAX_ROWS ? 7L : row * 1000L, BlockEncoding.ALL);
        assertThat(chunk.runs().getFirst().encoding()).isEqualTo(new RunEncoding.Fixed(0, 7, 0));
        assertThat(chunk.runs().getFirst().length()).isEqualTo(Run.MAX_ROWS / Byte.SIZE);
        // lengths of texts
        chunk = check(VARCHAR, row -> Slices.utf8Slice(row < Run.MAX_ROWS ? "%05d".formatted(row) : "x".repeat(row % 300)), BlockEncoding.ALL.withDictionaries(false));
        assertThat(chunk.runs().get(0).encoding()).isEqualTo(new RunEncoding.Bytes(0, 5));
        assertThat(chunk.runs().get(1).encoding()).isEqualTo(new RunEncoding.Bytes(2, 0));
    }

    static List<Type> typesWithOutliers()
    {
        return ImmutableList.of(TINYINT, INTEGER, BIGINT, createDecimalType(18, 2));
    }

    @ParameterizedTest
    @MethodSource("typesWithOutliers")
    void testOutliers(Type type)
            throws IOException
    {
        for (boolean nulls : new boolean[] {false, true}) {
            long extreme = type.equals(TINYINT) ? 100 : 1 << 30;
            IntFunction<Object> values = row -> nulls && row % 5 == 0 ? null : row % 777 == 3 ? (Object) (row % 2 == 0 ? extreme : -extreme) : (Object) (type.equals(TINYINT) ? 3L : row % 100L);
            Chunk chunk = check(type, values, new BlockEncoding(true, true, true, false));
            for (Run run : chunk.runs()) {
                RunEncoding.Fixed encoding = (RunEncoding.Fixed) run.encoding();
                assertThat(encoding.outliers()).isPositive();
                assertThat(encoding.width()).isEqualTo(type.equals(TINYINT) ? 0 : 1);
            }
            chunk = check(type, values, new BlockEncoding(true, false, true, false));
            for (Run run : chunk.runs()) {
                assertThat(((RunEncoding.Fixed) run.encoding()).outliers()).isZero();
            }
        }
    }

    static List<Type> typesWithDictionaries()
    {
        return ImmutableList.of(INTEGER, BIGINT, DOUBLE, createDecimalType(18, 2), createDecimalType(38, 2), UUID, VARCHAR, createCharType(100));
    }

    @ParameterizedTest
    @MethodSource("typesWithDictionaries")
    void testDictionaries(Type type)
            throws IOException
    {
        for (int entries : new int[] {2, 200, 255}) {
            for (boolean nulls : new boolean[] {false, true}) {
                Random random = new Random(entries);
                Chunk chunk = check(type, _ -> nulls && random.nextInt(4) == 0 ? null : value(type, random.nextInt(entries)), BlockEncoding.ALL);
                assertThat(chunk.encoding()).isInstanceOf(ChunkEncoding.Dictionary.class);
                ChunkEncoding.Dictionary dictionary = (ChunkEncoding.Dictionary) chunk.encoding();
                assertThat(dictionary.entries()).isEqualTo(entries);
                assertThat(dictionary.sorted()).isTrue();
                assertSorted(type, read(type, TupleDomain.all()));
                check(type, _ -> nulls && random.nextInt(4) == 0 ? null : value(type, random.nextInt(entries)), BlockEncoding.ALL.withDictionaries(false));
            }
        }
        // a run with one entry, a run of nulls, and a run with both
        Chunk chunk = check(type, row -> row < Run.MAX_ROWS ? value(type, 5) : row < 2 * Run.MAX_ROWS ? null : row % 2 == 0 ? null : value(type, row % 9), BlockEncoding.ALL);
        if (chunk.encoding() instanceof ChunkEncoding.Dictionary) {
            assertThat(chunk.runs().get(0).length()).isZero();
            assertThat(chunk.runs().get(1).length()).isZero();
            assertThat(read(type, TupleDomain.all())).element(0).isInstanceOf(RunLengthEncodedBlock.class);
        }
    }

    @Test
    void testDictionaryOfNumbersWithoutOrder()
            throws IOException
    {
        Chunk chunk = check(DOUBLE, row -> row % 3 == 0 ? Double.NaN : row * 0.5 % 10, BlockEncoding.ALL);
        assertThat(((ChunkEncoding.Dictionary) chunk.encoding()).sorted()).isFalse();
    }

    /**
     * Large values, so that a dictionary is worthwhile.
     */
    private static Object value(Type type, int number)
    {
        long scattered = number * 7_919L % 65_521 + 1;
        if (type.getJavaType() == long.class) {
            return scattered << (type.equals(INTEGER) ? 14 : 40);
        }
        if (type.getJavaType() == double.class) {
            return scattered / 3.0;
        }
        if (type.getJavaType() == Int128.class) {
            return Int128.valueOf(scattered - 30_000, scattered);
        }
        return type.equals(UUID) ? Slices.utf8Slice("%016d".formatted(scattered)) : Slices.utf8Slice("a text with the number " + scattered);
    }

    private static void assertSorted(Type type, List<Block> blocks)
    {
        for (Block block : blocks) {
            if (block instanceof DictionaryBlock dictionary) {
                Block entries = dictionary.getDictionary();
                for (int entry = 1; entry < entries.getPositionCount() && !entries.isNull(entry); entry++) {
                    Object value = readNativeValue(type, entries, entry);
                    assertThat(Range.lessThan(type, value).overlaps(Range.equal(type, readNativeValue(type, entries, entry - 1)))).isTrue();
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 4})
    void testAnchors(int lengthWidth)
            throws IOException
    {
        int variety = switch (lengthWidth) {
            case 0 -> 1;
            case 1 -> 30;
            case 2 -> 300;
            default -> 70_000;
        };
        Random random = new Random(lengthWidth);
        Chunk chunk = check(VARCHAR, row -> Slices.utf8Slice("%05d".formatted(row) + "x".repeat(row % 1000 == 5 ? variety - 1 : random.nextInt(Math.min(variety, 20)))), BlockEncoding.ALL);
        assertThat(chunk.encoding()).isEqualTo(new ChunkEncoding.Bytes());
        assertThat(((RunEncoding.Bytes) chunk.runs().getFirst().encoding()).lengthWidth()).isEqualTo(lengthWidth);
    }

    /**
     * Writes values, and compares what the reader returns with and without filters.
     */
    private Chunk check(Type type, IntFunction<Object> values, BlockEncoding encoding)
            throws IOException
    {
        List<Object> expected = new ArrayList<>();
        BlockBuilder builder = type.createBlockBuilder(null, ROWS);
        for (int row = 0; row < ROWS; row++) {
            Object value = values.apply(row);
            expected.add(value);
            writeNativeValue(type, builder, value);
        }
        write(type, builder.build(), encoding);
        assertThat(values(type, read(type, TupleDomain.all()))).isEqualTo(expected);
        Random random = new Random(expected.hashCode());
        for (int i = 0; i < 12; i++) {
            Object bound = expected.get(random.nextInt(ROWS));
            if (bound == null || bound.equals(Double.NaN)) {
                continue;
            }
            ValueSet set = switch (i % 4) {
                case 0 -> ValueSet.of(type, bound);
                case 1 -> ValueSet.ofRanges(Range.lessThan(type, bound));
                case 2 -> ValueSet.ofRanges(Range.greaterThanOrEqual(type, bound));
                default -> ValueSet.of(type, bound).complement();
            };
            Domain domain = Domain.create(set, i % 3 == 0);
            List<Object> matching = expected.stream().filter(value -> !(value instanceof Double number && number.isNaN()) && domain.includesNullableValue(value)).toList();
            assertThat(values(type, read(type, TupleDomain.withColumnDomains(ImmutableMap.of(column(type), domain)))))
                    .as(domain.toString())
                    .isEqualTo(matching);
        }
        return metadata().chunk(0, 0);
    }

    private RowGroup rowGroup;

    private static AlbisColumn column(Type type)
    {
        return AlbisColumn.make(1, "value", type);
    }

    private void write(Type type, Block block, BlockEncoding encoding)
            throws IOException
    {
        AlbisSchema schema = AlbisSchema.makeSchema(AlbisColumnGroup.make(column(type)));
        RollingRowGroupWriter writer = new RollingRowGroupWriter(fileSystem, FOLDER, schema.rowGroupSchema(), WriterOptions.DEFAULTS.withSegmentBytes(WriterOptions.MAX_SEGMENT_BYTES).withBlockEncoding(encoding));
        writer.append(new Page(block));
        rowGroup = getOnlyElement(writer.finish());
    }

    private ColumnGroupMetadata metadata()
            throws IOException
    {
        return RowGroupFixture.metadata(fileSystem, rowGroup, getOnlyElement(rowGroup.columnGroups()));
    }

    private List<Block> read(Type type, TupleDomain<AlbisColumn> predicate)
            throws IOException
    {
        List<Block> blocks = new ArrayList<>();
        try (RowGroupReader reader = RowGroupReader.open(fileSystem, FOLDER, rowGroup, RowGroupScan.of(ImmutableList.of(column(type)), predicate), ReaderOptions.DEFAULTS)) {
            for (AlbisBatch batch = reader.next(); batch != null; batch = reader.next()) {
                blocks.add(batch.block(0));
            }
        }
        return blocks;
    }

    private static List<Object> values(Type type, List<Block> blocks)
    {
        List<Object> values = new ArrayList<>();
        for (Block block : blocks) {
            for (int position = 0; position < block.getPositionCount(); position++) {
                values.add(readNativeValue(type, block, position));
            }
        }
        return values;
    }
}
