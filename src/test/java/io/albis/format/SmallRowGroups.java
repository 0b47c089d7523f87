package io.albis.format;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.albis.filesystem.FileBytes;
import io.albis.format.metadata.RowGroup;
import io.albis.format.run.Compression;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.write.RollingRowGroupWriter;
import io.albis.format.write.WriterOptions;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystem;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.type.ArrayType;
import io.trino.spi.type.MapType;
import io.trino.spi.type.RowType;
import io.trino.spi.type.TypeOperators;

import java.io.IOException;
import java.util.List;
import java.util.Random;

import static com.google.common.collect.Iterables.getOnlyElement;
import static io.albis.format.RandomNestedBlocks.flatBlock;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.BooleanType.BOOLEAN;
import static io.trino.spi.type.CharType.createCharType;
import static io.trino.spi.type.DateType.DATE;
import static io.trino.spi.type.DecimalType.createDecimalType;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static io.trino.spi.type.IntegerType.INTEGER;
import static io.trino.spi.type.TimestampWithTimeZoneType.createTimestampWithTimeZoneType;
import static io.trino.spi.type.VarcharType.VARCHAR;

/**
 * Small row groups that together have all layouts, encodings, and compressions.
 */
public enum SmallRowGroups
{
    BLOCK(AlbisLayout.BLOCK, 40, 1000, WriterOptions.DEFAULTS),
    BLOCK_PLAIN(AlbisLayout.BLOCK, 30, 1000, WriterOptions.DEFAULTS.withDictionaries(false).withNarrowWidths(false)),
    SEGMENTS(AlbisLayout.BLOCK, 60, 1000, WriterOptions.DEFAULTS.withSegmentBytes(WriterOptions.MIN_SEGMENT_BYTES)),
    DICTIONARIES(AlbisLayout.BLOCK, 100, 3, WriterOptions.DEFAULTS),
    CONSTANTS(AlbisLayout.BLOCK, 20, 1, WriterOptions.DEFAULTS),
    LZ4(AlbisLayout.BLOCK, 60, 5, WriterOptions.DEFAULTS.withCompression(Compression.LZ4)),
    ZSTD(AlbisLayout.BLOCK, 60, 5, WriterOptions.DEFAULTS.withCompression(Compression.ZSTD)),
    ROW(AlbisLayout.ROW, 20, 1000, WriterOptions.DEFAULTS),
    ROW_ZSTD(AlbisLayout.ROW, 60, 5, WriterOptions.DEFAULTS.withCompression(Compression.ZSTD)),
    NESTED(AlbisLayout.BLOCK, 12, 1000, WriterOptions.DEFAULTS),
    NESTED_ROW(AlbisLayout.ROW, 10, 1000, WriterOptions.DEFAULTS);

    public static final Location FOLDER = Location.of("memory:///table");
    public static final List<AlbisColumn> SCALARS = ImmutableList.of(
            AlbisColumn.make(1, "number", BIGINT),
            AlbisColumn.make(2, "price", createDecimalType(9, 2)),
            AlbisColumn.make(3, "text", VARCHAR),
            AlbisColumn.make(4, "ratio", DOUBLE),
            AlbisColumn.make(5, "flag", BOOLEAN),
            AlbisColumn.make(6, "big", createDecimalType(38)),
            AlbisColumn.make(7, "day", DATE),
            AlbisColumn.make(8, "code", createCharType(5)),
            AlbisColumn.make(9, "time", createTimestampWithTimeZoneType(6)));
    public static final List<AlbisColumn> NESTED_COLUMNS = ImmutableList.of(
            AlbisColumn.make(10, "items", new ArrayType(RowType.rowType(
                    RowType.field("a", INTEGER),
                    RowType.field("b", new MapType(BIGINT, VARCHAR, new TypeOperators()))))),
            AlbisColumn.make(11, "point", RowType.rowType(RowType.field("x", DOUBLE), RowType.field("y", new ArrayType(VARCHAR)))));

    // scalar columns in rows, before and between nested columns, which are stored after the rows
    private static final List<AlbisColumn> NESTED_ROW_COLUMNS = ImmutableList.of(SCALARS.get(0), NESTED_COLUMNS.get(0), SCALARS.get(2), NESTED_COLUMNS.get(1));

    private final AlbisLayout layout;
    private final int rows;
    private final int distinctValues;
    private final WriterOptions options;

    SmallRowGroups(AlbisLayout layout, int rows, int distinctValues, WriterOptions options)
    {
        this.layout = layout;
        this.rows = rows;
        this.distinctValues = distinctValues;
        this.options = options;
    }

    /**
     * A row group in a file system of its own.
     */
    public record Written(TrinoFileSystem fileSystem, RowGroup rowGroup)
    {
        public Slice read(Location location)
                throws IOException
        {
            return Slices.wrappedBuffer(FileBytes.read(fileSystem, location));
        }
    }

    public List<AlbisColumn> columns()
    {
        return switch (this) {
            case NESTED -> NESTED_COLUMNS;
            case NESTED_ROW -> NESTED_ROW_COLUMNS;
            case BLOCK, BLOCK_PLAIN, SEGMENTS, DICTIONARIES, CONSTANTS, LZ4, ZSTD, ROW, ROW_ZSTD -> SCALARS;
        };
    }

    /**
     * Writes the row group. All of its columns have the same number of distinct values at most.
     */
    public Written write()
            throws IOException
    {
        List<AlbisColumn> columns = columns();
        TrinoFileSystem fileSystem = new MemoryFileSystem();
        RollingRowGroupWriter writer = new RollingRowGroupWriter(fileSystem, FOLDER, AlbisSchema.makeSchema(AlbisColumnGroup.make(layout, columns)).rowGroupSchema(), options);
        Random random = new Random(ordinal());
        int[] positions = random.ints(rows, 0, Math.min(rows, distinctValues)).toArray();
        writer.append(new Page(columns.stream()
                .map(column -> flatBlock(random, column.type(), rows, distinctValues == 1 ? 0 : 0.2, 3).getPositions(positions, 0, rows))
                .toArray(Block[]::new)));
        return new Written(fileSystem, getOnlyElement(writer.finish()));
    }
}
