package io.albis.benchmarks.format.file;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.DynamicSliceOutput;
import io.airlift.slice.SliceInput;
import io.airlift.slice.Slices;
import io.albis.benchmarks.format.data.Column;
import io.albis.format.AlbisSchema;
import io.albis.format.metadata.RowGroup;
import io.albis.format.metadata.RowGroupCodec;
import io.albis.format.run.Compression;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.write.RollingRowGroupWriter;
import io.albis.format.write.WriterOptions;
import io.trino.filesystem.Location;
import io.trino.filesystem.local.LocalFileSystem;
import io.trino.spi.Page;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/**
 * The Albis format. Writes row groups of the default size, together with the metadata that the manifest of a table
 * would contain.
 *
 * @param oneGroup whether all columns share one column group, rather than having one each
 * @param segmentBytes maximum size of segments
 */
record AlbisFormat(AlbisLayout layout, boolean oneGroup, Compression compression, int segmentBytes)
        implements FileFormat
{
    static final Location TABLE = Location.of("local:///table");

    private static final String ROW_GROUPS = "row-groups";

    AlbisFormat
    {
        requireNonNull(layout, "layout is null");
        requireNonNull(compression, "compression is null");
    }

    AlbisFormat(AlbisLayout layout, boolean oneGroup, Compression compression)
    {
        this(layout, oneGroup, compression, WriterOptions.DEFAULTS.segmentBytes());
    }

    /**
     * Returns this format with another size of segments.
     */
    AlbisFormat withSegmentBytes(int segmentBytes)
    {
        return new AlbisFormat(layout, oneGroup, compression, segmentBytes);
    }

    @Override
    public void write(Path folder, List<Column> columns, Iterator<Page> pages)
            throws IOException
    {
        RollingRowGroupWriter writer = new RollingRowGroupWriter(new LocalFileSystem(folder), TABLE, schema(columns).rowGroupSchema(), WriterOptions.DEFAULTS.withCompression(compression).withSegmentBytes(segmentBytes));
        while (pages.hasNext()) {
            writer.append(pages.next());
        }
        DynamicSliceOutput output = new DynamicSliceOutput(1 << 16);
        for (RowGroup rowGroup : writer.finish()) {
            RowGroupCodec.write(rowGroup, output);
        }
        Files.write(folder.resolve(ROW_GROUPS), output.slice().getBytes());
    }

    @Override
    public StoredTable open(Path folder, List<Column> columns)
            throws IOException
    {
        return new AlbisStoredTable(new LocalFileSystem(folder), schema(columns).columns(), readRowGroups(folder));
    }

    static List<RowGroup> readRowGroups(Path folder)
            throws IOException
    {
        SliceInput input = Slices.wrappedBuffer(Files.readAllBytes(folder.resolve(ROW_GROUPS))).getInput();
        ImmutableList.Builder<RowGroup> rowGroups = ImmutableList.builder();
        while (input.isReadable()) {
            rowGroups.add(RowGroupCodec.read(input));
        }
        return rowGroups.build();
    }

    /**
     * Returns the columns of a table whose columns share one column group.
     */
    static List<AlbisColumn> columns(List<Column> columns)
    {
        return new AlbisFormat(AlbisLayout.ROW, true, Compression.NONE).schema(columns).columns();
    }

    private AlbisSchema schema(List<Column> columns)
    {
        List<AlbisColumn> albisColumns = columns.stream()
                .map(column -> AlbisColumn.make(column.name(), column.type()))
                .collect(toImmutableList());
        if (oneGroup) {
            return AlbisSchema.makeSchema(AlbisColumnGroup.make(layout, albisColumns));
        }
        return AlbisSchema.makeSchema(albisColumns.stream()
                .map(column -> AlbisColumnGroup.make(layout, column))
                .collect(toImmutableList()));
    }
}
