package io.albis.format.write;

import io.airlift.slice.Slices;
import io.albis.filesystem.FileBytes;
import io.albis.format.AlbisSchema;
import io.albis.format.DocumentedDump;
import io.albis.format.metadata.RowGroup;
import io.albis.format.run.Compression;
import io.albis.format.run.Run;
import io.albis.format.run.Segment;
import io.albis.format.scan.AlbisBatch;
import io.albis.format.scan.ReaderOptions;
import io.albis.format.scan.RowGroupReader;
import io.albis.format.scan.RowGroupScan;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.AlbisLayout;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystemFactory;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.type.Int128;
import io.trino.spi.type.Type;
import io.trino.spi.type.TypeUtils;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.stream.IntStream;

import static io.albis.format.DocumentedDump.dump;
import static io.albis.format.DocumentedDump.parse;
import static io.trino.spi.security.ConnectorIdentity.ofUser;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.BooleanType.BOOLEAN;
import static io.trino.spi.type.DecimalType.createDecimalType;
import static io.trino.spi.type.IntegerType.INTEGER;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the worked examples of docs/format.md: the writer produces its hex dumps, and the reader reads them back.
 */
final class TestFormatExample
{
    private static final Location FOLDER = Location.of("memory:///example");
    private static final UUID ROW_GROUP_ID = UUID.fromString("00000000-0000-0000-0000-0000000000aa");
    private static final UUID COLUMN_GROUP_ID = UUID.fromString("01234567-89ab-cdef-0123-456789abcdef");
    private static final List<AlbisColumn> COLUMNS = List.of(AlbisColumn.make(1, "n", INTEGER), AlbisColumn.make(2, "s", VARCHAR));

    private final TrinoFileSystem fileSystem = new MemoryFileSystemFactory().create(ofUser("test"));

    /**
     * A table of one column group, whose two files have dumps.
     *
     * @param value returns the value of a column in a row
     */
    private record Example(String name, AlbisLayout layout, Compression compression, List<AlbisColumn> columns, int rows, BiFunction<AlbisColumn, Integer, Object> value)
    {
        private Example(String name, AlbisLayout layout, List<AlbisColumn> columns, int rows, BiFunction<AlbisColumn, Integer, Object> value)
        {
            this(name, layout, Compression.NONE, columns, rows, value);
        }

        @Override
        public String toString()
        {
            return name;
        }
    }

    static List<Example> examples()
    {
        return List.of(
                new Example("row", AlbisLayout.ROW, COLUMNS, 3, TestFormatExample::simpleValue),
                new Example("block", AlbisLayout.BLOCK, COLUMNS, 3, TestFormatExample::simpleValue),
                new Example(
                        "encodings",
                        AlbisLayout.BLOCK,
                        List.of(AlbisColumn.make(1, "b", BOOLEAN), AlbisColumn.make(2, "o", BIGINT), AlbisColumn.make(3, "d", createDecimalType(38))),
                        64,
                        TestFormatExample::encodedValue),
                new Example("bounds", AlbisLayout.BLOCK, List.of(AlbisColumn.make(1, "k", BIGINT)), Run.MAX_ROWS + 1, (_, row) -> row < Run.MAX_ROWS ? 10L : 20L),
                new Example(
                        "compressed",
                        AlbisLayout.BLOCK,
                        Compression.LZ4,
                        List.of(AlbisColumn.make(1, "s", VARCHAR)),
                        64,
                        (_, row) -> Slices.utf8Slice(row % 2 == 0 ? "ab".repeat(101) : "cd".repeat(100))),
                new Example("anchors", AlbisLayout.BLOCK, List.of(AlbisColumn.make(1, "s", VARCHAR)), 1025, (_, row) -> Slices.utf8Slice(row % 4 == 0 ? "a" : "")),
                new Example(
                        "segments",
                        AlbisLayout.BLOCK,
                        List.of(AlbisColumn.make(1, "b", BOOLEAN), AlbisColumn.make(2, "k", BIGINT)),
                        Segment.MAX_ROWS + 2,
                        (column, row) -> column.id() == 1 ? (Object) (row % 2 == 0) : (Object) (row < Segment.MAX_ROWS ? 10L : 20L)));
    }

    private static Object simpleValue(AlbisColumn column, int row)
    {
        return switch (row) {
            case 0 -> column.id() == 1 ? (Object) 1L : Slices.utf8Slice("ab");
            case 1 -> column.id() == 1 ? null : Slices.utf8Slice("c");
            default -> column.id() == 1 ? -2L : null;
        };
    }

    private static Object encodedValue(AlbisColumn column, int row)
    {
        return switch (column.id()) {
            case 1 -> row % 3 == 0;
            case 2 -> row == 9 ? 1_000_000L : 7L;
            default -> Int128.valueOf(row % 2 == 0 ? 5 : -1);
        };
    }

    @ParameterizedTest
    @MethodSource("examples")
    void testWrite(Example example)
            throws IOException
    {
        RowGroup rowGroup = write(example);
        assertThat(dump(FileBytes.read(fileSystem, rowGroup.dataFile(FOLDER, rowGroup.columnGroups().getFirst())))).isEqualTo(documented(example, "data"));
        assertThat(dump(FileBytes.read(fileSystem, rowGroup.metadataFile(FOLDER, rowGroup.columnGroups().getFirst())))).isEqualTo(documented(example, "metadata"));
    }

    @ParameterizedTest
    @MethodSource("examples")
    void testRead(Example example)
            throws IOException
    {
        RowGroup rowGroup = write(example);
        FileBytes.overwrite(fileSystem, rowGroup.dataFile(FOLDER, rowGroup.columnGroups().getFirst()), parse(documented(example, "data")));
        FileBytes.overwrite(fileSystem, rowGroup.metadataFile(FOLDER, rowGroup.columnGroups().getFirst()), parse(documented(example, "metadata")));
        try (RowGroupReader reader = RowGroupReader.open(fileSystem, FOLDER, rowGroup, RowGroupScan.of(example.columns(), TupleDomain.all()), ReaderOptions.DEFAULTS)) {
            int rows = 0;
            for (AlbisBatch batch = reader.next(); batch != null; batch = reader.next()) {
                for (int channel = 0; channel < example.columns().size(); channel++) {
                    AlbisColumn column = example.columns().get(channel);
                    int first = rows;
                    assertThat(values(column.type(), batch.block(channel))).isEqualTo(IntStream.range(first, first + batch.positionCount()).mapToObj(row -> example.value().apply(column, row)).toList());
                }
                rows += batch.positionCount();
            }
            assertThat(rows).isEqualTo(example.rows());
        }
    }

    private RowGroup write(Example example)
            throws IOException
    {
        Block[] blocks = new Block[example.columns().size()];
        for (int channel = 0; channel < blocks.length; channel++) {
            AlbisColumn column = example.columns().get(channel);
            BlockBuilder builder = column.type().createBlockBuilder(null, example.rows());
            for (int row = 0; row < example.rows(); row++) {
                TypeUtils.writeNativeValue(column.type(), builder, example.value().apply(column, row));
            }
            blocks[channel] = builder.build();
        }
        Iterator<UUID> ids = List.of(ROW_GROUP_ID, COLUMN_GROUP_ID).iterator();
        RollingRowGroupWriter writer = new RollingRowGroupWriter(fileSystem, FOLDER, AlbisSchema.makeSchema(AlbisColumnGroup.make(example.layout(), example.columns())).rowGroupSchema(), WriterOptions.DEFAULTS.withCompression(example.compression()), ids::next);
        writer.append(new Page(blocks));
        List<RowGroup> rowGroups = writer.finish();
        assertThat(rowGroups).hasSize(1);
        return rowGroups.getFirst();
    }

    private static List<Object> values(Type type, Block block)
    {
        List<Object> values = new ArrayList<>();
        for (int position = 0; position < block.getPositionCount(); position++) {
            values.add(TypeUtils.readNativeValue(type, block, position));
        }
        return values;
    }

    private static String documented(Example example, String file)
            throws IOException
    {
        return DocumentedDump.documented(example + " " + file);
    }
}
