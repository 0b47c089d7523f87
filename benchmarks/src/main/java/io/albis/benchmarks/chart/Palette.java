package io.albis.benchmarks.chart;

/**
 * The colors of all charts: a contender has the same one everywhere. Charts have no background, so that they fit pages
 * of any color. Each color has a contrast of at least 3:1 to white and to the dark background of GitHub, #0d1117.
 */
enum Palette
{
    ALBIS("#e8590c"),
    ALBIS_VARIANT("#b5763f"),
    /**
     * Parquet with Snappy: trino-hive.
     */
    PARQUET_SNAPPY("#2f81d0"),
    /**
     * Parquet with Zstandard: trino-iceberg.
     */
    PARQUET_ZSTD("#8a63d2"),
    OTHER("#7d8590"),
    TEXT("#6e7781"),
    /**
     * Lines of the grid, which may be faint.
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
