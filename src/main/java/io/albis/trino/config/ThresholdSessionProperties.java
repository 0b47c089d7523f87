package io.albis.trino.config;

import com.google.common.collect.ImmutableList;
import io.albis.format.search.ReaderThresholds;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.session.PropertyMetadata;

import java.util.List;

import static io.trino.spi.StandardErrorCode.INVALID_SESSION_PROPERTY;
import static io.trino.spi.session.PropertyMetadata.doubleProperty;
import static io.trino.spi.session.PropertyMetadata.integerProperty;

/**
 * Hidden session properties with the thresholds of readers, for measurements and for tests with small tables. Their
 * defaults are good for all storages, so they are not properties of a catalog.
 */
public final class ThresholdSessionProperties
{
    public static final String INDEX_MIN_RUNS = "index_min_runs";
    public static final String INDEX_MAX_ROW_SHARE = "index_max_row_share";
    public static final String INDEX_MAX_COMBINED_ROW_SHARE = "index_max_combined_row_share";
    public static final String INDEX_MAX_BYTES = "index_max_bytes";
    public static final String PAGE_READ_MAX_ROWS = "page_read_max_rows";

    static final List<PropertyMetadata<?>> PROPERTIES = ImmutableList.of(
            count(INDEX_MIN_RUNS, "The fewest runs that the bounds of a column must leave before its index is searched", ReaderThresholds.DEFAULTS.minSearchedRuns()),
            share(INDEX_MAX_ROW_SHARE, "The most rows that a search of indexes may find, as a share of the rows of the row group", ReaderThresholds.DEFAULTS.maxFoundShare()),
            share(INDEX_MAX_COMBINED_ROW_SHARE, "The same for one of several indexes, whose rows are combined", ReaderThresholds.DEFAULTS.maxCombinedShare()),
            doubleProperty(INDEX_MAX_BYTES, "The most bytes of an index that are read, as a multiple of the bytes of the column", ReaderThresholds.DEFAULTS.maxSearchedBytes(), value -> check(value >= 0, INDEX_MAX_BYTES, "must not be negative", value), true),
            count(PAGE_READ_MAX_ROWS, "The most rows of a run of which only single pages are read", ReaderThresholds.DEFAULTS.maxPageValues()));

    private ThresholdSessionProperties() {}

    private static PropertyMetadata<?> count(String name, String description, int defaultValue)
    {
        return integerProperty(name, description, defaultValue, value -> check(value >= 0, name, "must not be negative", value), true);
    }

    private static PropertyMetadata<?> share(String name, String description, double defaultValue)
    {
        return doubleProperty(name, description, defaultValue, value -> check(value >= 0 && value <= 1, name, "must be between 0 and 1", value), true);
    }

    private static void check(boolean valid, String name, String rule, Object value)
    {
        if (!valid) {
            throw new TrinoException(INVALID_SESSION_PROPERTY, "%s %s: %s".formatted(name, rule, value));
        }
    }

    public static ReaderThresholds getThresholds(ConnectorSession session)
    {
        return new ReaderThresholds(
                session.getProperty(INDEX_MIN_RUNS, Integer.class),
                session.getProperty(INDEX_MAX_ROW_SHARE, Double.class),
                session.getProperty(INDEX_MAX_COMBINED_ROW_SHARE, Double.class),
                session.getProperty(INDEX_MAX_BYTES, Double.class),
                session.getProperty(PAGE_READ_MAX_ROWS, Integer.class));
    }
}
