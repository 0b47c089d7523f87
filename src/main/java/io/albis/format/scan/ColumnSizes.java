package io.albis.format.scan;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.format.index.ValueList;
import io.albis.format.io.AlbisDataException;
import io.albis.format.io.ReadCounter;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.ColumnGroupMetadata;
import io.albis.format.metadata.RowGroup;
import io.albis.format.metadata.StoredColumn;
import io.albis.format.run.Chunk;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.type.StorageType;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * How many bytes of the files of a column group belong to each of its columns.
 */
public final class ColumnSizes
{
    private ColumnSizes() {}

    /**
     * Reads the sizes of all columns in the files by their ids. In the block layout, they are exact except for the
     * share in the metadata file. In the row layout, those of scalar columns are an estimate.
     */
    public static Map<Integer, Long> read(TrinoFileSystem fileSystem, Location tableFolder, RowGroup rowGroup, ColumnGroupInstance instance)
            throws IOException
    {
        ColumnGroupMetadata metadata = ColumnGroupReader.metadata(fileSystem, tableFolder, rowGroup, instance, ReaderResources.alone(tableFolder, 0), new ReadCounter());
        List<StoredColumn> columns = metadata.columns();
        long[] indexBytes = indexBytes(metadata);
        ImmutableMap.Builder<Integer, Long> sizes = ImmutableMap.builderWithExpectedSize(columns.size());
        for (int column = 0; column < columns.size(); column++) {
            int node = metadata.part(column, ImmutableList.of()).orElseThrow().node();
            long bytes = switch (metadata.layout(node)) {
                case BLOCK -> chunkBytes(metadata, node, columns.get(column).nodes());
                case ROW -> slotBytes(metadata, rowBytes(metadata, indexBytes), columns.get(column).storageType());
            };
            sizes.put(columns.get(column).id(), bytes + indexBytes[column] + instance.metadataBytes() / columns.size());
        }
        return sizes.buildKeepingLast();
    }

    /**
     * Returns the size of the index of each column; 0 if it has none.
     */
    private static long[] indexBytes(ColumnGroupMetadata metadata)
            throws AlbisDataException
    {
        long[] bytes = new long[metadata.columns().size()];
        for (int column = 0; column < bytes.length; column++) {
            bytes[column] = ColumnGroupReader.valueList(metadata, column, metadata.columns().get(column).id()).map(ValueList::length).orElse(0L);
        }
        return bytes;
    }

    /**
     * Returns the size of the data file without indexes and nested columns.
     */
    private static long rowBytes(ColumnGroupMetadata metadata, long[] indexBytes)
            throws AlbisDataException
    {
        long bytes = metadata.dataBytes() - Arrays.stream(indexBytes).sum();
        for (int column = 0; column < metadata.columns().size(); column++) {
            int node = metadata.part(column, ImmutableList.of()).orElseThrow().node();
            bytes -= metadata.layout(node) == AlbisLayout.BLOCK ? chunkBytes(metadata, node, metadata.columns().get(column).nodes()) : 0;
        }
        return bytes;
    }

    /**
     * Returns the size of a node and of those that follow it.
     *
     * @param nodes number of nodes
     */
    private static long chunkBytes(ColumnGroupMetadata metadata, int first, int nodes)
            throws AlbisDataException
    {
        long bytes = 0;
        for (int node = first; node < first + nodes; node++) {
            for (int segment = 0; segment < metadata.segments(); segment++) {
                for (Chunk chunk : metadata.node(node, segment).chunks()) {
                    bytes += chunk.length();
                }
            }
        }
        return bytes;
    }

    /**
     * Returns the size of the slots of a column. What is left of the rows is divided among the columns of variable
     * width.
     *
     * @param rowBytes size of all rows in the data file
     */
    private static long slotBytes(ColumnGroupMetadata metadata, long rowBytes, StorageType type)
    {
        long slots = 0;
        int variable = 0;
        for (StoredColumn column : metadata.rowColumns()) {
            slots += metadata.rows() * column.storageType().slotSize();
            variable += column.storageType().isVariableWidth() ? 1 : 0;
        }
        long bytes = metadata.rows() * type.slotSize();
        if (slots > rowBytes) {
            // The rows are compressed
            return (long) ((double) rowBytes * bytes / slots);
        }
        return type.isVariableWidth() ? bytes + (rowBytes - slots) / variable : bytes;
    }
}
