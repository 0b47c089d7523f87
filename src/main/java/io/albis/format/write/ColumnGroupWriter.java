package io.albis.format.write;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.Slice;
import io.albis.format.index.ValueList;
import io.albis.format.index.ValueListCodec;
import io.albis.format.index.ValueListWriter;
import io.albis.format.io.FileSection;
import io.albis.format.io.OutputFiles;
import io.albis.format.layout.SegmentEncoder;
import io.albis.format.layout.block.node.BlockSegmentEncoder;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.FieldBounds;
import io.albis.format.metadata.FieldStatistics;
import io.albis.format.metadata.MetadataCodec;
import io.albis.format.metadata.StoredColumn;
import io.albis.format.run.ChunkOutput;
import io.albis.format.run.Compression;
import io.albis.format.run.NodeChunks;
import io.albis.format.run.Run;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.format.statistics.KeyScratch;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.memory.context.AggregatedMemoryContext;
import io.trino.spi.block.ValueBlock;
import jakarta.annotation.Nullable;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

import static com.google.common.base.Preconditions.checkState;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.format.metadata.ColumnGroupInstance.folderName;
import static java.util.Objects.requireNonNull;

/**
 * Writes the two files of one column group of one row group. Keeps one segment in memory.
 */
final class ColumnGroupWriter
{
    private final TrinoFileSystem fileSystem;
    private final Location folder;
    private final UUID id;
    private final AlbisColumnGroup columnGroup;
    private final SegmentEncoder encoder;
    private final Compression compression;
    // null until the file is created
    @Nullable
    private ChunkOutput output;
    private final List<ColumnStatisticsWriter> statistics;
    private final List<FieldStatisticsWriter> fields;
    // those of the columns and of the fields
    private final List<ColumnStatisticsWriter> allStatistics;
    // for each column that has an index
    private final List<Optional<ValueListWriter>> indexes;
    private final List<Optional<Slice>> valueLists = new ArrayList<>();
    private final List<Integer> segmentRows = new ArrayList<>();
    // what all segments store, for each node
    private final List<List<NodeChunks>> nodes = new ArrayList<>();

    private int rows;
    private boolean closed;

    ColumnGroupWriter(TrinoFileSystem fileSystem, Location rowGroupFolder, UUID id, AlbisColumnGroup columnGroup, WriterOptions options, Compression compression)
    {
        this.fileSystem = fileSystem;
        this.id = id;
        this.folder = rowGroupFolder.appendPath(folderName(id));
        this.columnGroup = columnGroup;
        this.encoder = createEncoder(columnGroup, options);
        this.compression = requireNonNull(compression, "compression is null");
        KeyScratch scratch = new KeyScratch();
        this.statistics = columnGroup.columns().stream()
                .map(column -> new ColumnStatisticsWriter(column, scratch, options.runBounds()))
                .collect(toImmutableList());
        ImmutableList.Builder<FieldStatisticsWriter> fields = ImmutableList.builder();
        for (int column = 0; column < columnGroup.columns().size(); column++) {
            fields.addAll(FieldStatisticsWriter.create(columnGroup.columns().get(column), column, scratch, options.runBounds()));
        }
        this.fields = fields.build();
        this.allStatistics = Stream.concat(statistics.stream(), this.fields.stream().map(FieldStatisticsWriter::statistics)).collect(toImmutableList());
        this.indexes = columnGroup.columns().stream()
                .map(column -> options.indexedColumns().contains(column.id()) ? Optional.of(new ValueListWriter(column.type())) : Optional.<ValueListWriter>empty())
                .collect(toImmutableList());
    }

    /**
     * Creates the data file. {@link #abort} closes it even if this method fails.
     */
    void open(AggregatedMemoryContext memoryContext)
            throws IOException
    {
        output = new ChunkOutput(OutputFiles.create(fileSystem, dataFile(), memoryContext), id, compression);
        output.writeHeader();
    }

    void prepare(ValueBlock[] blocks, int positionCount)
    {
        encoder.prepare(blocks, positionCount);
    }

    /**
     * Returns how many of the rows starting at {@code offset} fit into the segment. An empty segment accepts at least
     * one row.
     */
    int rowsThatFit(ValueBlock[] blocks, int offset, int count)
    {
        int fitting = encoder.rowsThatFit(blocks, offset, count);
        return rows == 0 ? Math.min(count, Math.max(1, fitting)) : fitting;
    }

    boolean isSegmentFull()
    {
        return encoder.isFull();
    }

    void append(ValueBlock[] blocks, int offset, int count)
    {
        encoder.append(blocks, offset, count);
        for (int column = 0; column < blocks.length; column++) {
            statistics.get(column).append(blocks[column], offset, count);
            if (indexes.get(column).isPresent()) {
                indexes.get(column).get().append(blocks[column], offset, count);
            }
        }
        for (FieldStatisticsWriter field : fields) {
            field.append(blocks[field.column()], offset, count);
        }
        rows += count;
        if (rows % Run.MAX_ROWS == 0) {
            allStatistics.forEach(column -> column.closeRun(Run.MAX_ROWS));
        }
    }

    /**
     * Releases all references to blocks that were appended. The last value, which may be large, is copied only if its
     * segment continues.
     */
    void releasePage()
    {
        allStatistics.forEach(ColumnStatisticsWriter::releasePage);
    }

    void closeSegment()
            throws IOException
    {
        List<NodeChunks> finished = encoder.finish(output);
        for (int node = 0; node < finished.size(); node++) {
            if (nodes.size() == node) {
                nodes.add(new ArrayList<>());
            }
            nodes.get(node).add(finished.get(node));
        }
        for (ColumnStatisticsWriter column : allStatistics) {
            if (rows % Run.MAX_ROWS > 0) {
                column.closeRun(rows % Run.MAX_ROWS);
            }
            column.closeSegment(rows);
        }
        segmentRows.add(rows);
        rows = 0;
    }

    void closeData()
            throws IOException
    {
        checkState(rows == 0, "the last segment must be closed first");
        for (Optional<ValueListWriter> index : indexes) {
            Optional<ValueList> written = index.isPresent() ? index.get().write(output) : Optional.empty();
            valueLists.add(written.map(ValueListCodec::encode));
        }
        output.writeEnd();
        closed = true;
        output.close();
    }

    ColumnGroupInstance writeMetadata()
            throws IOException
    {
        List<StoredColumn> columns = columnGroup.columns().stream()
                .map(column -> StoredColumn.of(column.id(), column.type(), column.fields()))
                .collect(toImmutableList());
        Slice file = MetadataCodec.encode(id, columnGroup.layout(), columns, output.offset(), segmentRows, sections(columns));
        try (OutputStream metadataOutput = OutputFiles.create(fileSystem, metadataFile())) {
            metadataOutput.write(file.byteArray(), file.byteArrayOffset(), file.length());
        }
        return new ColumnGroupInstance(
                id,
                columnGroup.columns().stream()
                        .map(AlbisColumn::id)
                        .collect(toImmutableList()),
                output.offset(),
                file.length());
    }

    private List<FileSection> sections(List<StoredColumn> columns)
    {
        List<List<ColumnStatistics>> segments = statistics.stream()
                .map(ColumnStatisticsWriter::segments)
                .collect(toImmutableList());
        List<Optional<Slice>> runBounds = statistics.stream()
                .map(ColumnStatisticsWriter::runBounds)
                .collect(toImmutableList());
        return MetadataCodec.sections(columnGroup.layout(), columns, nodes, segments, runBounds, valueLists, fieldStatistics());
    }

    private List<FieldStatistics> fieldStatistics()
    {
        return fields.stream()
                .map(FieldStatisticsWriter::finish)
                .flatMap(Optional::stream)
                .collect(toImmutableList());
    }

    List<ColumnStatistics> rowGroupStatistics()
    {
        return statistics.stream()
                .map(ColumnStatisticsWriter::rowGroup)
                .collect(toImmutableList());
    }

    /**
     * Adds the statistics of the fields of nested columns over the whole row group.
     */
    void addFieldBounds(FieldBounds.Builder bounds)
    {
        for (FieldStatisticsWriter field : fields) {
            bounds.add(field.path(), field.statistics().rowGroup());
        }
    }

    /**
     * Closes the data file. The caller deletes the folder.
     */
    void abort()
            throws IOException
    {
        if (!closed && output != null) {
            closed = true;
            output.close();
        }
    }

    Location folder()
    {
        return folder;
    }

    /**
     * Returns the size of the data file in bytes, including the segment in memory.
     */
    long dataBytes()
    {
        return output.offset() + encoder.size();
    }

    long retainedSize()
    {
        long size = encoder.retainedSize() + output.retainedSize();
        for (Optional<ValueListWriter> index : indexes) {
            size += index.isPresent() ? index.get().retainedSize() : 0;
        }
        return size;
    }

    private Location dataFile()
    {
        return folder.appendPath(ColumnGroupInstance.DATA_FILE);
    }

    private Location metadataFile()
    {
        return folder.appendPath(ColumnGroupInstance.METADATA_FILE);
    }

    private static SegmentEncoder createEncoder(AlbisColumnGroup columnGroup, WriterOptions options)
    {
        return switch (columnGroup.layout()) {
            case ROW -> RowLayoutEncoder.create(columnGroup.columns(), options);
            case BLOCK -> new BlockSegmentEncoder(columnGroup.columns(), options.segmentBytes(), options.blockEncoding());
        };
    }
}
