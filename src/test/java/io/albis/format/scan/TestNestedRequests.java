package io.albis.format.scan;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.Slices;
import io.albis.format.ReadHookFileSystem;
import io.albis.format.ReadHookFileSystem.Read;
import io.albis.format.io.StorageAccess;
import io.albis.format.metadata.ColumnGroupMetadata;
import io.albis.format.metadata.RowGroup;
import io.albis.format.run.Chunk;
import io.albis.format.run.NodeSegment;
import io.albis.format.run.Run;
import io.albis.format.run.Segment;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.schema.FieldSelection;
import io.albis.format.type.JavaValues;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystemFactory;
import io.trino.spi.block.Block;
import io.trino.spi.block.RowBlockBuilder;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.type.ArrayType;
import io.trino.spi.type.RowType;
import io.trino.spi.type.Type;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntFunction;

import static com.google.common.collect.Iterables.getOnlyElement;
import static io.trino.spi.security.ConnectorIdentity.ofUser;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.TypeUtils.writeNativeValue;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.util.Collections.synchronizedList;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Only the elements of the selected rows of a nested column are read.
 */
final class TestNestedRequests
{
    private static final int RUNS = 3;
    private static final int ROWS = RUNS * Run.MAX_ROWS;
    private static final int ELEMENTS = 4;
    private static final Type ELEMENT = RowType.rowType(RowType.field("number", BIGINT), RowType.field("text", VARCHAR));
    private static final AlbisColumn ID = AlbisColumn.make(1, "id", BIGINT);
    // nodes: 1 array, 2 row, 3 bigint, 4 varchar
    private static final AlbisColumn NESTED = AlbisColumn.make(2, "nested", new ArrayType(ELEMENT));
    private static final int FIRST_LEAF = 3;
    private static final int LAST_LEAF = 4;

    private final List<Read> reads = synchronizedList(new ArrayList<>());
    private final TrinoFileSystem storage = new MemoryFileSystemFactory().create(ofUser("test"));
    private final TrinoFileSystem fileSystem = new ReadHookFileSystem(storage, new ReadHookFileSystem.Hook()
    {
        @Override
        public void read(Read read)
        {
            reads.add(read);
        }

        @Override
        public void opened() {}

        @Override
        public void closed() {}
    });

    @Test
    void testSelectedRun()
            throws IOException
    {
        RowGroup rowGroup = write();
        List<Long> ids = new ArrayList<>();
        for (long row = 0; row < Run.MAX_ROWS; row++) {
            ids.add(Run.MAX_ROWS + row);
        }
        assertThat(read(rowGroup, ids)).isEqualTo(Run.MAX_ROWS);
        for (int leaf = FIRST_LEAF; leaf <= LAST_LEAF; leaf++) {
            NodeSegment segment = metadata(rowGroup).node(leaf, 0);
            assertThat(segment.chunks()).hasSize(RUNS);
            for (int run = 0; run < RUNS; run++) {
                Chunk chunk = segment.chunks().get(run);
                assertThat(isRead(chunk.offset(), chunk.offset() + chunk.length())).as("leaf %s, elements of run %s", leaf, run).isEqualTo(run == 1);
            }
        }
    }

    /**
     * The elements of a run are divided into runs, of which one row needs only one.
     */
    @Test
    void testSelectedRow()
            throws IOException
    {
        RowGroup rowGroup = write();
        // the first elements of this row follow Run.MAX_ROWS others
        assertThat(read(rowGroup, List.of(Run.MAX_ROWS + Run.MAX_ROWS / (long) ELEMENTS))).isEqualTo(1);
        for (int leaf = FIRST_LEAF; leaf <= LAST_LEAF; leaf++) {
            Chunk chunk = metadata(rowGroup).node(leaf, 0).chunks().get(1);
            long offset = chunk.offset() + chunk.dictionaryLength();
            assertThat(chunk.runs()).hasSize(ELEMENTS);
            for (int run = 0; run < ELEMENTS; run++) {
                long end = offset + chunk.runs().get(run).paddedLength();
                assertThat(isRead(offset, end)).as("leaf %s, run %s", leaf, run).isEqualTo(run == 1);
                offset = end;
            }
        }
    }

    @Test
    void testSelectedField()
            throws IOException
    {
        RowGroup rowGroup = write();
        FieldSelection texts = FieldSelection.of(NESTED.type(), List.of(List.of(0, 1)));
        assertThat(read(rowGroup, List.of(5L, 20_000L), Map.of(NESTED.id(), texts))).isEqualTo(2);
        for (int leaf = FIRST_LEAF; leaf <= LAST_LEAF; leaf++) {
            NodeSegment segment = metadata(rowGroup).node(leaf, 0);
            for (int run : new int[] {0, 2}) {
                Chunk chunk = segment.chunks().get(run);
                assertThat(isRead(chunk.offset(), chunk.offset() + chunk.length())).as("leaf %s, elements of run %s", leaf, run).isEqualTo(leaf == LAST_LEAF);
            }
        }
        // only the lengths
        FieldSelection nothing = FieldSelection.of(NESTED.type(), List.of());
        assertThat(read(rowGroup, List.of(5L), Map.of(NESTED.id(), nothing))).isEqualTo(1);
        long end = metadata(rowGroup).node(FIRST_LEAF, 0).chunks().getFirst().offset();
        assertThat(isRead(end, Long.MAX_VALUE)).isFalse();
    }

    static List<StorageAccess> accesses()
    {
        return List.of(StorageAccess.LOCAL, StorageAccess.REMOTE);
    }

    /**
     * A page has the rows of one run, and all pages of a segment need the same dictionary.
     */
    @ParameterizedTest
    @MethodSource("accesses")
    void testDictionaryOfField(StorageAccess access)
            throws IOException
    {
        AlbisColumn column = AlbisColumn.make(1, "nested", RowType.rowType(RowType.field("word", VARCHAR)));
        RowGroup rowGroup = RowGroupFixture.write(storage, AlbisLayout.BLOCK, List.of(column), Segment.MAX_ROWS, (_, row) -> JavaValues.toNative(column.type(), List.of("word " + row % 1000)));
        assertThat(metadata(rowGroup).segments()).isEqualTo(1);
        Chunk words = getOnlyElement(metadata(rowGroup).node(1, 0).chunks());
        assertThat(words.dictionaryLength()).isPositive();
        reads.clear();
        int pages = 0;
        try (RowGroupReader reader = open(rowGroup, RowGroupScan.of(List.of(column), TupleDomain.all()), access)) {
            for (AlbisBatch batch = reader.next(); batch != null; batch = reader.next()) {
                batch.block(0);
                pages++;
            }
        }
        assertThat(pages).isEqualTo(Segment.MAX_RUNS);
        List<Read> data = reads.stream().filter(read -> !read.isMetadata()).toList();
        long dictionaryEnd = words.offset() + words.dictionaryLength();
        assertThat(data.stream().filter(read -> read.position() < dictionaryEnd && words.offset() < read.end())).as("%s", data).hasSize(1);
        assertThat(data.stream().mapToLong(Read::length).sum()).as("%s", data).isLessThanOrEqualTo(rowGroup.columnGroups().getFirst().dataBytes());
    }

    /**
     * The dictionary of a field counts as much as that of a column.
     */
    @Test
    void testMemoryOfDictionary()
            throws IOException
    {
        AlbisColumn nested = AlbisColumn.make(1, "nested", new ArrayType(RowType.rowType(RowType.field("word", VARCHAR))));
        AlbisColumn scalar = AlbisColumn.make(1, "scalar", VARCHAR);
        assertThat(memoryOfFirstPage(nested, row -> List.of(List.of(word(row))))).isGreaterThanOrEqualTo(memoryOfFirstPage(scalar, TestNestedRequests::word));
    }

    private static String word(int row)
    {
        return "word " + row % 1000 + "x".repeat(500);
    }

    private long memoryOfFirstPage(AlbisColumn column, IntFunction<Object> values)
            throws IOException
    {
        RowGroup rowGroup = RowGroupFixture.write(storage, AlbisLayout.BLOCK, List.of(column), Run.MAX_ROWS, (_, row) -> JavaValues.toNative(column.type(), values.apply(row)));
        try (RowGroupReader reader = open(rowGroup, RowGroupScan.of(List.of(column), TupleDomain.all()), StorageAccess.LOCAL)) {
            reader.next().block(0);
            return reader.memoryUsage();
        }
    }

    /**
     * Whether a part of a range of the data file was read.
     */
    private boolean isRead(long begin, long end)
    {
        return reads.stream().anyMatch(read -> !read.isMetadata() && read.position() < end && begin < read.end());
    }

    private RowGroup write()
            throws IOException
    {
        Random random = new Random(1);
        return RowGroupFixture.write(storage, AlbisLayout.BLOCK, List.of(ID, NESTED), ROWS, (column, row) -> {
            if (column.equals(ID)) {
                return (long) row;
            }
            RowBlockBuilder builder = (RowBlockBuilder) ELEMENT.createBlockBuilder(null, ELEMENTS);
            for (int element = 0; element < ELEMENTS; element++) {
                builder.buildEntry(fields -> {
                    writeNativeValue(BIGINT, fields.get(0), random.nextLong());
                    writeNativeValue(VARCHAR, fields.get(1), Slices.utf8Slice("text " + random.nextLong()));
                });
            }
            return builder.build();
        });
    }

    private int read(RowGroup rowGroup, List<Long> ids)
            throws IOException
    {
        return read(rowGroup, ids, Map.of());
    }

    private int read(RowGroup rowGroup, List<Long> ids, Map<Integer, FieldSelection> fields)
            throws IOException
    {
        reads.clear();
        RowGroupScan scan = RowGroupScan.of(ImmutableList.of(NESTED), TupleDomain.withColumnDomains(Map.of(ID, Domain.multipleValues(BIGINT, ids)))).withFields(fields);
        int rows = 0;
        try (RowGroupReader reader = open(rowGroup, scan, new StorageAccess(0, 1 << 20, 1 << 24, false))) {
            for (AlbisBatch batch = reader.next(); batch != null; batch = reader.next()) {
                Block block = batch.block(0);
                for (int position = 0; position < batch.positionCount(); position++) {
                    assertThat(((ArrayType) NESTED.type()).getObject(block, position).getPositionCount()).isEqualTo(ELEMENTS);
                }
                rows += batch.positionCount();
            }
        }
        return rows;
    }

    private RowGroupReader open(RowGroup rowGroup, RowGroupScan scan, StorageAccess access)
            throws IOException
    {
        ReaderResources resources = new ReaderResources(MetadataSource.FILES, access, Runnable::run, new ScanHistory(1));
        return RowGroupReader.open(fileSystem, RowGroupFixture.FOLDER, rowGroup, scan, ReaderOptions.DEFAULTS, resources);
    }

    private ColumnGroupMetadata metadata(RowGroup rowGroup)
            throws IOException
    {
        return RowGroupFixture.metadata(storage, rowGroup, rowGroup.columnGroups().getFirst());
    }
}
