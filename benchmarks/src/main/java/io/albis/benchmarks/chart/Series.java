package io.albis.benchmarks.chart;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableMap;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import static java.util.Objects.requireNonNull;

/**
 * How a contender is called in charts, and its color. Variants of the same format have similar colors.
 */
record Series(String contender, String label, String color)
{
    private static final Map<String, String> LABELS = ImmutableMap.<String, String>builder()
            .put("albis", "Albis")
            .put("iceberg", "Iceberg (Parquet)")
            .put("hive", "Hive (Parquet)")
            .put("hive_orc", "Hive (ORC)")
            .put("albis_block_one_group", "Albis (default)")
            .put("albis_block", "Albis, a group for each column")
            .put("albis_row", "Albis, row layout")
            .put("albis_lz4", "Albis, LZ4")
            .put("albis_zstd", "Albis, Zstandard")
            .put("parquet_snappy", "Parquet, Snappy")
            .put("parquet_indexed", "Parquet with an index")
            .put("parquet_zstd", "Parquet, Zstandard")
            .put("orc_snappy", "ORC, Snappy")
            .put("arrow_bulk", "Arrow IPC, copied in bulk")
            .put("arrow_values", "Arrow IPC, value by value")
            .put("avro", "Avro")
            .put("json", "JSON")
            .buildOrThrow();

    private static final ImmutableListMultimap<Family, String> COLORS = ImmutableListMultimap.<Family, String>builder()
            .putAll(Family.ALBIS, "#e8590c", "#8f4a1c", "#f2a900", "#c2255c", "#5c2e00", "#ff9f68", "#f06595")
            .putAll(Family.PARQUET, "#1c7ed6", "#0b3d91", "#5fb3f5")
            .putAll(Family.ORC, "#2b8a3e", "#7fb800", "#0b5345")
            .putAll(Family.ICEBERG, "#7048e8", "#b197fc", "#4b2e83")
            .putAll(Family.OTHER, "#6b7480", "#0c8599", "#343a40", "#adb5bd")
            .build();

    private enum Family
    {
        ALBIS, PARQUET, ORC, ICEBERG, OTHER;

        private static Family of(String contender)
        {
            if (contender.startsWith("albis")) {
                return ALBIS;
            }
            if (contender.startsWith("iceberg")) {
                return ICEBERG;
            }
            if (contender.startsWith("orc") || contender.startsWith("hive_orc")) {
                return ORC;
            }
            return contender.startsWith("parquet") || contender.startsWith("hive") ? PARQUET : OTHER;
        }
    }

    Series
    {
        requireNonNull(contender, "contender is null");
        requireNonNull(label, "label is null");
        requireNonNull(color, "color is null");
    }

    /**
     * Returns the series of the contenders of a chart, each with a color of its own.
     */
    static List<Series> distinct(Iterable<String> contenders)
    {
        Map<Family, Integer> used = new HashMap<>();
        ImmutableList.Builder<Series> series = ImmutableList.builder();
        for (String contender : contenders) {
            Family family = Family.of(contender);
            List<String> colors = COLORS.get(family);
            int index = used.merge(family, 1, Integer::sum) - 1;
            series.add(new Series(contender, label(contender), colors.get(index % colors.size())));
        }
        return series.build();
    }

    static String label(String contender)
    {
        return LABELS.getOrDefault(contender, contender.replace('_', ' '));
    }

    /**
     * Returns the color that a contender has in common with its variants.
     */
    static String familyColor(String contender)
    {
        return COLORS.get(Family.of(contender)).getFirst();
    }
}
