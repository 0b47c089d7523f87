package io.albis.format.scan;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.airlift.slice.Slices;
import io.albis.filesystem.FileBytes;
import io.albis.format.AlbisSchema;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.ColumnGroupMetadata;
import io.albis.format.metadata.MetadataCodec;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.write.RollingRowGroupWriter;
import io.albis.format.write.WriterOptions;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.Iterables.getOnlyElement;
import static io.trino.spi.type.TypeUtils.writeNativeValue;

/**
 * Writes the row groups that tests read.
 */
final class RowGroupFixture
{
    static final Location FOLDER = Location.of("memory:///table");

    interface Values
    {
        Object value(AlbisColumn column, int row);
    }

    private RowGroupFixture() {}

    /**
     * Writes all columns into one column group with as few segments as possible.
     */
    static RowGroup write(TrinoFileSystem fileSystem, AlbisLayout layout, List<AlbisColumn> columns, int rows, Values values)
            throws IOException
    {
        return write(fileSystem, layout, ImmutableList.of(columns), WriterOptions.MAX_SEGMENT_BYTES, rows, values);
    }

    static RowGroup write(TrinoFileSystem fileSystem, AlbisLayout layout, List<List<AlbisColumn>> groups, int segmentBytes, int rows, Values values)
            throws IOException
    {
        return write(fileSystem, layout, groups, segmentBytes, rows, ImmutableSet.of(), values);
    }

    /**
     * @param indexed ids of the columns with an index
     */
    static RowGroup write(TrinoFileSystem fileSystem, AlbisLayout layout, List<List<AlbisColumn>> groups, int segmentBytes, int rows, Set<Integer> indexed, Values values)
            throws IOException
    {
        List<AlbisColumn> columns = groups.stream().flatMap(List::stream).collect(toImmutableList());
        AlbisSchema schema = AlbisSchema.makeSchema(columns, groups.stream().map(group -> AlbisColumnGroup.make(layout, group)).collect(toImmutableList()));
        WriterOptions options = WriterOptions.DEFAULTS.withRowGroupBytes(1L << 40).withSegmentBytes(segmentBytes).withIndexedColumns(indexed);
        RollingRowGroupWriter writer = new RollingRowGroupWriter(fileSystem, FOLDER, schema.rowGroupSchema(), options);
        Block[] blocks = new Block[columns.size()];
        for (int channel = 0; channel < blocks.length; channel++) {
            AlbisColumn column = columns.get(channel);
            BlockBuilder builder = column.type().createBlockBuilder(null, rows);
            for (int row = 0; row < rows; row++) {
                writeNativeValue(column.type(), builder, values.value(column, row));
            }
            blocks[channel] = builder.build();
        }
        writer.append(new Page(blocks));
        return getOnlyElement(writer.finish());
    }

    /**
     * Reads the metadata of a column group.
     */
    static ColumnGroupMetadata metadata(TrinoFileSystem fileSystem, RowGroup rowGroup, ColumnGroupInstance instance)
            throws IOException
    {
        Location location = rowGroup.metadataFile(FOLDER, instance);
        return MetadataCodec.decode(location, Optional.of(instance.id()), Slices.wrappedBuffer(FileBytes.read(fileSystem, location)));
    }
}
