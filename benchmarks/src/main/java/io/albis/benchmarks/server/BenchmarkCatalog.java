package io.albis.benchmarks.server;

import com.google.common.collect.ImmutableMap;
import io.albis.benchmarks.measure.Contender;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Locale.ENGLISH;
import static java.util.Objects.requireNonNull;

/**
 * The catalogs that can be compared. Each has a folder of its own and the same tables.
 */
public enum BenchmarkCatalog
        implements Contender
{
    /**
     * As a user has it who sets nothing.
     */
    ALBIS("albis", true, ImmutableMap.of("albis.warehouse", "local:///")),
    /**
     * Each column of a table in a column group of its own.
     */
    ALBIS_COLUMNS("albis", true, ImmutableMap.of(
            "albis.warehouse", "local:///",
            "albis.default-column-groups", "COLUMN")),
    /**
     * All columns of a table in one column group.
     */
    ALBIS_ONE_GROUP("albis", true, ImmutableMap.of(
            "albis.warehouse", "local:///",
            "albis.default-column-groups", "TABLE")),
    /**
     * Whole rows stand together, as in the paper.
     */
    ALBIS_ROW("albis", true, ImmutableMap.of(
            "albis.warehouse", "local:///",
            "albis.default-column-groups", "TABLE",
            "albis.default-layout", "ROW")),
    /**
     * Parquet with Zstandard, as a user has it who sets nothing.
     */
    ICEBERG("iceberg", false, ImmutableMap.of(
            "iceberg.catalog.type", "TESTING_FILE_METASTORE",
            "hive.metastore.catalog.dir", "local:///")),
    /**
     * Parquet at its best: a codec that is fast to read instead of GZIP, and a wait for dynamic filters as the others have it.
     */
    HIVE("hive", false, ImmutableMap.of(
            "hive.metastore", "file",
            "hive.metastore.catalog.dir", "local:///",
            "hive.storage-format", "PARQUET",
            "hive.compression-codec", "SNAPPY",
            "hive.dynamic-filtering.wait-timeout", "1s")),
    /**
     * Where the data is generated once, for the others to be loaded from. Not measured.
     */
    SOURCE("hive", false, HIVE.properties),
    /**/;

    private final String connector;
    private final boolean albis;
    private final Map<String, String> properties;

    BenchmarkCatalog(String connector, boolean albis, Map<String, String> properties)
    {
        this.connector = requireNonNull(connector, "connector is null");
        this.albis = albis;
        this.properties = ImmutableMap.copyOf(properties);
    }

    public static BenchmarkCatalog parse(String text)
    {
        return Arrays.stream(values())
                .filter(catalog -> catalog != SOURCE)
                .filter(catalog -> catalog.catalogName().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("There is no catalog '%s' to compare, but %s".formatted(text, names())));
    }

    private static List<String> names()
    {
        return Arrays.stream(values())
                .filter(catalog -> catalog != SOURCE)
                .map(BenchmarkCatalog::catalogName)
                .collect(toImmutableList());
    }

    public String catalogName()
    {
        return name().toLowerCase(ENGLISH);
    }

    public String connector()
    {
        return connector;
    }

    @Override
    public String label()
    {
        return catalogName();
    }

    @Override
    public boolean isAlbis()
    {
        return albis;
    }

    public Path folder(Path data)
    {
        return data.resolve(catalogName());
    }

    public Map<String, String> properties(Path data)
    {
        return ImmutableMap.<String, String>builder()
                .putAll(properties)
                .put("fs.local.enabled", "true")
                .put("local.location", folder(data).toAbsolutePath().toString())
                .buildOrThrow();
    }
}
