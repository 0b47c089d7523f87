package io.albis.benchmarks.chart;

/**
 * The colors of all charts. A contender has the same color in every chart. Charts have a transparent background, so
 * that they fit pages of any color. Each color has a contrast of at least 3:1 with white and with the dark background
 * of GitHub, #0d1117.
 */
enum Palette
{
    ALBIS("#e8590c"),
    ALBIS_VARIANT("#b5763f"),
    /**
     * Parquet with Snappy, as trino-hive writes it.
     */
    PARQUET_SNAPPY("#2f81d0"),
    /**
     * Parquet with Zstandard, as trino-iceberg writes it.
     */
    PARQUET_ZSTD("#8a63d2"),
    OTHER("#7d8590"),
    TEXT("#6e7781"),
    /**
     * Grid lines, which may be faint.
     */
    GRID("#7d859055"),
    /**/;

    private final String color;

    Palette(String color)
    {
        this.color = color;
    }

    public String color()
    {
        return color;
    }
}
