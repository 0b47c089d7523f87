package io.albis.format.scan;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.format.io.AlbisDataException;
import io.albis.format.io.ReadCounter;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.ColumnGroupMetadata;
import io.albis.format.metadata.RowGroup;
import io.albis.format.metadata.StoredColumn;
import io.albis.format.run.Chunk;
import io.albis.format.type.StorageType;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;

import java.io.IOException;
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
     * share in the metadata file. In the row layout, they are an estimate.
     */
    public static Map<Integer, Long> read(TrinoFileSystem fileSystem, Location tableFolder, RowGroup rowGroup, ColumnGroupInstance instance)
            throws IOException
    {
        ColumnGroupMetadata metadata = ColumnGroupReader.metadata(fileSystem, tableFolder, rowGroup, instance, ReaderResources.alone(tableFolder, 0), new ReadCounter());
        List<StoredColumn> columns = metadata.columns();
        ImmutableMap.Builder<Integer, Long> sizes = ImmutableMap.builderWithExpectedSize(columns.size());
        for (int column = 0; column < columns.size(); column++) {
            long bytes = switch (metadata.layout()) {
                case BLOCK -> chunkBytes(metadata, column);
                case ROW -> slotBytes(metadata, columns.get(column).storageType());
            };
            sizes.put(columns.get(column).id(), bytes + instance.metadataBytes() / columns.size());
        }
        return sizes.buildKeepingLast();
    }

    private static long chunkBytes(ColumnGroupMetadata metadata, int column)
            throws AlbisDataException
    {
        int root = metadata.part(column, ImmutableList.of()).orElseThrow().node();
        int end = root + metadata.columns().get(column).nodes();
        long bytes = 0;
        for (int node = root; node < end; node++) {
            for (int segment = 0; segment < metadata.segments(); segment++) {
                for (Chunk chunk : metadata.node(node, segment).chunks()) {
                    bytes += chunk.length();
                }
            }
        }
        return bytes;
    }

    /**
     * Returns the size of the slots. What is left of the file is divided among the columns of variable width.
     */
    private static long slotBytes(ColumnGroupMetadata metadata, StorageType type)
    {
        long slots = 0;
        int variable = 0;
        for (StoredColumn column : metadata.columns()) {
            slots += metadata.rows() * column.storageType().slotSize();
            variable += column.storageType().isVariableWidth() ? 1 : 0;
        }
        long bytes = metadata.rows() * type.slotSize();
        if (slots > metadata.dataBytes()) {
            // The rows are compressed
            return (long) ((double) metadata.dataBytes() * bytes / slots);
        }
        return type.isVariableWidth() ? bytes + (metadata.dataBytes() - slots) / variable : bytes;
    }
}
