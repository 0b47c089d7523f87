package io.albis.benchmarks.chart;

import com.google.common.collect.ImmutableMap;

import java.util.Map;

/**
 * How a contender is called in charts, and its color.
 */
record FormatSeries(String label, Palette color)
{
    private static final Map<String, FormatSeries> SERIES = ImmutableMap.<String, FormatSeries>builder()
            .put("albis", new FormatSeries("Albis", Palette.ALBIS))
            .put("iceberg", new FormatSeries("Iceberg (Parquet)", Palette.PARQUET_ZSTD))
            .put("hive", new FormatSeries("Hive (Parquet)", Palette.PARQUET_SNAPPY))
            .put("hive_orc", new FormatSeries("Hive (ORC)", Palette.OTHER))
            .put("albis_block_one_group", new FormatSeries("Albis (default)", Palette.ALBIS))
            .put("albis_block", new FormatSeries("Albis, a group for each column", Palette.ALBIS_VARIANT))
            .put("albis_row", new FormatSeries("Albis, row layout", Palette.ALBIS_VARIANT))
            .put("albis_lz4", new FormatSeries("Albis, LZ4", Palette.ALBIS_VARIANT))
            .put("albis_zstd", new FormatSeries("Albis, Zstandard", Palette.ALBIS_VARIANT))
            .put("parquet_snappy", new FormatSeries("Parquet, Snappy", Palette.PARQUET_SNAPPY))
            .put("parquet_indexed", new FormatSeries("Parquet with an index", Palette.PARQUET_ZSTD))
            .put("parquet_zstd", new FormatSeries("Parquet, Zstandard", Palette.PARQUET_ZSTD))
            .put("orc_snappy", new FormatSeries("ORC, Snappy", Palette.OTHER))
            .put("parquet_java_snappy", new FormatSeries("Parquet, Snappy, parquet-java", Palette.OTHER))
            .put("orc_java_snappy", new FormatSeries("ORC, Snappy, orc-core", Palette.OTHER))
            .put("vortex", new FormatSeries("Vortex", Palette.OTHER))
            .put("lance", new FormatSeries("Lance", Palette.OTHER))
            .put("arrow_bulk", new FormatSeries("Arrow IPC, copied in bulk", Palette.OTHER))
            .put("arrow_values", new FormatSeries("Arrow IPC, value by value", Palette.OTHER))
            .put("avro", new FormatSeries("Avro", Palette.OTHER))
            .put("json", new FormatSeries("JSON", Palette.OTHER))
            .buildOrThrow();

    static FormatSeries of(String contender)
    {
        return SERIES.getOrDefault(contender, new FormatSeries(contender, Palette.OTHER));
    }
}
