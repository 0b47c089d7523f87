package io.albis.benchmarks.format.file;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.format.data.Dataset;
import io.albis.benchmarks.format.data.KeyedRows;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoInputFile;
import io.trino.filesystem.local.LocalFileSystem;
import io.trino.parquet.ParquetDataSource;
import io.trino.parquet.ParquetReaderOptions;
import io.trino.parquet.metadata.BlockMetadata;
import io.trino.parquet.metadata.ColumnChunkMetadata;
import io.trino.parquet.metadata.IndexReference;
import io.trino.parquet.reader.MetadataReader;
import io.trino.plugin.base.metrics.FileFormatDataSourceStats;
import org.apache.parquet.format.ColumnIndex;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.OffsetIndex;
import org.apache.parquet.format.PageLocation;
import org.apache.parquet.format.Util;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.memory.context.AggregatedMemoryContext.newSimpleAggregatedMemoryContext;
import static io.trino.plugin.hive.parquet.ParquetPageSourceFactory.createDataSource;
import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;

class TestParquetIndexes
{
    @TempDir
    private Path folder;

    @Test
    void testBoundsOfPages()
            throws IOException
    {
        Dataset dataset = new KeyedRows(true, 50_000);
        new ParquetFormat(CompressionCodec.SNAPPY, true).write(folder, dataset.columns(), dataset.pages());
        BlockMetadata rowGroup = onlyRowGroup();
        assertThat(rowGroup.columns()).hasSize(10);
        for (ColumnChunkMetadata column : rowGroup.columns()) {
            assertThat(firstRows(column)).containsExactly(0L, 16_384L, 32_768L, 49_152L);
        }
        // The key is the number of the row
        ColumnIndex index = Util.readColumnIndex(input(rowGroup.columns().getFirst().getColumnIndexReference()));
        assertThat(longs(index.getMin_values())).containsExactly(0L, 16_384L, 32_768L, 49_152L);
        assertThat(longs(index.getMax_values())).containsExactly(16_383L, 32_767L, 49_151L, 49_999L);
    }

    private BlockMetadata onlyRowGroup()
            throws IOException
    {
        TrinoInputFile file = new LocalFileSystem(folder).newInputFile(Location.of("local:///file.parquet"));
        ParquetReaderOptions options = ParquetReaderOptions.defaultOptions();
        try (ParquetDataSource dataSource = createDataSource(file, OptionalLong.empty(), options, newSimpleAggregatedMemoryContext(), new FileFormatDataSourceStats())) {
            List<BlockMetadata> rowGroups = ImmutableList.copyOf(MetadataReader.readFooter(dataSource, options, Optional.empty(), Optional.empty()).getBlocks());
            assertThat(rowGroups).hasSize(1);
            return rowGroups.getFirst();
        }
    }

    private List<Long> firstRows(ColumnChunkMetadata column)
            throws IOException
    {
        OffsetIndex index = Util.readOffsetIndex(input(column.getOffsetIndexReference()));
        return index.getPage_locations().stream()
                .map(PageLocation::getFirst_row_index)
                .collect(toImmutableList());
    }

    private ByteArrayInputStream input(IndexReference reference)
            throws IOException
    {
        byte[] file = Files.readAllBytes(folder.resolve("file.parquet"));
        int offset = (int) reference.getOffset();
        return new ByteArrayInputStream(Arrays.copyOfRange(file, offset, offset + reference.getLength()));
    }

    private static List<Long> longs(List<ByteBuffer> values)
    {
        return values.stream()
                .map(value -> value.duplicate().order(LITTLE_ENDIAN).getLong())
                .collect(toImmutableList());
    }
}
