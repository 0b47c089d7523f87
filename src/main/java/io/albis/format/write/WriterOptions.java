package io.albis.format.write;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.albis.format.index.ValueListWriter;
import io.albis.format.layout.block.BlockEncoding;
import io.albis.format.metadata.DeletedRows;
import io.albis.format.run.Compression;

import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * Target sizes and encodings of the files that a writer creates.
 *
 * @param rowGroupBytes size at which a row group is closed: the total bytes of the data of its column groups
 * @param rowGroupRows maximum number of rows of a row group
 * @param segmentBytes maximum size of a segment in bytes, in each column group. In the block layout, this is the size
 *         of the widest column. A larger row has a segment of its own
 * @param blockEncoding encodings that may be used in the block layout
 * @param runBounds whether the bounds of runs are stored where they are much tighter than those of their segment
 * @param compression how runs and dictionaries are compressed if that makes them smaller
 * @param columnGroupCompressions the same for each column group, in the order of the schema; empty if {@code
 *         compression} applies to all of them
 * @param indexedColumns ids of the columns with an index
 */
public record WriterOptions(
        long rowGroupBytes,
        long rowGroupRows,
        int segmentBytes,
        BlockEncoding blockEncoding,
        boolean runBounds,
        Compression compression,
        List<Compression> columnGroupCompressions,
        Set<Integer> indexedColumns)
{
    public static final long MIN_ROW_GROUP_BYTES = 1 << 12;
    public static final int MIN_SEGMENT_BYTES = 1 << 10;
    public static final int MAX_SEGMENT_BYTES = 1 << 28;
    /**
     * Maximum number of rows of a row group that has an index.
     */
    public static final int MAX_ROWS_WITH_INDEX = ValueListWriter.MAX_ROWS;

    /**
     * Row groups of 120 MB, whose data file fits into one HDFS block of 128 MB although a row group is closed only
     * after it has reached its size, and segments of 1 MB as in the paper.
     */
    public static final WriterOptions DEFAULTS = new WriterOptions(120L << 20, Long.MAX_VALUE, 1 << 20, BlockEncoding.ALL, true, Compression.NONE, ImmutableList.of(), ImmutableSet.of());

    public WriterOptions
    {
        checkArgument(rowGroupBytes >= MIN_ROW_GROUP_BYTES, "rowGroupBytes is %s, but must be at least %s", rowGroupBytes, MIN_ROW_GROUP_BYTES);
        checkArgument(rowGroupRows > 0, "rowGroupRows is not positive: %s", rowGroupRows);
        checkArgument(segmentBytes >= MIN_SEGMENT_BYTES && segmentBytes <= MAX_SEGMENT_BYTES, "segmentBytes is %s, but must be between %s and %s", segmentBytes, MIN_SEGMENT_BYTES, MAX_SEGMENT_BYTES);
        requireNonNull(blockEncoding, "blockEncoding is null");
        requireNonNull(compression, "compression is null");
        columnGroupCompressions = ImmutableList.copyOf(columnGroupCompressions);
        indexedColumns = ImmutableSet.copyOf(indexedColumns);
    }

    public boolean narrowWidths()
    {
        return blockEncoding.narrowWidths();
    }

    public boolean dictionaries()
    {
        return blockEncoding.dictionaries();
    }

    public WriterOptions withRowGroupBytes(long rowGroupBytes)
    {
        return with(components -> components.rowGroupBytes = rowGroupBytes);
    }

    public WriterOptions withRowGroupRows(long rowGroupRows)
    {
        return with(components -> components.rowGroupRows = rowGroupRows);
    }

    public WriterOptions withSegmentBytes(int segmentBytes)
    {
        return with(components -> components.segmentBytes = segmentBytes);
    }

    public WriterOptions withBlockEncoding(BlockEncoding blockEncoding)
    {
        return with(components -> components.blockEncoding = blockEncoding);
    }

    public WriterOptions withNarrowWidths(boolean narrowWidths)
    {
        return withBlockEncoding(blockEncoding.withNarrowWidths(narrowWidths));
    }

    public WriterOptions withDictionaries(boolean dictionaries)
    {
        return withBlockEncoding(blockEncoding.withDictionaries(dictionaries));
    }

    public WriterOptions withRunBounds(boolean runBounds)
    {
        return with(components -> components.runBounds = runBounds);
    }

    public WriterOptions withCompression(Compression compression)
    {
        return with(components -> components.compression = compression);
    }

    public WriterOptions withColumnGroupCompressions(List<Compression> columnGroupCompressions)
    {
        return with(components -> components.columnGroupCompressions = columnGroupCompressions);
    }

    public WriterOptions withIndexedColumns(Set<Integer> indexedColumns)
    {
        return with(components -> components.indexedColumns = indexedColumns);
    }

    /**
     * Returns the maximum number of rows of a row group, which indexes and the format limit, too.
     */
    public long maxRowGroupRows()
    {
        return Math.min(rowGroupRows, indexedColumns.isEmpty() ? DeletedRows.MAX_ROWS : MAX_ROWS_WITH_INDEX);
    }

    /**
     * Returns the compression of a column group.
     */
    public Compression compression(int columnGroup)
    {
        return columnGroupCompressions.isEmpty() ? compression : columnGroupCompressions.get(columnGroup);
    }

    private WriterOptions with(Consumer<Components> change)
    {
        Components components = new Components(this);
        change.accept(components);
        return components.toOptions();
    }

    /**
     * A copy of the components of which one is replaced.
     */
    private static final class Components
    {
        private long rowGroupBytes;
        private long rowGroupRows;
        private int segmentBytes;
        private BlockEncoding blockEncoding;
        private boolean runBounds;
        private Compression compression;
        private List<Compression> columnGroupCompressions;
        private Set<Integer> indexedColumns;

        private Components(WriterOptions options)
        {
            this.rowGroupBytes = options.rowGroupBytes;
            this.rowGroupRows = options.rowGroupRows;
            this.segmentBytes = options.segmentBytes;
            this.blockEncoding = options.blockEncoding;
            this.runBounds = options.runBounds;
            this.compression = options.compression;
            this.columnGroupCompressions = options.columnGroupCompressions;
            this.indexedColumns = options.indexedColumns;
        }

        private WriterOptions toOptions()
        {
            return new WriterOptions(rowGroupBytes, rowGroupRows, segmentBytes, blockEncoding, runBounds, compression, columnGroupCompressions, indexedColumns);
        }
    }
}
