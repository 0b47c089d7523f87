package io.albis.format;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.Ints;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.albis.filesystem.FileBytes;
import io.albis.format.io.AlbisDataException;
import io.albis.format.io.FileSection;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.ColumnGroupMetadata;
import io.albis.format.metadata.MetadataCodec;
import io.albis.format.metadata.RowGroup;
import io.albis.format.metadata.StoredColumn;
import io.albis.format.run.Chunk;
import io.albis.format.run.ChunkEncoding;
import io.albis.format.run.NodeChunks;
import io.albis.format.run.NodeSegment;
import io.albis.format.run.Run;
import io.albis.format.run.Segment;
import io.albis.format.scan.AlbisBatch;
import io.albis.format.scan.ReaderOptions;
import io.albis.format.scan.RowGroupReader;
import io.albis.format.scan.RowGroupScan;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.schema.ElementAccess;
import io.albis.format.schema.FieldSelection;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.format.type.FieldIds;
import io.albis.format.type.NestedKind;
import io.albis.format.type.NestedTypes;
import io.albis.format.type.StorageType;
import io.albis.format.write.RollingRowGroupWriter;
import io.albis.format.write.WriterOptions;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystemFactory;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.type.ArrayType;
import io.trino.spi.type.MapType;
import io.trino.spi.type.RowType;
import io.trino.spi.type.Type;
import io.trino.spi.type.TypeOperators;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import java.util.stream.Stream;

import static com.google.common.collect.Iterables.getOnlyElement;
import static io.albis.format.RandomNestedBlocks.flatBlock;
import static io.albis.format.io.AlbisDataException.Reason.DAMAGED;
import static io.albis.format.io.AlbisDataException.Reason.TOO_NEW;
import static io.trino.spi.security.ConnectorIdentity.ofUser;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.IntegerType.INTEGER;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Files of nested columns whose content is damaged, with valid checksums, cause an error that names the place, before
 * memory is allocated for what they claim.
 */
@ParameterizedClass
@EnumSource
final class TestNestedDamage
{
    private static final Location FOLDER = Location.of("memory:///table");
    private static final int ROWS = 200;
    // nodes in pre-order: 0 array, 1 row, 2 integer, 3 map, 4 keys, 5 values
    private static final AlbisColumn COLUMN = AlbisColumn.make(7, "nested", new ArrayType(RowType.rowType(
            RowType.field("a", INTEGER),
            RowType.field("b", new MapType(BIGINT, VARCHAR, new TypeOperators())))));
    private static final int ARRAY = 0;
    private static final int ROW = 1;
    private static final int MAP = 3;
    private static final int KEYS = 4;
    private static final int VALUES = 5;

    /**
     * How the column is stored. Its nodes and their content are the same in all of them.
     */
    enum Setup
    {
        BLOCK(AlbisLayout.BLOCK),
        ROW(AlbisLayout.ROW),
        // the node of the rows precedes those of the nested column
        ROW_WITH_SCALARS(AlbisLayout.ROW, AlbisColumn.make(1, "number", BIGINT), AlbisColumn.make(2, "text", VARCHAR));

        private final AlbisLayout layout;
        private final List<AlbisColumn> scalars;

        Setup(AlbisLayout layout, AlbisColumn... scalars)
        {
            this.layout = layout;
            this.scalars = ImmutableList.copyOf(scalars);
        }
    }

    @Parameter
    Setup setup;

    private final TrinoFileSystem fileSystem = new MemoryFileSystemFactory().create(ofUser("test"));
    private RowGroup rowGroup;
    private ColumnGroupInstance instance;
    private ColumnGroupMetadata metadata;
    // what precedes the nodes of the column
    private List<NodeChunks> rowNodes;
    private List<NodeChunks> nodes;

    @BeforeEach
    void setup()
            throws IOException
    {
        List<AlbisColumn> columns = ImmutableList.<AlbisColumn>builder().addAll(setup.scalars).add(COLUMN).build();
        AlbisSchema schema = AlbisSchema.makeSchema(AlbisColumnGroup.make(setup.layout, columns));
        RollingRowGroupWriter writer = new RollingRowGroupWriter(fileSystem, FOLDER, schema.rowGroupSchema(), WriterOptions.DEFAULTS);
        Random random = new Random(42);
        writer.append(new Page(columns.stream()
                .map(column -> flatBlock(random, column.type(), ROWS, 0.2, 6))
                .toArray(Block[]::new)));
        rowGroup = getOnlyElement(writer.finish());
        instance = getOnlyElement(rowGroup.columnGroups());
        metadata = MetadataCodec.decode(location(), Optional.of(instance.id()), Slices.wrappedBuffer(FileBytes.read(fileSystem, location())));
        assertThat(metadata.segments()).isEqualTo(1);
        rowNodes = new ArrayList<>();
        if (!setup.scalars.isEmpty()) {
            rowNodes.add(new NodeChunks(metadata.node(0, 0).chunks(), new int[0]));
        }
        nodes = new ArrayList<>();
        for (int node = 0; node <= VALUES; node++) {
            NodeSegment segment = metadata.node(rowNodes.size() + node, 0);
            nodes.add(new NodeChunks(segment.chunks(), node == ARRAY || node == MAP ? segment.childGroups() : new int[0]));
        }
        readAll();
        rewrite();
        readAll();
    }

    @ParameterizedTest
    @ValueSource(ints = {ARRAY, MAP})
    void testNumbersOfElements(int node)
            throws IOException
    {
        int count = nodes.get(node).elements()[0];
        assertThat(count).isGreaterThan(ROWS);
        for (int damaged : new int[] {0, count - 1, count + 1, Segment.MAX_ROWS + 1, Integer.MAX_VALUE, -1, Integer.MIN_VALUE}) {
            List<NodeChunks> crafted = new ArrayList<>(nodes);
            crafted.set(node, new NodeChunks(nodes.get(node).chunks(), new int[] {damaged}));
            assertDamaged(crafted, "%s elements".formatted(damaged));
        }
        for (int[] damaged : new int[][] {{}, {count, 0}}) {
            List<NodeChunks> crafted = new ArrayList<>(nodes);
            crafted.set(node, new NodeChunks(nodes.get(node).chunks(), damaged));
            assertDamaged(crafted, "%s runs".formatted(damaged.length));
        }
    }

    /**
     * Chunks that take no bytes of the data file claim many gigabytes of elements.
     */
    @Test
    void testManyElements()
            throws IOException
    {
        Chunk lengths = new Chunk(new ChunkEncoding.Constant(Ints.toByteArray(Integer.reverseBytes(Integer.MAX_VALUE / ROWS))), 32, List.of());
        int elements = Integer.MAX_VALUE / ROWS * ROWS;
        int chunkCount = elements / Segment.MAX_ROWS + 1;
        Chunk zero = new Chunk(new ChunkEncoding.Constant(new byte[1]), 32, List.of());
        Chunk numbers = new Chunk(new ChunkEncoding.Constant(new byte[4]), 32, List.of());
        List<NodeChunks> crafted = new ArrayList<>(nodes);
        crafted.set(ARRAY, new NodeChunks(List.of(lengths), new int[] {elements}));
        crafted.set(ROW, new NodeChunks(Collections.nCopies(chunkCount, zero), new int[0]));
        crafted.set(2, new NodeChunks(Collections.nCopies(chunkCount, numbers), new int[0]));
        assertDamaged(crafted, "elements").hasMessageContaining("a segment of a nested column has %s elements".formatted(elements));

        // each node has few enough values, but all nodes together have too many
        int length = (1 << 28) / ROWS;
        elements = length * ROWS;
        chunkCount = (elements - 1) / Segment.MAX_ROWS + 1;
        lengths = new Chunk(new ChunkEncoding.Constant(Ints.toByteArray(Integer.reverseBytes(length))), 32, List.of());
        Chunk empty = new Chunk(new ChunkEncoding.Constant(new byte[4]), 32, List.of());
        crafted.set(ARRAY, new NodeChunks(List.of(lengths), new int[] {elements}));
        crafted.set(ROW, new NodeChunks(Collections.nCopies(chunkCount, zero), new int[0]));
        crafted.set(2, new NodeChunks(Collections.nCopies(chunkCount, numbers), new int[0]));
        int runs = (elements - 1) / Run.MAX_ROWS + 1;
        crafted.set(MAP, new NodeChunks(Collections.nCopies(chunkCount, empty), new int[runs]));
        crafted.set(KEYS, new NodeChunks(List.of(), new int[0]));
        crafted.set(VALUES, new NodeChunks(List.of(), new int[0]));
        assertDamaged(crafted, "elements of all nodes").hasMessageContaining("in memory");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, Integer.MIN_VALUE, 1, Integer.MAX_VALUE})
    void testLengths(int length)
            throws IOException
    {
        Chunk lengths = new Chunk(new ChunkEncoding.Constant(Ints.toByteArray(Integer.reverseBytes(length))), 32, List.of());
        List<NodeChunks> crafted = new ArrayList<>(nodes);
        crafted.set(ARRAY, new NodeChunks(List.of(lengths), nodes.get(ARRAY).elements()));
        assertDamaged(crafted, "length").hasMessageContaining("lengths of run 0");
        for (ElementAccess access : List.of(ElementAccess.cardinality(), ElementAccess.arrayElement(1), ElementAccess.arrayPrefix(1))) {
            assertThatThrownBy(() -> read(RowGroupScan.of(List.of(COLUMN.elements(access)), TupleDomain.all()))).as(access.toString())
                    .isInstanceOf(AlbisDataException.class)
                    .hasMessageContaining("lengths of run 0");
        }
    }

    @Test
    void testChunks()
            throws IOException
    {
        Chunk nulls = new Chunk(new ChunkEncoding.Nulls(), 32, List.of());
        Chunk one = new Chunk(new ChunkEncoding.Constant(new byte[] {1}), 32, List.of());
        assertDamaged(withChunks(KEYS, List.of(nulls)), "keys").hasMessageContaining("a key of a map is null");
        assertDamaged(withChunks(ROW, List.of(one)), "a row that is not 0").hasMessageContaining("the chunk of a row has values");
        assertDamaged(withChunks(ROW, List.of(new Chunk(new ChunkEncoding.Bits(), 32, List.of()))), "runs are missing");
        assertDamaged(withChunks(VALUES, List.of()), "no chunk");
        assertDamaged(withChunks(VALUES, List.of(nulls, nulls)), "two chunks");
        assertDamaged(withChunks(VALUES, nodes.get(2).chunks()), "the chunk of another type");
    }

    /**
     * The field of a null row is not null.
     */
    @Test
    void testFieldOfNull()
            throws IOException
    {
        List<NodeChunks> crafted = new ArrayList<>(nodes);
        crafted.set(2, new NodeChunks(List.of(new Chunk(new ChunkEncoding.Constant(new byte[4]), 32, List.of())), new int[0]));
        assertDamaged(crafted, "field").hasMessageContaining("Field value for null row must be null");
    }

    @ParameterizedTest
    @EnumSource
    void testTypes(NestedKind kind)
            throws IOException
    {
        StoredColumn number = new StoredColumn(1, StorageType.INT, "integer");
        StoredColumn text = new StoredColumn(2, StorageType.VARIABLE, "varchar");
        StoredColumn flag = new StoredColumn(3, StorageType.BYTE, "boolean");
        for (List<StoredColumn> children : List.of(List.<StoredColumn>of(), List.of(number), List.of(number, text), List.of(number, text, flag))) {
            StoredColumn column = new StoredColumn(COLUMN.id(), kind.storageType(), "", Optional.of(kind), children);
            rewrite(column, nodes);
            boolean valid = switch (kind) {
                case ROW -> !children.isEmpty();
                case ARRAY -> children.size() == 1;
                case MAP -> children.size() == 2;
            };
            // a valid number does not fit the sections of the other nodes
            assertThat(catchThrowable(this::readAll)).as("%s children", children.size())
                    .isInstanceOfSatisfying(AlbisDataException.class, e -> assertThat(e.reason()).isEqualTo(DAMAGED))
                    .hasMessageContaining(valid ? "has the invalid column" : "a column of kind %s has %s children".formatted(kind, children.size()));
        }
    }

    @Test
    void testTypeWithTooManyLevels()
            throws IOException
    {
        StoredColumn deep = new StoredColumn(1, StorageType.INT, "integer");
        for (int level = 0; level < NestedTypes.MAX_DEPTH; level++) {
            deep = new StoredColumn(COLUMN.id(), StorageType.INT, "", Optional.of(NestedKind.ARRAY), List.of(deep));
        }
        rewrite(deep, nodes);
        assertThat(catchThrowable(this::readAll)).isInstanceOf(AlbisDataException.class).hasMessageContaining("more than 32 levels");
    }

    /**
     * Elements, keys, and values always have the same ids. A later version may give them others.
     */
    @Test
    void testIdsOfFields()
            throws IOException
    {
        StoredColumn column = metadata.columns().getLast();
        for (IntUnaryOperator ids : List.<IntUnaryOperator>of(id -> id + 1, id -> 3 - id, id -> -id, id -> id + (id - 1) * 1000)) {
            rewrite(withIds(column, ids), nodes);
            assertThat(catchThrowable(this::readAll))
                    .isInstanceOfSatisfying(AlbisDataException.class, e -> assertThat(e.reason()).isEqualTo(TOO_NEW))
                    .hasMessageContaining(instance.id().toString())
                    .hasMessageContaining("column nested");
        }
        rewrite(withIds(column, _ -> 1), nodes);
        assertThat(catchThrowable(this::readAll))
                .isInstanceOfSatisfying(AlbisDataException.class, e -> assertThat(e.reason()).isEqualTo(DAMAGED))
                .hasMessageContaining("two children with the id 1");
        rewrite(withIds(column, id -> id), nodes);
        readAll();
    }

    /**
     * Returns a column with other ids of the children of all its nodes.
     */
    private static StoredColumn withIds(StoredColumn column, IntUnaryOperator ids)
    {
        List<StoredColumn> children = column.children().stream()
                .map(child -> withIds(child, ids))
                .map(child -> new StoredColumn(ids.applyAsInt(child.id()), child.storageType(), child.typeId(), child.kind(), child.children()))
                .toList();
        return new StoredColumn(column.id(), column.storageType(), column.typeId(), column.kind(), children);
    }

    /**
     * A field can be missing or stored with a narrower type.
     */
    @ParameterizedTest
    @MethodSource("possibleTypes")
    void testPossibleTypes(Type type)
            throws IOException
    {
        read(AlbisColumn.make(COLUMN.id(), "nested", type), Map.of());
    }

    static List<Type> possibleTypes()
    {
        Type map = new MapType(BIGINT, VARCHAR, new TypeOperators());
        return List.of(
                new ArrayType(RowType.rowType(RowType.field("x", BIGINT), RowType.field("y", map), RowType.field("z", VARCHAR))),
                new ArrayType(RowType.rowType(RowType.field("a", INTEGER))));
    }

    /**
     * A field cannot be stored with a type of another kind.
     */
    @ParameterizedTest
    @MethodSource("impossibleTypes")
    void testImpossibleTypes(Type type)
    {
        AlbisColumn column = AlbisColumn.make(COLUMN.id(), "nested", type);
        assertThat(catchThrowable(() -> read(column, Map.of())))
                .isInstanceOfSatisfying(AlbisDataException.class, e -> assertThat(e.reason()).isEqualTo(DAMAGED))
                .hasMessageContaining("column nested is stored as ARRAY(ROW(INT (integer), MAP(LONG (bigint), VARIABLE (varchar)))), but the table states " + type.getDisplayName());
    }

    static List<Type> impossibleTypes()
    {
        return List.of(
                BIGINT,
                RowType.rowType(RowType.field("a", INTEGER)),
                new ArrayType(BIGINT),
                new ArrayType(RowType.rowType(RowType.field("a", VARCHAR))),
                new ArrayType(RowType.rowType(RowType.field("a", new ArrayType(INTEGER)))),
                new ArrayType(RowType.rowType(RowType.field("a", INTEGER), RowType.field("b", VARCHAR))),
                new ArrayType(RowType.rowType(RowType.field("a", INTEGER), RowType.field("b", new MapType(VARCHAR, VARCHAR, new TypeOperators())))));
    }

    /**
     * The path to a part of a column leads only through rows.
     */
    @Test
    void testPartOfAnArray()
    {
        AlbisColumn part = new AlbisColumn(COLUMN.id(), "part", INTEGER, Optional.empty(), FieldIds.NONE, List.of(1));
        assertThat(catchThrowable(() -> read(part, Map.of())))
                .isInstanceOfSatisfying(AlbisDataException.class, e -> assertThat(e.reason()).isEqualTo(DAMAGED))
                .hasMessageContaining("does not have the fields of the column");
    }

    /**
     * A reader of one field neither reads nor checks what the file has of the others.
     */
    @Test
    void testFieldThatIsNotRead()
            throws IOException
    {
        FieldSelection number = FieldSelection.of(COLUMN.type(), List.of(List.of(0, 0)));
        for (NodeChunks damaged : List.of(
                new NodeChunks(List.of(), new int[0]),
                new NodeChunks(nodes.get(2).chunks(), new int[0]))) {
            List<NodeChunks> crafted = new ArrayList<>(nodes);
            crafted.set(VALUES, damaged);
            assertDamaged(crafted, "values");
            read(Map.of(COLUMN.id(), number));
        }
        List<NodeChunks> crafted = new ArrayList<>(nodes);
        crafted.set(2, new NodeChunks(List.of(), new int[0]));
        assertDamaged(crafted, "the field");
        assertThat(catchThrowable(() -> read(Map.of(COLUMN.id(), number)))).isInstanceOf(AlbisDataException.class);
    }

    /**
     * A selection that a scan cannot have is not a damaged file.
     */
    @Test
    void testSelectionWithoutKeys()
    {
        for (Set<Integer> selected : List.of(Set.of(ARRAY, ROW, MAP), Set.of(ARRAY, ROW, MAP, VALUES))) {
            assertThat(catchThrowable(() -> read(Map.of(COLUMN.id(), new FieldSelection(selected)))))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("the keys of a map must be selected: map(bigint, varchar)");
        }
    }

    private List<NodeChunks> withChunks(int node, List<Chunk> chunks)
    {
        List<NodeChunks> crafted = new ArrayList<>(nodes);
        crafted.set(node, new NodeChunks(chunks, nodes.get(node).elements()));
        return crafted;
    }

    private AbstractThrowableAssert<?, ? extends Throwable> assertDamaged(List<NodeChunks> crafted, String description)
            throws IOException
    {
        rewrite(metadata.columns().getLast(), crafted);
        Throwable failure = catchThrowable(this::readAll);
        assertThat(failure).as(description).isInstanceOf(AlbisDataException.class);
        assertThat(((AlbisDataException) failure).reason()).as(description).isEqualTo(DAMAGED);
        return assertThat(failure).as(description);
    }

    private void rewrite()
            throws IOException
    {
        rewrite(metadata.columns().getLast(), nodes);
    }

    private void rewrite(StoredColumn column, List<NodeChunks> crafted)
            throws IOException
    {
        int columnCount = metadata.columns().size();
        List<StoredColumn> columns = ImmutableList.<StoredColumn>builder().addAll(metadata.columns().subList(0, columnCount - 1)).add(column).build();
        List<List<NodeChunks>> segments = Stream.concat(rowNodes.stream(), crafted.stream()).map(List::of).toList();
        List<List<ColumnStatistics>> statistics = new ArrayList<>();
        for (int index = 0; index < columnCount; index++) {
            statistics.add(List.of(metadata.statistics(index, 0)));
        }
        List<Optional<Slice>> none = Collections.nCopies(columnCount, Optional.empty());
        List<FileSection> sections = MetadataCodec.sections(metadata.layout(), metadata.columns(), segments, statistics, none, none, List.of());
        Slice file = MetadataCodec.encode(instance.id(), metadata.layout(), columns, metadata.dataBytes(), Ints.asList(metadata.segmentRows()), sections);
        FileBytes.overwrite(fileSystem, location(), file.getBytes());
        instance = new ColumnGroupInstance(instance.id(), instance.columnIds(), instance.dataBytes(), file.length());
        rowGroup = new RowGroup(rowGroup.id(), rowGroup.rows(), ImmutableList.of(instance), rowGroup.statistics());
    }

    private void readAll()
            throws IOException
    {
        read(Map.of());
    }

    private void read(Map<Integer, FieldSelection> fields)
            throws IOException
    {
        read(COLUMN, fields);
    }

    private void read(AlbisColumn column, Map<Integer, FieldSelection> fields)
            throws IOException
    {
        read(RowGroupScan.of(List.of(column), TupleDomain.all()).withFields(fields));
    }

    private void read(RowGroupScan scan)
            throws IOException
    {
        try (RowGroupReader reader = RowGroupReader.open(fileSystem, FOLDER, rowGroup, scan, ReaderOptions.DEFAULTS)) {
            for (AlbisBatch batch = reader.next(); batch != null; batch = reader.next()) {
                assertThat(batch.block(0).getPositionCount()).isEqualTo(batch.positionCount());
            }
        }
    }

    private Location location()
    {
        return rowGroup.metadataFile(FOLDER, instance);
    }
}
