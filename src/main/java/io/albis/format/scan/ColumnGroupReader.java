package io.albis.format.scan;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Lists;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.albis.format.column.BlockColumnReader;
import io.albis.format.column.ColumnReader;
import io.albis.format.column.NestedColumnReader;
import io.albis.format.column.NodeReader;
import io.albis.format.column.RowColumnReader;
import io.albis.format.column.RowRunReader;
import io.albis.format.column.WidenedColumnReader;
import io.albis.format.index.ValueList;
import io.albis.format.index.ValueListCodec;
import io.albis.format.index.ValueListReader;
import io.albis.format.io.AlbisDataException;
import io.albis.format.io.Decoding;
import io.albis.format.io.ReadBuffers;
import io.albis.format.io.ReadCounter;
import io.albis.format.io.StorageInput;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.ColumnGroupMetadata;
import io.albis.format.metadata.ColumnGroupMetadata.Part;
import io.albis.format.metadata.MetadataCodec;
import io.albis.format.metadata.RowGroup;
import io.albis.format.metadata.StoredColumn;
import io.albis.format.metadata.StoredNodes;
import io.albis.format.request.ChunkReader;
import io.albis.format.request.DataFile;
import io.albis.format.request.RequestPlanner;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.ElementAccess;
import io.albis.format.schema.ElementContainer;
import io.albis.format.schema.FieldSelection;
import io.albis.format.search.SearchedIndex;
import io.albis.format.type.FieldIds;
import io.albis.format.type.NestedKind;
import io.albis.format.type.NestedTypes;
import io.albis.format.type.Widening;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import jakarta.annotation.Nullable;

import java.io.Closeable;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.format.io.AlbisDataException.Reason.TOO_NEW;
import static io.albis.format.io.AlbisDataException.damaged;
import static io.albis.format.schema.ElementAccess.Form.CARDINALITY;

/**
 * Opens one column group of one row group and creates the readers of its columns.
 */
final class ColumnGroupReader
        implements Closeable
{
    private static final FieldSelection WITHOUT_ELEMENTS = new FieldSelection(Set.of(0));

    /**
     * Describes what the reader of a column that is stored as blocks returns.
     *
     * @param node the node of the column or of its part
     * @param access what is read instead of the arrays or maps; empty for the column itself
     */
    private record BlockColumn(int node, Optional<ElementAccess> access) {}

    private final ColumnGroupInstance instance;
    private final ColumnGroupMetadata metadata;
    private final Location dataLocation;
    private final DataFile file;
    private final RequestPlanner planner;
    private final ReadBuffers buffers;
    private final Map<BlockColumn, ColumnReader> blockColumns = new HashMap<>();
    // by the reader of the column as it is stored
    private final Map<ColumnReader, ColumnReader> widenedColumns = new HashMap<>();
    @Nullable
    private RowRunReader rows;

    /**
     * Reads and checks the metadata of a column group. Thread safe.
     */
    static ColumnGroupMetadata metadata(TrinoFileSystem fileSystem, Location tableFolder, RowGroup rowGroup, ColumnGroupInstance instance, ReaderResources resources, ReadCounter counter)
            throws IOException
    {
        Location metadataFile = rowGroup.metadataFile(tableFolder, instance);
        ColumnGroupMetadata metadata = resources.metadata().get(metadataFile, instance.metadataBytes(), () -> readMetadata(fileSystem, metadataFile, instance, counter));
        checkMetadata(metadata, metadataFile, rowGroup, instance);
        return metadata;
    }

    static ColumnGroupReader open(TrinoFileSystem fileSystem, Location tableFolder, RowGroup rowGroup, ColumnGroupInstance instance, ColumnGroupMetadata metadata, RequestPlanner planner, ReadBuffers buffers, ReadCounter counter)
    {
        Location dataLocation = rowGroup.dataFile(tableFolder, instance);
        DataFile data = new DataFile(instance.id(), new StorageInput(fileSystem, dataLocation, instance.dataBytes(), counter));
        return new ColumnGroupReader(instance, metadata, dataLocation, data, planner, buffers);
    }

    private static ColumnGroupMetadata readMetadata(TrinoFileSystem fileSystem, Location metadataFile, ColumnGroupInstance instance, ReadCounter counter)
            throws IOException
    {
        byte[] file;
        try (StorageInput input = new StorageInput(fileSystem, metadataFile, instance.metadataBytes(), counter)) {
            input.checkSize(0, instance.metadataBytes());
            file = new byte[instance.metadataBytes()];
            input.readFully(0, file, file.length);
        }
        catch (AlbisDataException e) {
            throw e.at("column group " + instance.id());
        }
        return MetadataCodec.decode(metadataFile, Optional.of(instance.id()), Slices.wrappedBuffer(file));
    }

    private static void checkMetadata(ColumnGroupMetadata metadata, Location metadataFile, RowGroup rowGroup, ColumnGroupInstance instance)
            throws IOException
    {
        List<Integer> columnIds = metadata.columns().stream()
                .map(StoredColumn::id)
                .filter(id -> !instance.supersededIds().contains(id))
                .collect(toImmutableList());
        boolean sameColumns = columnIds.equals(instance.columnIds()) && metadata.columns().size() == columnIds.size() + instance.supersededIds().size();
        if (!sameColumns || metadata.dataBytes() != instance.dataBytes() || metadata.rows() != rowGroup.rows()) {
            throw damaged(
                    "Damaged Albis file %s: it has %s rows of columns %s in %s bytes, but the table states %s rows of columns %s in %s bytes",
                    metadataFile,
                    metadata.rows(),
                    Lists.transform(metadata.columns(), StoredColumn::id),
                    metadata.dataBytes(),
                    rowGroup.rows(),
                    ImmutableList.builder().addAll(instance.columnIds()).addAll(instance.supersededIds()).build(),
                    instance.dataBytes());
        }
    }

    private ColumnGroupReader(ColumnGroupInstance instance, ColumnGroupMetadata metadata, Location dataLocation, DataFile file, RequestPlanner planner, ReadBuffers buffers)
    {
        this.instance = instance;
        this.metadata = metadata;
        this.dataLocation = dataLocation;
        this.file = file;
        this.planner = planner;
        this.buffers = buffers;
    }

    /**
     * Returns the number of rows of each segment. It is the same in all column groups of a row group.
     */
    int[] segmentRows()
    {
        return metadata.segmentRows();
    }

    /**
     * Returns the reader of a column or of a part of it. All calls for the same column, or for the same part
     * of it, share what has been read.
     *
     * @param fields the parts of a nested column to read; empty to read all. It does not apply to elements of arrays
     *         and maps
     * @return empty if the column was written without the part, which is null in all rows
     */
    Optional<ColumnReader> column(AlbisColumn column, Optional<FieldSelection> fields)
            throws IOException
    {
        Optional<ElementAccess> access = column.container().map(ElementContainer::access);
        if (access.isEmpty()) {
            return column(column, fields, access);
        }
        return column(column.withoutAccess(), access.get().form() == CARDINALITY ? Optional.of(WITHOUT_ELEMENTS) : Optional.empty(), access);
    }

    /**
     * Returns the index of a column.
     *
     * @param source provides the directory
     * @return empty if the column has no index, or if it was written with another type
     * @throws AlbisDataException if the description of the index is damaged
     */
    Optional<SearchedIndex> index(AlbisColumn column, MetadataSource source)
            throws IOException
    {
        int index = index(column.id());
        if (column.isPart() || !metadata.columns().get(index).hasType(column.type())) {
            return Optional.empty();
        }
        Optional<ValueList> list = valueList(metadata, index, column.name());
        if (list.isEmpty()) {
            return Optional.empty();
        }
        ValueListReader reader = new ValueListReader(file.forOtherThread(), list.get(), column, metadata.rows(), planner.requestCost());
        return Optional.of(new SearchedIndex(instance.id(), reader, () -> source.directory(dataLocation, column.id(), reader::readDirectory)));
    }

    /**
     * Decodes the description of the index of a column.
     *
     * @param index index of the column in the column group
     * @param column name or id of the column, for the error message
     * @return empty if the column has no index
     * @throws AlbisDataException if the description is damaged
     */
    static Optional<ValueList> valueList(ColumnGroupMetadata metadata, int index, Object column)
            throws AlbisDataException
    {
        Optional<Slice> section = metadata.valueList(index);
        if (section.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Decoding.decode(metadata.location(), () -> ValueListCodec.decode(section.get(), metadata.dataBytes())));
        }
        catch (AlbisDataException e) {
            throw e.at("index of column " + column);
        }
    }

    private Optional<ColumnReader> column(AlbisColumn column, Optional<FieldSelection> fields, Optional<ElementAccess> access)
            throws IOException
    {
        int index = index(column.id());
        StoredColumn stored = metadata.columns().get(index);
        if (!stored.hasKnownIds()) {
            throw new AlbisDataException(TOO_NEW, "Albis file %s has parts of column %s with ids that this reader does not know. Upgrade the Albis plugin", dataLocation, column.name());
        }
        Optional<Part> found = metadata.part(index, column.path());
        if (found.isEmpty()) {
            return Optional.empty();
        }
        Part part = found.get();
        StoredNodes nodes;
        try {
            nodes = StoredNodes.find(part.column(), column.type(), column.fields());
        }
        catch (IllegalArgumentException e) {
            AlbisDataException damaged = damaged("Damaged Albis file %s: column %s is stored as %s, but the table states %s", dataLocation, column.name(), part.column().description(), column.type().getDisplayName());
            damaged.initCause(e);
            throw damaged;
        }
        if (nodes.widening(0).isEmpty()) {
            return Optional.of(column(column, index, part, nodes, fields, access));
        }
        Widening widening = nodes.widening(0).get();
        ColumnReader narrow = column(new AlbisColumn(column.id(), column.name(), widening.from(), Optional.empty(), FieldIds.NONE, column.path()), index, part, nodes, fields, access);
        return Optional.of(widenedColumns.computeIfAbsent(narrow, _ -> new WidenedColumnReader(narrow, widening)));
    }

    /**
     * Returns the index of a column among all columns of the files, of which some may not be read any more.
     */
    private int index(int columnId)
    {
        int index = 0;
        while (metadata.columns().get(index).id() != columnId) {
            index++;
        }
        return index;
    }

    private ColumnReader column(AlbisColumn column, int index, Part part, StoredNodes nodes, Optional<FieldSelection> fields, Optional<ElementAccess> access)
    {
        return switch (metadata.layout(part.node())) {
            case BLOCK -> blockColumns.computeIfAbsent(new BlockColumn(part.node(), access), _ -> blockColumn(column, index, part, nodes, fields, access));
            case ROW -> {
                if (rows == null) {
                    rows = new RowRunReader(metadata, file, chunks(part.node()), buffers);
                }
                yield new RowColumnReader(column, index, metadata.rowColumns().indexOf(part.column()), metadata, rows);
            }
        };
    }

    private ColumnReader blockColumn(AlbisColumn column, int index, Part part, StoredNodes storedNodes, Optional<FieldSelection> fields, Optional<ElementAccess> access)
    {
        Optional<NestedKind> kind = NestedKind.of(column.type());
        int root = part.node();
        ChunkReader chunks = chunks(root);
        if (kind.isEmpty()) {
            return new BlockColumnReader(column, index, root, metadata, file, chunks, buffers);
        }
        AlbisColumn own = new AlbisColumn(column.id(), column.name(), kind.get().ownType(), Optional.empty(), FieldIds.NONE, column.path());
        ImmutableList.Builder<Optional<NodeReader>> nodes = ImmutableList.builder();
        int count = NestedTypes.nodes(column.type());
        for (int node = 0; node < count; node++) {
            OptionalInt stored = storedNodes.stored(node);
            boolean selected = fields.isEmpty() || fields.get().nodes().contains(node);
            nodes.add(selected && stored.isPresent() ? Optional.of(nodeReader(root, stored.getAsInt(), chunks)) : Optional.empty());
        }
        return new NestedColumnReader(column, access, part, metadata, new BlockColumnReader(own, index, root, metadata, file, chunks, buffers), storedNodes, nodes.build(), buffers);
    }

    private NodeReader nodeReader(int root, int node, ChunkReader ownChunks)
    {
        return new NodeReader(metadata, root + node, node == 0 ? ownChunks : chunks(root + node), node == 0);
    }

    private ChunkReader chunks(int node)
    {
        return new ChunkReader(metadata, node, file, planner, buffers);
    }

    @Override
    public void close()
            throws IOException
    {
        file.close();
        blockColumns.clear();
        widenedColumns.clear();
        rows = null;
    }
}
