package io.albis.table.partition;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.Slices;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.RowGroupSchema;
import io.albis.format.write.RepeatedValues;
import io.albis.format.write.RollingRowGroupWriter;
import io.albis.format.write.WriterOptions;
import io.albis.table.model.PartitionField;
import io.trino.filesystem.Location;
import io.trino.filesystem.memory.MemoryFileSystem;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.DictionaryBlock;
import io.trino.spi.block.LongArrayBlock;
import io.trino.spi.block.RowBlock;
import io.trino.spi.block.RunLengthEncodedBlock;
import io.trino.spi.type.RowType;
import io.trino.spi.type.Type;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import static io.albis.table.model.PartitionTransform.IDENTITY;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static org.assertj.core.api.Assertions.assertThat;

final class TestPartitionedWriter
{
    private static final Location FOLDER = Location.of("memory:///table");
    private static final List<AlbisColumn> COLUMNS = ImmutableList.of(AlbisColumn.make(1, "part", BIGINT), AlbisColumn.make(2, "value", BIGINT));
    private static final RowGroupSchema SCHEMA = new RowGroupSchema(COLUMNS, ImmutableList.of(AlbisColumnGroup.make(COLUMNS)));

    private final MemoryFileSystem fileSystem = new MemoryFileSystem();

    /**
     * A partition that exceeds the limit alone is one row group, as in a table that is not partitioned.
     */
    @Test
    void testOnePartition()
            throws IOException
    {
        PartitionedWriter writer = writer(1);
        for (int i = 0; i < 5; i++) {
            writer.append(page(7, 2000));
        }
        assertThat(writer.finish()).hasSize(1).allMatch(rowGroup -> rowGroup.rows() == 10_000);
    }

    /**
     * Row groups that are finished stay in memory until the commit.
     */
    @Test
    void testMemoryOfFinishedRowGroups()
            throws IOException
    {
        PartitionedWriter writer = writer(1);
        appendPartitions(writer, 10);
        long before = writer.memoryUsage();
        appendPartitions(writer, 110);
        assertThat(writer.memoryUsage() - before).isBetween(100 * 200L, 100 * 4000L);
        List<RowGroup> rowGroups = writer.finish();
        // the partition that was open can get more rows
        assertThat(rowGroups).hasSizeBetween(119, 120).allMatch(rowGroup -> rowGroup.partition().size() == 1);
    }

    @Test
    void testAbort()
            throws IOException
    {
        PartitionedWriter writer = writer(1 << 20);
        appendPartitions(writer, 10);
        writer.append(page(11, 5000));
        writer.abort();
        assertThat(fileSystem.listFiles(FOLDER).hasNext()).isFalse();

        writer = writer(1);
        appendPartitions(writer, 10);
        assertThat(writer.finish()).hasSize(10);
        assertThat(fileSystem.listFiles(FOLDER).hasNext()).isTrue();
        writer.abort();
        assertThat(fileSystem.listFiles(FOLDER).hasNext()).isFalse();
    }

    /**
     * A page may have a value once for many rows. The buffer of a partition has it for each row, and keeps its limit.
     */
    @Test
    void testRepeatedValues()
            throws IOException
    {
        int rows = 8192;
        int size = 300 << 10;
        Block text = RunLengthEncodedBlock.create(VARCHAR, Slices.allocate(size), rows);
        Block dictionary = DictionaryBlock.create(rows, text.getUnderlyingValueBlock(), new int[rows]);
        Block row = RowBlock.fromFieldBlocks(rows, new Block[] {text});
        Block nestedRow = RowBlock.fromFieldBlocks(rows, new Block[] {dictionary});
        RowType rowType = RowType.anonymous(ImmutableList.of(VARCHAR));
        int[] positions = IntStream.range(0, rows).filter(position -> position % 2 == 0).toArray();
        for (Block values : ImmutableList.of(text, dictionary, row, nestedRow)) {
            List<Type> types = ImmutableList.of(values.getUnderlyingValueBlock() instanceof RowBlock ? rowType : VARCHAR);
            Page page = new Page(values);
            OpenPartition partition = new OpenPartition(Slices.EMPTY_SLICE, types);
            int added = partition.add(page, RepeatedValues.ofAll(types, page), positions, 100, positions.length);
            assertThat(added).isEqualTo(4);
            assertThat(partition.isBufferFull()).isTrue();
            assertThat(partition.countMemory()).isLessThan(4 << 20);
            assertThat(partition.takeBuffer().getPositionCount()).isEqualTo(added);
        }

        List<AlbisColumn> columns = ImmutableList.of(AlbisColumn.make(1, "part", BIGINT), AlbisColumn.make(2, "value", VARCHAR));
        RowGroupSchema schema = new RowGroupSchema(columns, ImmutableList.of(AlbisColumnGroup.make(columns)));
        PartitionedWriter writer = writer(schema, 1 << 20);
        long[] parts = LongStream.range(0, rows).map(position -> position % 3).toArray();
        writer.append(new Page(new LongArrayBlock(rows, Optional.empty(), parts), RunLengthEncodedBlock.create(VARCHAR, Slices.allocate(10_000), rows)));
        assertThat(writer.memoryUsage()).isLessThan(16 << 20);
        assertThat(writer.finish().stream().mapToLong(RowGroup::rows).sum()).isEqualTo(rows);
    }

    private static void appendPartitions(PartitionedWriter writer, int count)
            throws IOException
    {
        for (int i = 0; i < count; i++) {
            writer.append(page(i, 3));
        }
    }

    private PartitionedWriter writer(long maxBytes)
    {
        return writer(SCHEMA, maxBytes);
    }

    private PartitionedWriter writer(RowGroupSchema schema, long maxBytes)
    {
        return new PartitionedWriter(
                fileSystem,
                FOLDER,
                ImmutableList.of(new PartitionField(1, IDENTITY, 0)),
                schema,
                () -> new RollingRowGroupWriter(fileSystem, FOLDER, schema, WriterOptions.DEFAULTS),
                maxBytes);
    }

    private static Page page(long partition, int rows)
    {
        long[] values = new long[rows];
        Arrays.fill(values, partition);
        LongArrayBlock block = new LongArrayBlock(rows, Optional.empty(), values);
        return new Page(block, block);
    }
}
