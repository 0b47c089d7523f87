package io.albis.benchmarks.format.file;

import io.albis.benchmarks.measure.Contender;
import io.albis.format.run.Compression;
import io.albis.format.schema.AlbisLayout;
import io.trino.orc.metadata.CompressionKind;
import org.apache.parquet.format.CompressionCodec;

import java.util.Arrays;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Locale.ENGLISH;
import static java.util.Objects.requireNonNull;

/**
 * The formats that can be compared.
 */
public enum TableFormat
        implements Contender
{
    /**
     * Albis in the block layout with one file per column.
     */
    ALBIS_BLOCK(new AlbisFormat(AlbisLayout.BLOCK, false, Compression.NONE)),
    ALBIS_BLOCK_ONE_GROUP(new AlbisFormat(AlbisLayout.BLOCK, true, Compression.NONE)),
    /**
     * One group as well, compressed.
     */
    ALBIS_LZ4(new AlbisFormat(AlbisLayout.BLOCK, true, Compression.LZ4)),
    ALBIS_ZSTD(new AlbisFormat(AlbisLayout.BLOCK, true, Compression.ZSTD)),
    ALBIS_ROW(new AlbisFormat(AlbisLayout.ROW, true, Compression.NONE)),
    PARQUET_SNAPPY(new ParquetFormat(CompressionCodec.SNAPPY, false)),
    /**
     * Parquet with a column index, which Trino does not write. Supports only bigint columns.
     */
    PARQUET_INDEXED(new ParquetFormat(CompressionCodec.SNAPPY, true)),
    PARQUET_ZSTD(new ParquetFormat(CompressionCodec.ZSTD, false)),
    ORC_SNAPPY(new OrcFormat(CompressionKind.SNAPPY)),
    ARROW_BULK("arrow", new ArrowFormat(true)),
    ARROW_VALUES("arrow", new ArrowFormat(false)),
    AVRO(new AvroFormat()),
    JSON(new JsonFormat()),
    /**/;

    private final String folderName;
    private final FileFormat format;

    TableFormat(FileFormat format)
    {
        this.folderName = label();
        this.format = requireNonNull(format, "format is null");
    }

    TableFormat(String folderName, FileFormat format)
    {
        this.folderName = requireNonNull(folderName, "folderName is null");
        this.format = requireNonNull(format, "format is null");
    }

    public static TableFormat parse(String text)
    {
        return Arrays.stream(values())
                .filter(format -> format.label().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("There is no format '%s', but %s".formatted(
                        text,
                        Arrays.stream(values())
                                .map(TableFormat::label)
                                .collect(toImmutableList()))));
    }

    @Override
    public String label()
    {
        return name().toLowerCase(ENGLISH);
    }

    @Override
    public boolean isAlbis()
    {
        return format instanceof AlbisFormat;
    }

    /**
     * Returns whether reading a file means reading its bytes and filling arrays from values of the widths in the file.
     */
    public boolean hasWidthLimit()
    {
        return format instanceof AlbisFormat albis && albis.layout() == AlbisLayout.BLOCK && albis.compression() == Compression.NONE;
    }

    /**
     * Returns the name of the directory with the files. Formats that read the same files have the same directory.
     */
    public String folderName()
    {
        return folderName;
    }

    public FileFormat format()
    {
        return format;
    }
}
