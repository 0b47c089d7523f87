package io.albis.format.metadata;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Lists;
import io.airlift.slice.Slice;
import io.airlift.slice.SliceInput;
import io.albis.format.io.AlbisDataException;
import io.albis.format.io.Decoding;
import io.albis.format.io.FileFrame;
import io.albis.format.run.Chunk;
import io.albis.format.run.DecodedLengths;
import io.albis.format.run.NodeSegment;
import io.albis.format.run.RowTooLargeException;
import io.albis.format.run.Segment;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.format.type.NestedKind;
import io.albis.format.type.StorageType;
import io.trino.filesystem.Location;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntPredicate;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.airlift.slice.SizeOf.estimatedSizeOf;
import static io.airlift.slice.SizeOf.instanceSize;
import static io.airlift.slice.SizeOf.sizeOf;
import static io.albis.format.io.AlbisDataException.damaged;
import static io.albis.format.type.NestedSizes.memorySize;
import static java.util.Objects.requireNonNull;

/**
 * The content of a {@code metadata} file: everything that is needed to read the data file next to it. It repeats the
 * types of the columns, so that a reader can skip the values of a column that the table has dropped (Albis paper,
 * section 3.4).
 * <p>
 * The checksum covers the whole file. The metadata of a column is parsed when it is first requested, so that the cost
 * of a wide table depends only on the columns that a query reads. Thread safe.
 */
public final class ColumnGroupMetadata
{
    private static final int INSTANCE_SIZE = instanceSize(ColumnGroupMetadata.class);
    // Bytes of a parsed chunk and its statistics, measured as the sum of the object sizes rather than the size on
    // storage.
    private static final int PARSED_SIZE = 512;

    private final Location location;
    private final AlbisLayout layout;
    private final List<StoredColumn> columns;
    private final ColumnNodes nodes;
    private final long dataBytes;
    private final int[] segmentRows;
    private final long rows;
    private final MetadataSections sections;
    // for each node
    private final AtomicReferenceArray<List<NodeSegment>> nodeSegments;
    // for each column
    private final StoredStatistics columnStatistics;
    // for each node
    private final StoredStatistics fieldStatistics;

    /**
     * Creates the content of a {@code metadata} file. The sections of columns are parsed later.
     *
     * @param nodes the nodes of the columns
     * @param segmentRows number of rows of each segment
     */
    ColumnGroupMetadata(Location location, AlbisLayout layout, List<StoredColumn> columns, ColumnNodes nodes, long dataBytes, int[] segmentRows, MetadataSections sections)
    {
        this.location = requireNonNull(location, "location is null");
        this.layout = requireNonNull(layout, "layout is null");
        this.columns = ImmutableList.copyOf(columns);
        this.nodes = requireNonNull(nodes, "nodes is null");
        this.dataBytes = dataBytes;
        this.segmentRows = segmentRows;
        this.sections = requireNonNull(sections, "sections is null");
        checkArgument(!columns.isEmpty(), "no columns");
        checkArgument(segmentRows.length > 0, "no segments");
        checkArgument(dataBytes >= FileFrame.HEADER_SIZE + Segment.END_SLACK, "a data file cannot have %s bytes", dataBytes);
        long rows = 0;
        for (int count : segmentRows) {
            checkArgument(count > 0 && count <= Segment.MAX_ROWS, "a segment has %s rows", count);
            rows += count;
        }
        this.rows = rows;
        this.nodeSegments = new AtomicReferenceArray<>(sections.chunks().size());
        this.columnStatistics = new StoredStatistics(location, segmentRows, Lists.transform(sections.statistics(), Optional::of), sections.runBounds());
        this.fieldStatistics = new StoredStatistics(location, segmentRows, sections.fieldStatistics(), sections.fieldRunBounds());
    }

    /**
     * Returns the location of the file, for error messages.
     */
    public Location location()
    {
        return location;
    }

    public AlbisLayout layout()
    {
        return layout;
    }

    /**
     * Returns the columns in the order in which the column group stores them.
     */
    public List<StoredColumn> columns()
    {
        return columns;
    }

    /**
     * Returns the columns that the row layout stores in rows, in this order: those of scalar types. There are none in
     * the block layout.
     */
    public List<StoredColumn> rowColumns()
    {
        return switch (layout) {
            case BLOCK -> ImmutableList.of();
            case ROW -> columns.stream()
                    .filter(column -> column.kind().isEmpty())
                    .collect(toImmutableList());
        };
    }

    /**
     * Returns how the values of a node are stored. In the row layout, nested columns are stored as in the block layout.
     */
    public AlbisLayout layout(int node)
    {
        return nodes.layout(node);
    }

    /**
     * Returns the size of the data file in bytes.
     */
    public long dataBytes()
    {
        return dataBytes;
    }

    public int segments()
    {
        return segmentRows.length;
    }

    /**
     * Returns the number of rows of each segment. Callers must not modify the array.
     */
    public int[] segmentRows()
    {
        return segmentRows;
    }

    public long rows()
    {
        return rows;
    }

    /**
     * A column, or a part of it.
     *
     * @param node number of the node; the nodes below a nested column follow in pre-order
     */
    public record Part(StoredColumn column, int node) {}

    /**
     * Finds a part of a column to which only rows lead, so that it has a value for each row.
     *
     * @param column index of the column in this column group
     * @param path ids of the fields, from the column downward; empty for the column itself
     * @return empty if the column does not store such a part
     * @throws AlbisDataException if the path leads to something that is not a row
     */
    public Optional<Part> part(int column, List<Integer> path)
            throws AlbisDataException
    {
        Part part = new Part(columns.get(column), nodes.root(column));
        for (int field : path) {
            if (!part.column().kind().equals(Optional.of(NestedKind.ROW))) {
                throw damaged("Damaged Albis file %s: column %s is stored as %s, which does not have the fields of the column", location, columns.get(column).id(), columns.get(column).description());
            }
            Optional<Part> next = child(part, field);
            if (next.isEmpty()) {
                return Optional.empty();
            }
            part = next.get();
        }
        return Optional.of(part);
    }

    private static Optional<Part> child(Part part, int id)
    {
        int node = part.node() + 1;
        for (StoredColumn child : part.column().children()) {
            if (child.id() == id) {
                return Optional.of(new Part(child, node));
            }
            node += child.nodes();
        }
        return Optional.empty();
    }

    /**
     * Returns what a segment stores for a node of a column, or for all scalar columns in the row layout.
     *
     * @throws AlbisDataException if the metadata of the node, or of a node above it, is damaged
     */
    public NodeSegment node(int node, int segment)
            throws AlbisDataException
    {
        return nodeSegments(node).get(segment);
    }

    /**
     * Returns the first chunk of a node in a segment. A column that is not nested has no other chunk, and in the row
     * layout all of these columns share one.
     *
     * @throws AlbisDataException if the metadata of the node, or of a node above it, is damaged
     */
    public Chunk chunk(int node, int segment)
            throws AlbisDataException
    {
        return node(node, segment).chunks().getFirst();
    }

    /**
     * Checks that the nodes of a column that are read do not have more values in a segment than a writer can store,
     * before memory is allocated for them.
     *
     * @param part the column, or the part of it that is read
     * @param read whether a node of the part is read; the node of the part itself is 0
     * @throws AlbisDataException if they have more, or if their metadata is damaged
     */
    public void checkSize(Part part, int segment, IntPredicate read)
            throws AlbisDataException
    {
        int root = part.node();
        int end = root + part.column().nodes();
        long size = 0;
        for (int node = root; node < end; node++) {
            if (read.test(node - root)) {
                size += node(node, segment).rows() * memorySize(nodes.storageType(node));
            }
        }
        if (size > RowTooLargeException.MAX_SIZE) {
            throw damaged("Damaged Albis file %s: segment %s of column %s takes at least %s bytes in memory, but at most %s bytes are possible", location, segment, part.column().id(), size, RowTooLargeException.MAX_SIZE);
        }
    }

    private List<NodeSegment> nodeSegments(int node)
            throws AlbisDataException
    {
        List<NodeSegment> parsed = nodeSegments.get(node);
        if (parsed == null) {
            List<NodeSegment> parent = nodes.parent(node) == ColumnNodes.NONE ? ImmutableList.of() : nodeSegments(nodes.parent(node));
            parsed = Decoding.decode(location, () -> parseNode(node, parent));
            nodeSegments.set(node, parsed);
        }
        return parsed;
    }

    private List<NodeSegment> parseNode(int node, List<NodeSegment> parent)
    {
        SliceInput input = sections.chunks().get(node).getInput();
        SliceInput elements = sections.elements().get(node).getInput();
        ImmutableList.Builder<NodeSegment> parsed = ImmutableList.builderWithExpectedSize(segmentRows.length);
        for (int segment = 0; segment < segmentRows.length; segment++) {
            int[] groupRows = parent.isEmpty() ? new int[] {segmentRows[segment]} : parent.get(segment).childGroups();
            NodeSegment nodeSegment = NodeSegment.read(nodes.kind(node), groupRows, input, elements);
            checkArgument(nodeSegment.rows() * memorySize(nodes.storageType(node)) <= RowTooLargeException.MAX_SIZE, "a segment of a nested column has %s elements", nodeSegment.rows());
            for (int chunk = 0; chunk < nodeSegment.chunks().size(); chunk++) {
                checkChunk(nodeSegment.chunks().get(chunk), node, nodeSegment.chunkRows(chunk));
            }
            parsed.add(nodeSegment);
        }
        checkArgument(input.available() == 0 && elements.available() == 0, "%s unexpected bytes at the end", input.available() + elements.available());
        return parsed.build();
    }

    private void checkChunk(Chunk chunk, int node, int rows)
    {
        long end = dataBytes - Segment.END_SLACK;
        // offset + length could overflow, because the offset of a damaged chunk may be any long
        checkArgument(chunk.offset() <= end && chunk.length() <= end - chunk.offset(), "the chunk at offset %s exceeds the data file of %s bytes", chunk.offset(), dataBytes);
        AlbisLayout layout = nodes.layout(node);
        checkArgument(chunk.encoding().layout() == layout, "layout %s does not allow encoding %s", layout, chunk.encoding());
        switch (layout) {
            case ROW -> {
                List<StorageType> types = rowColumns().stream()
                        .map(StoredColumn::storageType)
                        .collect(toImmutableList());
                for (int run = 0; run < chunk.runs().size(); run++) {
                    DecodedLengths.checkRows(chunk.runs().get(run).stored(), Segment.runRows(rows, run), types);
                }
            }
            case BLOCK -> chunk.check(nodes.storageType(node), rows);
        }
    }

    /**
     * Returns the statistics of a column in a segment.
     *
     * @param column index of the column in this column group
     * @throws AlbisDataException if the statistics of the column are damaged
     */
    public ColumnStatistics statistics(int column, int segment)
            throws AlbisDataException
    {
        return columnStatistics.ofSegment(column, columns.get(column).id(), segment).orElseThrow();
    }

    /**
     * Returns the statistics of the runs of a column in a segment, or an empty list if they are not stored.
     *
     * @param column index of the column in this column group
     * @throws AlbisDataException if the statistics of the column are damaged
     */
    public List<ColumnStatistics> runStatistics(int column, int segment)
            throws AlbisDataException
    {
        return columnStatistics.ofRuns(column, columns.get(column).id(), segment);
    }

    /**
     * Returns the statistics of a field of a nested column in a segment.
     *
     * @param column index of the column in this column group
     * @param node number of the node of the field
     * @return empty if the file has none
     * @throws AlbisDataException if the statistics of the field are damaged
     */
    public Optional<ColumnStatistics> fieldStatistics(int column, int node, int segment)
            throws AlbisDataException
    {
        return fieldStatistics.ofSegment(node, columns.get(column).id(), segment);
    }

    /**
     * Returns the statistics of the runs of a field of a nested column in a segment, or an empty list if they are not
     * stored.
     *
     * @param column index of the column in this column group
     * @param node number of the node of the field
     * @throws AlbisDataException if the statistics of the field are damaged
     */
    public List<ColumnStatistics> fieldRunStatistics(int column, int node, int segment)
            throws AlbisDataException
    {
        return fieldStatistics.ofRuns(node, columns.get(column).id(), segment);
    }

    /**
     * Returns the encoded description of the index of a column.
     *
     * @param column index of the column in this column group
     * @return empty if the column has no index
     */
    public Optional<Slice> valueList(int column)
    {
        return sections.valueLists().get(column);
    }

    /**
     * Returns the memory of this object in bytes, including the parts that have not been parsed yet.
     */
    public long retainedSize()
    {
        // each node has chunks, and each column has statistics
        long parsed = (long) PARSED_SIZE * segmentRows.length * Math.max(columns.size(), nodes.count());
        parsed += columnStatistics.retainedSizeOfRuns() + fieldStatistics.retainedSizeOfRuns() + fieldStatistics.retainedSizeOfSegments();
        for (Optional<Slice> section : sections.valueLists()) {
            parsed += section.map(Slice::length).orElse(0);
        }
        // parsed chunks copy the checksums, which are most of the bytes of a section
        return INSTANCE_SIZE + sizeOf(segmentRows) + parsed + 2 * estimatedSizeOf(sections.chunks(), Slice::length) + 2 * estimatedSizeOf(sections.elements(), Slice::length) + estimatedSizeOf(sections.statistics(), Slice::length);
    }
}
