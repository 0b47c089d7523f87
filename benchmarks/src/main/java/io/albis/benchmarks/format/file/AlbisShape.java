package io.albis.benchmarks.format.file;

import com.google.common.collect.ImmutableMap;
import io.airlift.slice.Slices;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.ColumnGroupMetadata;
import io.albis.format.metadata.MetadataCodec;
import io.albis.format.metadata.RowGroup;
import io.albis.format.run.Run;
import io.albis.format.run.RunEncoding.Fixed;
import io.albis.format.run.Segment;
import io.albis.format.type.StorageType;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoInput;
import io.trino.filesystem.local.LocalFileSystem;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The amount of data in the files of a table and the widths of its values.
 *
 * @param dataBytes total size of all data files
 * @param values number of values of each width in the block layout
 */
public record AlbisShape(long dataBytes, Map<Width, Long> values)
{
    /**
     * The width of stored values.
     *
     * @param storageType storage type of the block
     * @param bytes number of bytes per stored value
     */
    public record Width(StorageType storageType, int bytes) {}

    public AlbisShape
    {
        values = ImmutableMap.copyOf(values);
    }

    /**
     * Reads the shape of a table.
     *
     * @param folder directory that {@link AlbisFormat} has written
     */
    public static AlbisShape read(Path folder)
            throws IOException
    {
        long dataBytes = 0;
        Map<Width, Long> values = new HashMap<>();
        for (RowGroup rowGroup : AlbisFormat.readRowGroups(folder)) {
            for (ColumnGroupInstance instance : rowGroup.columnGroups()) {
                dataBytes += instance.dataBytes();
                add(values, readMetadata(folder, rowGroup, instance));
            }
        }
        return new AlbisShape(dataBytes, values);
    }

    private static ColumnGroupMetadata readMetadata(Path folder, RowGroup rowGroup, ColumnGroupInstance instance)
            throws IOException
    {
        Location location = rowGroup.metadataFile(AlbisFormat.TABLE, instance);
        byte[] file = new byte[instance.metadataBytes()];
        try (TrinoInput input = new LocalFileSystem(folder).newInputFile(location).newInput()) {
            input.readFully(0, file, 0, file.length);
        }
        return MetadataCodec.decode(location, Optional.of(instance.id()), Slices.wrappedBuffer(file));
    }

    private static void add(Map<Width, Long> values, ColumnGroupMetadata metadata)
            throws IOException
    {
        for (int column = 0; column < metadata.columns().size(); column++) {
            StorageType storageType = metadata.columns().get(column).storageType();
            for (int segment = 0; segment < metadata.segments(); segment++) {
                List<Run> runs = metadata.chunk(column, segment).runs();
                for (int run = 0; run < runs.size(); run++) {
                    if (runs.get(run).encoding() instanceof Fixed fixed) {
                        values.merge(new Width(storageType, fixed.width()), (long) Segment.runRows(metadata.segmentRows()[segment], run), Long::sum);
                    }
                }
            }
        }
    }
}
