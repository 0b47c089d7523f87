package io.albis.table.partition;

import com.google.common.collect.ImmutableList;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.RowGroupSchema;
import io.albis.format.write.RollingRowGroupWriter;
import io.albis.format.write.WriterOptions;
import io.albis.table.model.PartitionField;
import io.trino.filesystem.Location;
import io.trino.filesystem.memory.MemoryFileSystem;
import io.trino.spi.Page;
import io.trino.spi.block.LongArrayBlock;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import static io.albis.table.model.PartitionTransform.IDENTITY;
import static io.trino.spi.type.BigintType.BIGINT;
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

    private static void appendPartitions(PartitionedWriter writer, int count)
            throws IOException
    {
        for (int i = 0; i < count; i++) {
            writer.append(page(i, 3));
        }
    }

    private PartitionedWriter writer(long maxBytes)
    {
        return new PartitionedWriter(
                fileSystem,
                FOLDER,
                ImmutableList.of(new PartitionField(1, IDENTITY, 0)),
                SCHEMA,
                () -> new RollingRowGroupWriter(fileSystem, FOLDER, SCHEMA, WriterOptions.DEFAULTS),
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
