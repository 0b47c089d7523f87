package io.albis.format.update;

import com.google.common.collect.ImmutableList;
import io.albis.filesystem.DelegatingOutputFile;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.RowGroupSchema;
import io.albis.format.write.RollingRowGroupWriter;
import io.albis.format.write.WriterOptions;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoOutputFile;
import io.trino.filesystem.memory.MemoryFileSystem;
import io.trino.memory.context.AggregatedMemoryContext;
import io.trino.spi.Page;
import io.trino.spi.block.LongArrayBlock;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import static com.google.common.collect.Iterables.getOnlyElement;
import static io.trino.spi.type.BigintType.BIGINT;
import static org.assertj.core.api.Assertions.assertThat;

final class TestColumnRewriter
{
    private static final Location FOLDER = Location.of("memory:///table");
    private static final long BUFFER_SIZE = 1 << 25;

    /**
     * The output stream of an object storage has a buffer for a part of the file.
     */
    @Test
    void testMemoryOfOutputBuffers()
            throws IOException
    {
        MemoryFileSystem fileSystem = new BufferingFileSystem();
        List<AlbisColumn> columns = ImmutableList.of(AlbisColumn.make(1, "a", BIGINT), AlbisColumn.make(2, "b", BIGINT));
        RollingRowGroupWriter writer = new RollingRowGroupWriter(fileSystem, FOLDER, new RowGroupSchema(columns, ImmutableList.of(AlbisColumnGroup.make(columns))), WriterOptions.DEFAULTS);
        LongArrayBlock block = new LongArrayBlock(3, Optional.empty(), new long[] {1, 2, 3});
        writer.append(new Page(block, block));
        RowGroup rowGroup = getOnlyElement(writer.finish());

        List<AlbisColumnGroup> apart = ImmutableList.of(AlbisColumnGroup.make(columns.get(0)), AlbisColumnGroup.make(columns.get(1)));
        try (ColumnRewriter rewriter = ColumnRewriter.open(fileSystem, FOLDER, rowGroup, apart, WriterOptions.DEFAULTS, ImmutableList.of(), new RowUpdates(), UUID::randomUUID)) {
            assertThat(rewriter.memoryUsage()).isBetween(2 * BUFFER_SIZE, 3 * BUFFER_SIZE);
            rewriter.abort(new IOException());
        }
    }

    private static final class BufferingFileSystem
            extends MemoryFileSystem
    {
        @Override
        public TrinoOutputFile newOutputFile(Location location)
        {
            return new DelegatingOutputFile(super.newOutputFile(location))
            {
                @Override
                public OutputStream create(AggregatedMemoryContext memoryContext)
                        throws IOException
                {
                    memoryContext.newLocalMemoryContext("buffer").setBytes(BUFFER_SIZE);
                    return super.create(memoryContext);
                }
            };
        }
    }
}
