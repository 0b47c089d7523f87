package io.albis.format.write;

import com.sun.management.ThreadMXBean;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.albis.format.AlbisSchema;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.format.statistics.ValueOrder;
import io.trino.filesystem.Location;
import io.trino.filesystem.local.LocalFileSystem;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.VariableWidthBlock;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

import static com.google.common.collect.Iterables.getOnlyElement;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A text that is longer than a segment is copied only into the segment and into its run. A row may take 1 GiB, and the
 * memory is reported after the page is written.
 */
final class TestLongTexts
{
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int SIZE = 32 << 20;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource
    void testCopies(AlbisLayout layout)
            throws IOException
    {
        AlbisSchema schema = AlbisSchema.makeSchema(AlbisColumnGroup.make(layout, AlbisColumn.make(1, "text", VARCHAR)));
        RollingRowGroupWriter writer = new RollingRowGroupWriter(new LocalFileSystem(folder), Location.of("local:///table"), schema.rowGroupSchema(), WriterOptions.DEFAULTS.withRowGroupBytes(SIZE));
        Slice text = Slices.allocate(SIZE);
        text.fill((byte) 'a');
        // the text fills the row group, so the short one after it starts the next
        Block texts = new VariableWidthBlock(2, text, new int[] {0, SIZE - 1, SIZE}, Optional.empty());
        long before = THREADS.getCurrentThreadAllocatedBytes();
        writer.append(new Page(texts));
        long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
        long accounted = writer.memoryUsage();
        RowGroup first = writer.finish().getFirst();
        byte[] min = new byte[64];
        Arrays.fill(min, (byte) 'a');
        byte[] max = min.clone();
        max[63]++;
        assertThat(getOnlyElement(first.statistics()))
                .isEqualTo(new ColumnStatistics(1, 0, ValueOrder.CONSTANT, Optional.of(min), Optional.of(max), Optional.of("varchar")));
        assertThat((double) allocated / SIZE).as("copies of a text of %s bytes, %s bytes accounted", SIZE, accounted).isLessThan(2.2);
    }
}
