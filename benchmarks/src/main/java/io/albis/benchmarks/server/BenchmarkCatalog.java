package io.albis.benchmarks.server;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.benchmarks.measure.Contender;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Locale.ENGLISH;
import static java.util.Objects.requireNonNull;

/**
 * A catalog that can be compared with others. Each catalog contains the same tables.
 *
 * @param settings catalog properties except those of the file system and the defaults
 * @param defaults catalog properties of a benchmark, which have no effect on the files of tables: benchmarks with other
 *         ones share the tables
 * @param folderName name of the directory of the tables, which is that of the catalog unless it shares the tables of
 *         another one
 * @param storage file system that contains the directory; empty on the local file system
 */
public record BenchmarkCatalog(String catalogName, String connector, boolean isAlbis, Map<String, String> settings, Map<String, String> defaults, String folderName, Optional<RemoteStorage> storage)
        implements Contender
{
    private static final String ROOT = "local:///";
    // Servers in separate processes and in this one, which says that its version is "testversion", use the same tables
    private static final Map<String, String> ANY_METASTORE_VERSION = ImmutableMap.of("hive.metastore.version-compatibility", "UNSAFE_ASSUME_COMPATIBILITY");

    /**
     * Albis with default settings.
     */
    public static final BenchmarkCatalog ALBIS = new BenchmarkCatalog("albis", "albis", true, ImmutableMap.of("albis.warehouse", ROOT));
    /**
     * Albis with one column group per column.
     */
    private static final BenchmarkCatalog ALBIS_COLUMNS = ALBIS.with("albis_columns", ImmutableMap.of("albis.default-column-groups", "COLUMN"));
    /**
     * Albis in the row layout as described in the paper.
     */
    private static final BenchmarkCatalog ALBIS_ROW = ALBIS.with("albis_row", ImmutableMap.of("albis.default-layout", "ROW"));
    /**
     * Albis with the codec of {@link #ICEBERG}.
     */
    private static final BenchmarkCatalog ALBIS_ZSTD = ALBIS.with("albis_zstd", ImmutableMap.of("albis.default-compression", "ZSTD"));
    /**
     * Iceberg with default settings, which writes Parquet with Zstandard.
     */
    public static final BenchmarkCatalog ICEBERG = new BenchmarkCatalog(
            "iceberg",
            "iceberg",
            false,
            ImmutableMap.of(
                    "iceberg.catalog.type", "TESTING_FILE_METASTORE",
                    "hive.metastore.catalog.dir", ROOT),
            ANY_METASTORE_VERSION);
    /**
     * Parquet in its best configuration: with a codec that is faster to read than GZIP, and with the same wait for
     * dynamic filters as the other catalogs.
     */
    public static final BenchmarkCatalog HIVE = new BenchmarkCatalog(
            "hive",
            "hive",
            false,
            ImmutableMap.of(
                    "hive.metastore", "file",
                    "hive.metastore.catalog.dir", ROOT,
                    "hive.storage-format", "PARQUET",
                    "hive.compression-codec", "SNAPPY",
                    "hive.dynamic-filtering.wait-timeout", "1s"),
            ANY_METASTORE_VERSION);
    /**
     * ORC with the same codec as {@link #HIVE}.
     */
    private static final BenchmarkCatalog HIVE_ORC = HIVE.with("hive_orc", ImmutableMap.of("hive.storage-format", "ORC"));
    /**
     * Contains the generated data, from which the other catalogs are loaded. It is not measured.
     */
    public static final BenchmarkCatalog SOURCE = new BenchmarkCatalog("source", "hive", false, HIVE.settings(), HIVE.defaults());

    private static final List<BenchmarkCatalog> COMPARABLE = ImmutableList.of(ALBIS, ALBIS_COLUMNS, ALBIS_ROW, ALBIS_ZSTD, ICEBERG, HIVE, HIVE_ORC);
    private static final String SETTING = "+";

    public BenchmarkCatalog
    {
        requireNonNull(catalogName, "catalogName is null");
        requireNonNull(connector, "connector is null");
        settings = ImmutableMap.copyOf(settings);
        defaults = ImmutableMap.copyOf(defaults);
        requireNonNull(folderName, "folderName is null");
        requireNonNull(storage, "storage is null");
    }

    private BenchmarkCatalog(String catalogName, String connector, boolean isAlbis, Map<String, String> settings)
    {
        this(catalogName, connector, isAlbis, settings, ImmutableMap.of());
    }

    private BenchmarkCatalog(String catalogName, String connector, boolean isAlbis, Map<String, String> settings, Map<String, String> defaults)
    {
        this(catalogName, connector, isAlbis, settings, defaults, catalogName, Optional.empty());
    }

    private BenchmarkCatalog with(String catalogName, Map<String, String> changed)
    {
        Map<String, String> settings = new LinkedHashMap<>(this.settings);
        settings.putAll(changed);
        return new BenchmarkCatalog(catalogName, connector, isAlbis, settings, defaults, catalogName, storage);
    }

    /**
     * Returns the same catalog with its directory on another file system.
     */
    public BenchmarkCatalog on(RemoteStorage storage)
    {
        return new BenchmarkCatalog(catalogName, connector, isAlbis, settings, defaults, folderName, Optional.of(storage));
    }

    /**
     * Returns the same catalog with a property of its connector, unless the property is already set. The property must
     * have no effect on the files of tables.
     *
     * @param name name of the property without that of the connector
     */
    public BenchmarkCatalog withDefault(String name, String value)
    {
        String property = connector + "." + name;
        if (settings.containsKey(property) || defaults.containsKey(property)) {
            return this;
        }
        Map<String, String> defaults = ImmutableMap.<String, String>builder()
                .putAll(this.defaults)
                .put(property, value)
                .buildOrThrow();
        return new BenchmarkCatalog(catalogName, connector, isAlbis, settings, defaults, folderName, storage);
    }

    /**
     * Returns the catalogs, those of Albis without answers from metadata, which would need no scan.
     */
    public static List<BenchmarkCatalog> withoutAnswers(List<BenchmarkCatalog> catalogs)
    {
        return catalogs.stream()
                .map(catalog -> catalog.isAlbis() ? catalog.withDefault("aggregation-pushdown-enabled", "false") : catalog)
                .collect(toImmutableList());
    }

    /**
     * Returns a catalog with the same settings and separate tables.
     */
    public BenchmarkCatalog variant(String suffix)
    {
        return with(catalogName + "_" + suffix, ImmutableMap.of());
    }

    /**
     * Returns a catalog with the same settings and the same tables, for measurements with other session properties.
     */
    public BenchmarkCatalog sharing(String suffix)
    {
        return new BenchmarkCatalog(catalogName + "_" + suffix, connector, isAlbis, settings, defaults, folderName, storage);
    }

    /**
     * Returns whether the tables are on the local file system and are not those of another catalog.
     */
    public boolean hasLocalTables()
    {
        return storage.isEmpty() && folderName.equals(catalogName);
    }

    /**
     * Returns whether DELETE, UPDATE, and MERGE can change the rows of its tables.
     */
    public boolean canChangeRows()
    {
        return !connector.equals(HIVE.connector());
    }

    /**
     * Returns whether a table can be sorted only within its buckets.
     */
    public boolean sortsOnlyBuckets()
    {
        return connector.equals(HIVE.connector());
    }

    /**
     * Returns the table properties for buckets of a column of type bigint.
     */
    public String bucketProperties(String column, int buckets)
    {
        return switch (connector) {
            case "hive" -> "bucketed_by = ARRAY['%s'], bucket_count = %s".formatted(column, buckets);
            case "iceberg" -> "partitioning = ARRAY['bucket(%s, %s)']".formatted(column, buckets);
            default -> "partitioned_by = ARRAY['bucket(%s, %s)']".formatted(column, buckets);
        };
    }

    /**
     * Returns the table properties for partitions of one value each. In Hive, the column must be the last one.
     */
    public String partitionProperties(String column)
    {
        return "%s = ARRAY['%s']".formatted(connector.equals(ICEBERG.connector()) ? "partitioning" : "partitioned_by", column);
    }

    /**
     * Parses a catalog.
     *
     * @param text a name such as {@code albis}, or a name with settings, such as {@code albis+lazy-reading=false}
     */
    public static BenchmarkCatalog parse(String text)
    {
        List<String> parts = Splitter.on(SETTING).splitToList(text);
        BenchmarkCatalog catalog = COMPARABLE.stream()
                .filter(candidate -> candidate.catalogName().equals(parts.getFirst()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("There is no catalog '%s' to compare, but %s".formatted(parts.getFirst(), names())));
        Map<String, String> changed = new LinkedHashMap<>();
        for (String setting : parts.subList(1, parts.size())) {
            int equals = setting.indexOf('=');
            if (equals < 0) {
                throw new IllegalArgumentException("Not a setting such as lazy-reading=false: '%s'".formatted(setting));
            }
            changed.put(catalog.connector() + "." + setting.substring(0, equals), setting.substring(equals + 1));
        }
        // Catalog names must not contain special characters
        return catalog.with(text.toLowerCase(ENGLISH).replaceAll("[^a-z0-9]", "_"), changed);
    }

    private static List<String> names()
    {
        return COMPARABLE.stream()
                .map(BenchmarkCatalog::catalogName)
                .collect(toImmutableList());
    }

    @Override
    public String label()
    {
        return catalogName;
    }

    /**
     * Returns the URI of the directory of a catalog that is not on the local file system.
     */
    public String remoteFolder()
    {
        return storage.orElseThrow().folder() + "/" + folderName;
    }

    public Path folder(Path data)
    {
        return data.resolve(folderName);
    }

    /**
     * Returns the properties that a catalog file would contain.
     */
    public Map<String, String> properties(Path data)
    {
        if (storage.isPresent()) {
            ImmutableMap.Builder<String, String> properties = ImmutableMap.builder();
            settings.forEach((name, value) -> properties.put(name, value.equals(ROOT) ? remoteFolder() : value));
            return properties
                    .putAll(defaults)
                    .putAll(storage.get().properties())
                    .buildOrThrow();
        }
        return ImmutableMap.<String, String>builder()
                .putAll(settings)
                .putAll(defaults)
                .put("fs.local.enabled", "true")
                .put("local.location", folder(data).toAbsolutePath().toString())
                .buildOrThrow();
    }
}
