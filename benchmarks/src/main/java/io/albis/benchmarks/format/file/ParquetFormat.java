package io.albis.benchmarks.format.file;

import com.google.common.collect.ImmutableList;
import io.airlift.units.DataSize;
import io.albis.benchmarks.format.data.Column;
import io.trino.filesystem.Location;
import io.trino.filesystem.local.LocalFileSystem;
import io.trino.parquet.writer.ParquetSchemaConverter;
import io.trino.parquet.writer.ParquetWriter;
import io.trino.parquet.writer.ParquetWriterOptions;
import io.trino.spi.Page;
import io.trino.spi.type.Type;
import io.trino.spi.type.UuidType;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Types;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static java.util.Objects.requireNonNull;

/**
 * The Parquet format as Trino writes it. Decimals and timestamps are stored as integers, as in trino-iceberg, because
 * these are faster to read than what trino-hive writes for compatibility with old versions of Hive.
 *
 * @param indexed whether to add a column index, which Trino reads but does not write, and to use pages of the size that
 *         is common in files with such an index
 * @param rowGroup target size of row groups
 */
record ParquetFormat(CompressionCodec codec, boolean indexed, DataSize rowGroup)
        implements FileFormat
{
    private static final String FILE = "file.parquet";
    // Equals two of the pages that are passed to the writer, which is as close as possible to the 20,000 values of
    // parquet-java
    private static final int INDEXED_PAGE_VALUES = 16_384;

    private static final DataSize DEFAULT_ROW_GROUP = DataSize.ofBytes(ParquetWriterOptions.builder().build().getMaxRowGroupSize());

    ParquetFormat
    {
        requireNonNull(codec, "codec is null");
        requireNonNull(rowGroup, "rowGroup is null");
    }

    ParquetFormat(CompressionCodec codec, boolean indexed)
    {
        this(codec, indexed, DEFAULT_ROW_GROUP);
    }

    /**
     * Returns this format with another size of row groups.
     */
    ParquetFormat withRowGroup(DataSize rowGroup)
    {
        return new ParquetFormat(codec, indexed, rowGroup);
    }

    @Override
    public void write(Path folder, List<Column> columns, Iterator<Page> pages)
            throws IOException
    {
        try (ParquetWriter writer = new ParquetWriter(
                Files.newOutputStream(folder.resolve(FILE)),
                messageType(columns),
                primitiveTypes(columns),
                options(),
                codec,
                "483",
                Optional.empty(),
                Optional.empty())) {
            while (pages.hasNext()) {
                writer.write(pages.next());
            }
        }
        if (indexed) {
            ParquetIndexes.add(folder.resolve(FILE), open(folder, columns), columns);
        }
    }

    private ParquetWriterOptions options()
    {
        ParquetWriterOptions.Builder options = ParquetWriterOptions.builder().setMaxBlockSize(rowGroup);
        if (indexed) {
            options.setMaxPageValueCount(INDEXED_PAGE_VALUES);
        }
        return options.build();
    }

    static MessageType messageType(List<Column> columns)
    {
        ImmutableList.Builder<org.apache.parquet.schema.Type> fields = ImmutableList.builder();
        for (Column column : columns) {
            if (column.type().equals(UuidType.UUID)) {
                // Trino's converter does not support this type. trino-iceberg uses the conversion of Iceberg.
                fields.add(Types.optional(PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY)
                        .length(UuidType.UUID.getFixedSize())
                        .as(LogicalTypeAnnotation.uuidType())
                        .named(column.name()));
            }
            else {
                fields.add(convert(column.name(), column.type()).getMessageType().getType(0));
            }
        }
        return new MessageType("trino_schema", fields.build());
    }

    private static Map<List<String>, Type> primitiveTypes(List<Column> columns)
    {
        return columns.stream().collect(toImmutableMap(column -> ImmutableList.of(column.name()), Column::type));
    }

    private static ParquetSchemaConverter convert(String name, Type type)
    {
        return new ParquetSchemaConverter(ImmutableList.of(type), ImmutableList.of(name), false, false);
    }

    @Override
    public StoredTable open(Path folder, List<Column> columns)
    {
        return new ParquetStoredTable(new LocalFileSystem(folder), Location.of("local:///" + FILE), columns);
    }
}
