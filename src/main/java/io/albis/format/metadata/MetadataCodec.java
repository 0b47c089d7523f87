package io.albis.format.metadata;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.DynamicSliceOutput;
import io.airlift.slice.Slice;
import io.airlift.slice.SliceInput;
import io.airlift.slice.SliceOutput;
import io.albis.format.io.AlbisDataException;
import io.albis.format.io.Decoding;
import io.albis.format.io.FileFrame;
import io.albis.format.io.FileKind;
import io.albis.format.io.FileSection;
import io.albis.format.io.TooNewException;
import io.albis.format.run.Chunk;
import io.albis.format.run.NodeChunks;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.statistics.ColumnStatistics;
import io.trino.filesystem.Location;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.format.statistics.StatisticsCodec.readCount;

/**
 * Encodes and decodes the {@code metadata} file of a column group; see {@code docs/format.md}.
 */
public final class MetadataCodec
{
    private static final int MIN_COLUMN_SIZE = Integer.BYTES + 1 + Short.BYTES;

    private MetadataCodec() {}

    /**
     * Encodes the sections of a {@code metadata} file.
     *
     * @param nodes the chunks of all segments, for each node
     * @param statistics for each column, the statistics of all segments
     * @param runBounds for each column, the encoded bounds of the runs, if they are stored
     * @param valueLists for each column, the encoded description of its index, if it has one
     * @param fields the statistics of fields of nested columns
     */
    public static List<FileSection> sections(
            AlbisLayout layout,
            List<StoredColumn> columns,
            List<List<NodeChunks>> nodes,
            List<List<ColumnStatistics>> statistics,
            List<Optional<Slice>> runBounds,
            List<Optional<Slice>> valueLists,
            List<FieldStatistics> fields)
    {
        ImmutableList.Builder<FileSection> sections = ImmutableList.builder();
        ColumnNodes tree = new ColumnNodes(layout, columns);
        for (int node = 0; node < nodes.size(); node++) {
            List<Chunk> chunks = nodes.get(node).stream()
                    .flatMap(segment -> segment.chunks().stream())
                    .collect(toImmutableList());
            sections.add(MetadataSections.chunks(tree.columnOfChunks(node), chunks));
            if (tree.isRepeated(node)) {
                sections.add(MetadataSections.elements(node, nodes.get(node)));
            }
        }
        for (int column = 0; column < statistics.size(); column++) {
            int node = switch (layout) {
                case ROW -> column;
                case BLOCK -> tree.root(column);
            };
            sections.add(MetadataSections.statistics(node, statistics.get(column)));
            if (runBounds.get(column).isPresent()) {
                sections.add(new FileSection(MetadataSections.RUN_BOUNDS, node, runBounds.get(column).get()));
            }
            if (valueLists.get(column).isPresent()) {
                sections.add(new FileSection(MetadataSections.VALUE_LIST, node, valueLists.get(column).get()));
            }
        }
        for (FieldStatistics field : fields) {
            int node = tree.columnOfField(field.column(), field.node());
            sections.add(MetadataSections.statistics(node, field.segments()));
            field.runBounds().ifPresent(bounds -> sections.add(new FileSection(MetadataSections.RUN_BOUNDS, node, bounds)));
        }
        return sections.build();
    }

    /**
     * Encodes a {@code metadata} file.
     *
     * @param dataBytes size of the data file in bytes
     * @param segmentRows number of rows of each segment
     */
    public static Slice encode(UUID id, AlbisLayout layout, List<StoredColumn> columns, long dataBytes, List<Integer> segmentRows, List<FileSection> sections)
    {
        SliceOutput output = new DynamicSliceOutput(1024);
        FileFrame.writeFeatures(output);
        output.writeByte(layout.code());
        output.writeInt(columns.size());
        for (StoredColumn column : columns) {
            StoredColumnCodec.write(column, output);
        }
        output.writeLong(dataBytes);
        output.writeInt(segmentRows.size());
        for (int rows : segmentRows) {
            output.writeInt(rows);
        }
        FileSection.write(sections, output);
        return FileFrame.frame(FileKind.METADATA, id, output.slice());
    }

    /**
     * Verifies and decodes a {@code metadata} file. Chunks and statistics are decoded later, when they are requested.
     *
     * @param location name of the file, for error messages
     * @throws AlbisDataException if the file is damaged, belongs to another column group, or has an unsupported version
     */
    public static ColumnGroupMetadata decode(Location location, Optional<UUID> expectedId, Slice file)
            throws AlbisDataException
    {
        Slice body = FileFrame.unframe(location, FileKind.METADATA, expectedId, file);
        return Decoding.decode(location, () -> decode(location, body));
    }

    private static ColumnGroupMetadata decode(Location location, Slice body)
            throws AlbisDataException
    {
        SliceInput input = body.getInput();
        FileFrame.checkFeatures(location, FileKind.METADATA, input);
        int layoutCode = input.readUnsignedByte();
        AlbisLayout layout = AlbisLayout.find(layoutCode).orElseThrow(() -> new TooNewException("unknown layout %s", layoutCode));
        int columnCount = readCount(input, MIN_COLUMN_SIZE);
        List<StoredColumn> columns = new ArrayList<>();
        for (int i = 0; i < columnCount; i++) {
            columns.add(StoredColumnCodec.read(input));
        }
        long dataBytes = input.readLong();
        int[] segmentRows = new int[readCount(input, Integer.BYTES)];
        for (int segment = 0; segment < segmentRows.length; segment++) {
            segmentRows[segment] = input.readInt();
        }
        ColumnNodes nodes = new ColumnNodes(layout, columns);
        MetadataSections sections = MetadataSections.find(nodes, FileSection.read(location, input, MetadataSections.KINDS));
        return new ColumnGroupMetadata(location, layout, columns, nodes, dataBytes, segmentRows, sections);
    }
}
