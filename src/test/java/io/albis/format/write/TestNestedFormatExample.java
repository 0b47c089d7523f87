package io.albis.format.write;

import io.airlift.slice.DynamicSliceOutput;
import io.albis.filesystem.FileBytes;
import io.albis.format.AlbisSchema;
import io.albis.format.metadata.RowGroup;
import io.albis.format.metadata.RowGroupCodec;
import io.albis.format.metadata.TypeNames;
import io.albis.format.run.Run;
import io.albis.format.scan.AlbisBatch;
import io.albis.format.scan.ReaderOptions;
import io.albis.format.scan.RowGroupReader;
import io.albis.format.scan.RowGroupScan;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.type.FieldIds;
import io.albis.format.type.JavaValues;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystemFactory;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.type.ArrayType;
import io.trino.spi.type.MapType;
import io.trino.spi.type.RowType;
import io.trino.spi.type.Type;
import io.trino.spi.type.TypeOperators;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import static com.google.common.collect.Iterables.getOnlyElement;
import static com.google.common.collect.MoreCollectors.onlyElement;
import static io.albis.format.DocumentedDump.documented;
import static io.albis.format.DocumentedDump.dump;
import static io.albis.format.DocumentedDump.parse;
import static io.trino.spi.security.ConnectorIdentity.ofUser;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.IntegerType.INTEGER;
import static io.trino.spi.type.TypeUtils.readNativeValue;
import static io.trino.spi.type.TypeUtils.writeNativeValue;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Collections.nCopies;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the examples of nested columns in docs/format.md: the writer produces their hex dumps, and the reader reads
 * them back.
 */
final class TestNestedFormatExample
{
    private static final Location FOLDER = Location.of("memory:///example");
    private static final UUID ROW_GROUP_ID = UUID.fromString("00000000-0000-0000-0000-0000000000aa");
    private static final UUID COLUMN_GROUP_ID = UUID.fromString("01234567-89ab-cdef-0123-456789abcdef");

    private final TrinoFileSystem fileSystem = new MemoryFileSystemFactory().create(ofUser("test"));

    /**
     * A table of one column group, whose two files have dumps.
     *
     * @param values the values of each column
     */
    private record Example(String name, AlbisLayout layout, List<AlbisColumn> columns, List<List<Object>> values)
    {
        private Example(String name, AlbisColumn column, List<Object> values)
        {
            this(name, AlbisLayout.BLOCK, List.of(column), List.of(values));
        }

        @Override
        public String toString()
        {
            return name;
        }
    }

    static List<Example> examples()
    {
        Type array = new ArrayType(RowType.rowType(RowType.field("n", INTEGER), RowType.field("s", VARCHAR)));
        Type map = new MapType(VARCHAR, BIGINT, new TypeOperators());
        Type fields = RowType.rowType(RowType.field("n", INTEGER), RowType.field("s", VARCHAR));
        Map<String, Long> entries = new LinkedHashMap<>();
        entries.put("ab", 5L);
        entries.put("c", null);
        return List.of(
                new Example("nested", AlbisColumn.make(1, "a", array), Arrays.asList(Arrays.asList(List.of(1L, "ab"), null, Arrays.asList(null, "c")), null, List.of())),
                new Example("map", AlbisColumn.make(1, "m", map), Arrays.asList(entries, null, Map.of(), Map.of("d", 6L))),
                new Example("fields", AlbisColumn.make(1, "r", fields), Arrays.asList(Arrays.asList(1L, "ab"), null, Arrays.asList(-2L, null))),
                new Example(
                        "nested rows",
                        AlbisLayout.ROW,
                        List.of(AlbisColumn.make(1, "n", INTEGER), AlbisColumn.make(2, "r", fields)),
                        List.of(Arrays.asList(7L, null, 9L), Arrays.asList(Arrays.asList(1L, "ab"), null, Arrays.asList(-2L, null)))),
                groups());
    }

    /**
     * An array has a group of elements for each of its runs, and so have the arrays in it.
     */
    private static Example groups()
    {
        List<Object> arrays = new ArrayList<>(nCopies(Run.MAX_ROWS, List.of(List.of(5L))));
        arrays.add(List.of(List.of(6L, 7L), List.of()));
        List<Object> numbers = new ArrayList<>(nCopies(Run.MAX_ROWS, 1L));
        numbers.add(2L);
        return new Example("groups", AlbisLayout.BLOCK, List.of(AlbisColumn.make(1, "a", new ArrayType(new ArrayType(BIGINT))), AlbisColumn.make(2, "n", INTEGER)), List.of(arrays, numbers));
    }

    @ParameterizedTest
    @MethodSource("examples")
    void testWrite(Example example)
            throws IOException
    {
        RowGroup rowGroup = write(example);
        String data = dump(FileBytes.read(fileSystem, rowGroup.dataFile(FOLDER, getOnlyElement(rowGroup.columnGroups()))));
        String metadata = dump(FileBytes.read(fileSystem, rowGroup.metadataFile(FOLDER, getOnlyElement(rowGroup.columnGroups()))));
        assertThat(List.of(data, metadata)).isEqualTo(List.of(documented(example + " data"), documented(example + " metadata")));
    }

    @ParameterizedTest
    @MethodSource("examples")
    void testRead(Example example)
            throws IOException
    {
        RowGroup rowGroup = write(example);
        FileBytes.overwrite(fileSystem, rowGroup.dataFile(FOLDER, getOnlyElement(rowGroup.columnGroups())), parse(documented(example + " data")));
        FileBytes.overwrite(fileSystem, rowGroup.metadataFile(FOLDER, getOnlyElement(rowGroup.columnGroups())), parse(documented(example + " metadata")));
        List<List<Object>> values = example.columns().stream().<List<Object>>map(_ -> new ArrayList<>()).toList();
        try (RowGroupReader reader = RowGroupReader.open(fileSystem, FOLDER, rowGroup, RowGroupScan.of(example.columns(), TupleDomain.all()), ReaderOptions.DEFAULTS)) {
            for (AlbisBatch batch = reader.next(); batch != null; batch = reader.next()) {
                for (int channel = 0; channel < values.size(); channel++) {
                    Type type = example.columns().get(channel).type();
                    for (int row = 0; row < batch.positionCount(); row++) {
                        values.get(channel).add(JavaValues.fromNative(type, readNativeValue(type, batch.block(channel), row)));
                    }
                }
            }
        }
        assertThat(values).isEqualTo(example.values());
    }

    /**
     * The entry of a row group in a manifest has the bounds of its fields at its end.
     */
    @Test
    void testEntry()
            throws IOException
    {
        RowGroup rowGroup = write(examples().stream().filter(example -> example.name().equals("fields")).collect(onlyElement()));
        DynamicSliceOutput entry = new DynamicSliceOutput(200);
        TypeNames types = new TypeNames();
        RowGroupCodec.writeEntry(rowGroup, types, entry);
        assertThat(dump(entry.slice().getBytes())).isEqualTo(documented("fields entry"));

        DynamicSliceOutput documented = new DynamicSliceOutput(200);
        types.write(documented);
        documented.writeBytes(parse(documented("fields entry")));
        RowGroup read = RowGroupCodec.read(documented.slice().getInput());
        assertThat(read).isEqualTo(rowGroup);
        AlbisColumn second = new AlbisColumn(1, "r.s", VARCHAR, Optional.empty(), FieldIds.NONE, List.of(2));
        assertThat(read.statistics(second).orElseThrow().max()).contains("ab".getBytes(UTF_8));
    }

    private RowGroup write(Example example)
            throws IOException
    {
        Block[] blocks = new Block[example.columns().size()];
        for (int channel = 0; channel < blocks.length; channel++) {
            Type type = example.columns().get(channel).type();
            List<Object> values = example.values().get(channel);
            BlockBuilder builder = type.createBlockBuilder(null, values.size());
            for (Object value : values) {
                writeNativeValue(type, builder, JavaValues.toNative(type, value));
            }
            blocks[channel] = builder.build();
        }
        Iterator<UUID> ids = List.of(ROW_GROUP_ID, COLUMN_GROUP_ID).iterator();
        RollingRowGroupWriter writer = new RollingRowGroupWriter(fileSystem, FOLDER, AlbisSchema.makeSchema(AlbisColumnGroup.make(example.layout(), example.columns())).rowGroupSchema(), WriterOptions.DEFAULTS, ids::next);
        writer.append(new Page(blocks));
        return getOnlyElement(writer.finish());
    }
}
