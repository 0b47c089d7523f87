package io.albis.benchmarks.chart;

import com.google.common.collect.ImmutableList;
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
            .put("parquet_java_snappy", "Parquet, Snappy, parquet-java")
            .put("orc_java_snappy", "ORC, Snappy, orc-core")
            .put("vortex", "Vortex")
            .put("lance", "Lance")
            .put("arrow_bulk", "Arrow IPC, copied in bulk")
            .put("arrow_values", "Arrow IPC, value by value")
            .put("avro", "Avro")
            .put("json", "JSON")
            .buildOrThrow();

    // By what the names start with. The first one that fits counts
    private static final Map<String, List<String>> COLORS = ImmutableMap.of(
            "albis", ImmutableList.of("#e8590c", "#8f4a1c", "#f2a900", "#c2255c", "#5c2e00", "#ff9f68", "#f06595"),
            "iceberg", ImmutableList.of("#7048e8", "#b197fc", "#4b2e83"),
            "hive_orc", ImmutableList.of("#2b8a3e", "#7fb800", "#0b5345"),
            "hive", ImmutableList.of("#1c7ed6", "#0b3d91", "#5fb3f5"),
            "orc", ImmutableList.of("#2b8a3e", "#7fb800", "#0b5345", "#94d82d", "#9c9a00"),
            "parquet", ImmutableList.of("#1c7ed6", "#0b3d91", "#5fb3f5", "#22b8cf", "#748ffc"),
            "", ImmutableList.of("#6b7480", "#0c8599", "#343a40", "#adb5bd"));

    Series
    {
        requireNonNull(contender, "contender is null");
        requireNonNull(label, "label is null");
        requireNonNull(color, "color is null");
    }

    /**
     * Returns the series of the contenders of a chart, each with a color of its own.
     */
    static List<Series> distinct(List<String> contenders)
    {
        Map<List<String>, Integer> used = new HashMap<>();
        ImmutableList.Builder<Series> series = ImmutableList.builder();
        for (String contender : contenders) {
            List<String> colors = colors(contender);
            int index = used.merge(colors, 1, Integer::sum) - 1;
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
        return colors(contender).getFirst();
    }

    private static List<String> colors(String contender)
    {
        return COLORS.entrySet().stream()
                .filter(family -> contender.startsWith(family.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElseThrow();
    }
}
