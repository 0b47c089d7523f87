package io.albis.benchmarks.format.file;

import com.google.common.collect.ImmutableList;
import io.airlift.units.DataSize;
import io.albis.benchmarks.measure.Contender;
import io.albis.format.run.Compression;
import io.albis.format.schema.AlbisLayout;
import io.trino.orc.metadata.CompressionKind;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

import java.util.Arrays;
import java.util.List;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.airlift.units.DataSize.Unit.MEGABYTE;
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
    // The libraries of Apache rather than those of Trino
    PARQUET_JAVA_SNAPPY(new ParquetJavaFormat(CompressionCodecName.SNAPPY)),
    ORC_JAVA_SNAPPY(new OrcJavaFormat(org.apache.orc.CompressionKind.SNAPPY)),
    ARROW_BULK("arrow", new ArrowFormat(true)),
    ARROW_VALUES("arrow", new ArrowFormat(false)),
    AVRO(new AvroFormat()),
    JSON(new JsonFormat()),
    VORTEX(new VortexFormat()),
    LANCE(new LanceFormat()),
    // Other codecs
    PARQUET_NONE(new ParquetFormat(CompressionCodec.UNCOMPRESSED, false)),
    PARQUET_GZIP(new ParquetFormat(CompressionCodec.GZIP, false)),
    ORC_NONE(new OrcFormat(CompressionKind.NONE)),
    ORC_ZLIB(new OrcFormat(CompressionKind.ZLIB)),
    ORC_LZ4(new OrcFormat(CompressionKind.LZ4)),
    ORC_ZSTD(new OrcFormat(CompressionKind.ZSTD)),
    // Other sizes of what is read at once
    ALBIS_SEGMENTS_64KB(albisSegments(64)),
    ALBIS_SEGMENTS_256KB(albisSegments(256)),
    ALBIS_SEGMENTS_4MB(albisSegments(4096)),
    ALBIS_SEGMENTS_16MB(albisSegments(16_384)),
    PARQUET_ROW_GROUPS_8MB(parquetRowGroups(8)),
    PARQUET_ROW_GROUPS_32MB(parquetRowGroups(32)),
    PARQUET_ROW_GROUPS_512MB(parquetRowGroups(512)),
    ORC_STRIPES_8MB(orcStripes(8)),
    ORC_STRIPES_32MB(orcStripes(32)),
    ORC_STRIPES_512MB(orcStripes(512)),
    /**/;

    /**
     * The formats and codecs that are compared with each other.
     */
    public static final List<TableFormat> MAIN = ImmutableList.of(
            ALBIS_BLOCK,
            ALBIS_BLOCK_ONE_GROUP,
            ALBIS_LZ4,
            ALBIS_ZSTD,
            ALBIS_ROW,
            PARQUET_SNAPPY,
            PARQUET_ZSTD,
            PARQUET_JAVA_SNAPPY,
            ORC_SNAPPY,
            ORC_JAVA_SNAPPY,
            VORTEX,
            LANCE,
            ARROW_BULK,
            ARROW_VALUES,
            AVRO,
            JSON);
    /**
     * The codecs of each format. Trino cannot read Parquet with LZ4 as it writes it.
     */
    public static final List<TableFormat> CODECS = ImmutableList.of(ALBIS_BLOCK_ONE_GROUP, ALBIS_LZ4, ALBIS_ZSTD, PARQUET_NONE, PARQUET_SNAPPY, PARQUET_GZIP, PARQUET_ZSTD, ORC_NONE, ORC_SNAPPY, ORC_ZLIB, ORC_ZSTD, ORC_LZ4);
    /**
     * Segments of Albis from 64 kB to 16 MB, with 1 MB as default, and row groups and stripes of its peers from 8 MB to
     * 512 MB, with 128 MB and 64 MB as defaults.
     */
    public static final List<TableFormat> SIZES = ImmutableList.of(
            ALBIS_SEGMENTS_64KB,
            ALBIS_SEGMENTS_256KB,
            ALBIS_BLOCK_ONE_GROUP,
            ALBIS_SEGMENTS_4MB,
            ALBIS_SEGMENTS_16MB,
            PARQUET_ROW_GROUPS_8MB,
            PARQUET_ROW_GROUPS_32MB,
            PARQUET_SNAPPY,
            PARQUET_ROW_GROUPS_512MB,
            ORC_STRIPES_8MB,
            ORC_STRIPES_32MB,
            ORC_SNAPPY,
            ORC_STRIPES_512MB);

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

    private static FileFormat albisSegments(int kilobytes)
    {
        return new AlbisFormat(AlbisLayout.BLOCK, true, Compression.NONE).withSegmentBytes(kilobytes << 10);
    }

    private static FileFormat parquetRowGroups(int megabytes)
    {
        return new ParquetFormat(CompressionCodec.SNAPPY, false).withRowGroup(DataSize.of(megabytes, MEGABYTE));
    }

    private static FileFormat orcStripes(int megabytes)
    {
        return new OrcFormat(CompressionKind.SNAPPY).withStripe(DataSize.of(megabytes, MEGABYTE));
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
     * Returns whether the reader decodes on threads of its own.
     */
    public boolean hasThreads()
    {
        return format.hasThreads();
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
