package io.albis.benchmarks.format.file;

import com.google.common.collect.ImmutableList;
import com.google.common.io.ByteStreams;
import com.google.common.io.CountingInputStream;
import com.google.common.io.CountingOutputStream;
import io.albis.benchmarks.format.data.Column;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.predicate.TupleDomain;
import org.apache.parquet.format.BoundaryOrder;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnIndex;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.OffsetIndex;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageLocation;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.Util;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Verify.verify;
import static io.trino.spi.type.BigintType.BIGINT;
import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * Adds page indexes to a Parquet file, as other writers than Trino's do: the location of each page and its minimum and
 * maximum values. Supports only bigint columns without nulls.
 */
final class ParquetIndexes
{
    private static final byte[] MAGIC = "PAR1".getBytes(US_ASCII);

    private ParquetIndexes() {}

    /**
     * Adds indexes to a file.
     *
     * @param table the table that consists of the file
     */
    public static void add(Path file, StoredTable table, List<Column> columns)
            throws IOException
    {
        checkArgument(columns.stream().allMatch(column -> column.type().equals(BIGINT)), "only bigint is supported: %s", columns);
        long footer = footerOffset(file);
        FileMetaData metadata = readMetadata(file, footer);
        Path indexed = file.resolveSibling("indexed");
        try (InputStream input = new BufferedInputStream(Files.newInputStream(file));
                CountingOutputStream output = new CountingOutputStream(new BufferedOutputStream(Files.newOutputStream(indexed)))) {
            ByteStreams.limit(input, footer).transferTo(output);
            for (int column = 0; column < columns.size(); column++) {
                try (Values values = new Values(table.scan(new Scan(ImmutableList.of(column), TupleDomain.all())))) {
                    for (RowGroup rowGroup : metadata.getRow_groups()) {
                        addIndexes(file, rowGroup.getColumns().get(column), values, output);
                    }
                }
            }
            long begin = output.getCount();
            Util.writeFileMetaData(metadata, output);
            output.write(ByteBuffer.allocate(Integer.BYTES).order(LITTLE_ENDIAN).putInt((int) (output.getCount() - begin)).array());
            output.write(MAGIC);
        }
        Files.move(indexed, file, StandardCopyOption.REPLACE_EXISTING);
    }

    private static long footerOffset(Path file)
            throws IOException
    {
        long size = Files.size(file);
        try (InputStream input = Files.newInputStream(file)) {
            input.skipNBytes(size - MAGIC.length - Integer.BYTES);
            int length = ByteBuffer.wrap(input.readNBytes(Integer.BYTES)).order(LITTLE_ENDIAN).getInt();
            return size - MAGIC.length - Integer.BYTES - length;
        }
    }

    private static FileMetaData readMetadata(Path file, long footer)
            throws IOException
    {
        try (InputStream input = Files.newInputStream(file)) {
            input.skipNBytes(footer);
            return Util.readFileMetaData(input);
        }
    }

    private static void addIndexes(Path file, ColumnChunk chunk, Values values, CountingOutputStream output)
            throws IOException
    {
        List<PageLocation> locations = new ArrayList<>();
        List<Boolean> nullPages = new ArrayList<>();
        List<ByteBuffer> leasts = new ArrayList<>();
        List<ByteBuffer> greatests = new ArrayList<>();
        ColumnMetaData metadata = chunk.getMeta_data();
        long begin = metadata.isSetDictionary_page_offset() ? Math.min(metadata.getDictionary_page_offset(), metadata.getData_page_offset()) : metadata.getData_page_offset();
        long rows = 0;
        try (CountingInputStream input = new CountingInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
            input.skipNBytes(begin);
            while (rows < metadata.getNum_values()) {
                long offset = input.getCount();
                PageHeader header = Util.readPageHeader(input);
                input.skipNBytes(header.getCompressed_page_size());
                if (header.isSetData_page_header()) {
                    locations.add(new PageLocation(offset, (int) (input.getCount() - offset), rows));
                    int count = header.getData_page_header().getNum_values();
                    values.read(count);
                    nullPages.add(false);
                    leasts.add(bytes(values.least));
                    greatests.add(bytes(values.greatest));
                    rows += count;
                }
            }
        }
        chunk.setColumn_index_offset(output.getCount());
        Util.writeColumnIndex(new ColumnIndex(nullPages, leasts, greatests, BoundaryOrder.UNORDERED), output);
        chunk.setColumn_index_length((int) (output.getCount() - chunk.getColumn_index_offset()));
        chunk.setOffset_index_offset(output.getCount());
        Util.writeOffsetIndex(new OffsetIndex(locations), output);
        chunk.setOffset_index_length((int) (output.getCount() - chunk.getOffset_index_offset()));
    }

    private static ByteBuffer bytes(long value)
    {
        return ByteBuffer.allocate(Long.BYTES).order(LITTLE_ENDIAN).putLong(value).flip();
    }

    /**
     * The values of a column, read in batches of a given size.
     */
    private static class Values
            implements AutoCloseable
    {
        private final Pages pages;
        private Block block;
        private int position;
        private long least;
        private long greatest;

        public Values(Pages pages)
        {
            this.pages = pages;
        }

        public void read(int count)
                throws IOException
        {
            least = Long.MAX_VALUE;
            greatest = Long.MIN_VALUE;
            for (int i = 0; i < count; i++) {
                if (block == null || position == block.getPositionCount()) {
                    Page page = pages.next();
                    verify(page != null, "there are less values than the pages have");
                    block = page.getBlock(0);
                    position = 0;
                }
                verify(!block.isNull(position), "a null");
                long value = BIGINT.getLong(block, position);
                least = Math.min(least, value);
                greatest = Math.max(greatest, value);
                position++;
            }
        }

        @Override
        public void close()
                throws IOException
        {
            pages.close();
        }
    }
}
