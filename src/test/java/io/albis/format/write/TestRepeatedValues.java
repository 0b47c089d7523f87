package io.albis.format.write;

import com.google.common.collect.ImmutableList;
import com.sun.management.ThreadMXBean;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.albis.filesystem.DelegatingOutputFile;
import io.albis.filesystem.TestingForwardingFileSystem;
import io.albis.format.AlbisSchema;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.AlbisLayout;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.TrinoOutputFile;
import io.trino.filesystem.memory.MemoryFileSystemFactory;
import io.trino.memory.context.AggregatedMemoryContext;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.DictionaryBlock;
import io.trino.spi.block.RunLengthEncodedBlock;
import io.trino.spi.block.VariableWidthBlock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.util.Optional;

import static io.trino.spi.security.ConnectorIdentity.ofUser;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * A value that is repeated in many rows is written in regions. The memory that is allocated between two writes, while
 * the values of one segment are collected, does not depend on the number of repetitions.
 */
final class TestRepeatedValues
{
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final Location FOLDER = Location.of("memory:///table");
    private static final int ROWS = 8192;
    private static final AlbisColumn TEXT = AlbisColumn.make(1, "text", VARCHAR);
    private static final AlbisColumn NUMBER = AlbisColumn.make(2, "number", BIGINT);

    // bytes allocated at the last write, and the maximum between two writes
    private long allocated;
    private long mostAllocated;

    @ParameterizedTest
    @EnumSource
    void testRunLength(AlbisLayout layout)
            throws IOException
    {
        for (int size : new int[] {100 << 10, 256 << 10}) {
            assertLittleMemory(layout, RunLengthEncodedBlock.create(VARCHAR, text(size), ROWS), size);
        }
    }

    @ParameterizedTest
    @EnumSource
    void testDictionary(AlbisLayout layout)
            throws IOException
    {
        int[] ids = new int[ROWS];
        for (int row = 0; row < ROWS; row++) {
            ids[row] = row % 3;
        }
        Slice values = Slices.allocate(300 << 10);
        values.setByte(250 << 10, 1);
        // the last entry is null
        Block dictionary = new VariableWidthBlock(3, values, new int[] {0, 250 << 10, 300 << 10, 300 << 10}, Optional.of(new long[] {0b011}));
        assertLittleMemory(layout, DictionaryBlock.create(ROWS, dictionary, ids), 250 << 10);
    }

    private void assertLittleMemory(AlbisLayout layout, Block texts, int size)
            throws IOException
    {
        AlbisSchema schema = AlbisSchema.makeSchema(AlbisColumnGroup.make(layout, TEXT, NUMBER));
        RollingRowGroupWriter writer = new RollingRowGroupWriter(discarding(), FOLDER, schema.rowGroupSchema(), WriterOptions.DEFAULTS);
        Page page = new Page(texts, RunLengthEncodedBlock.create(BIGINT, 5L, ROWS));
        mostAllocated = 0;
        allocated = THREADS.getCurrentThreadAllocatedBytes();
        writer.append(page);
        step();
        long accounted = writer.memoryUsage();
        long rows = writer.finish().stream().mapToLong(RowGroup::rows).sum();
        step();
        assertThat(rows).isEqualTo(ROWS);
        // growing arrays are copied, and a segment is encoded into another array
        assertThat(mostAllocated).as("%s values of %s bytes, %s accounted", ROWS, size, accounted).isLessThan(16L << 20);
    }

    @Test
    void testNulls()
            throws IOException
    {
        AlbisSchema schema = AlbisSchema.makeSchema(AlbisColumnGroup.make(TEXT, NUMBER));
        int rows = 10_000_000;
        mostAllocated = 0;
        allocated = THREADS.getCurrentThreadAllocatedBytes();
        RollingRowGroupWriter writer = new RollingRowGroupWriter(discarding(), FOLDER, schema.rowGroupSchema(), WriterOptions.DEFAULTS);
        writer.append(new Page(RunLengthEncodedBlock.create(VARCHAR, null, rows), RunLengthEncodedBlock.create(BIGINT, null, rows)));
        assertThat(writer.finish().stream().mapToLong(RowGroup::rows).sum()).isEqualTo(rows);
        step();
        assertThat(mostAllocated).isLessThan(16L << 20);
    }

    @ParameterizedTest
    @EnumSource
    void testRowsThatAreTooLarge(AlbisLayout layout)
    {
        // 1.07 GB in one row, of columns that share their bytes
        int size = 67 << 20;
        ImmutableList.Builder<AlbisColumn> columns = ImmutableList.builder();
        Block[] blocks = new Block[16];
        Block block = new VariableWidthBlock(1, Slices.allocate(size), new int[] {0, size}, Optional.empty());
        for (int column = 0; column < blocks.length; column++) {
            columns.add(AlbisColumn.make(column + 1, "text" + column, VARCHAR));
            blocks[column] = column % 2 == 0 ? block : RunLengthEncodedBlock.create(block, 1);
        }
        AlbisSchema schema = AlbisSchema.makeSchema(AlbisColumnGroup.make(layout, columns.build()));
        RollingRowGroupWriter writer = new RollingRowGroupWriter(discarding(), FOLDER, schema.rowGroupSchema(), WriterOptions.DEFAULTS);
        allocated = THREADS.getCurrentThreadAllocatedBytes();
        assertThatThrownBy(() -> writer.append(new Page(blocks)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Row of %s bytes exceeds the maximum row size of 1073741824 bytes", 16L * size);
        assertThat(THREADS.getCurrentThreadAllocatedBytes() - allocated).isLessThan(16L << 20);
    }

    private static Slice text(int size)
    {
        Slice text = Slices.allocate(size);
        text.fill((byte) 'a');
        return text;
    }

    private void step()
    {
        long now = THREADS.getCurrentThreadAllocatedBytes();
        mostAllocated = Math.max(mostAllocated, now - allocated);
        allocated = now;
    }

    /**
     * A file system that discards what is written.
     */
    private TrinoFileSystem discarding()
    {
        return new TestingForwardingFileSystem(new MemoryFileSystemFactory().create(ofUser("test")))
        {
            @Override
            protected TrinoOutputFile wrap(TrinoOutputFile file)
            {
                return new DiscardedFile(file);
            }
        };
    }

    private final class DiscardedFile
            extends DelegatingOutputFile
    {
        private DiscardedFile(TrinoOutputFile file)
        {
            super(file);
        }

        @Override
        public OutputStream create(AggregatedMemoryContext memoryContext)
        {
            return new OutputStream()
            {
                @Override
                public void write(int value)
                {
                    step();
                }

                @Override
                public void write(byte[] bytes, int offset, int length)
                {
                    step();
                }
            };
        }
    }
}
