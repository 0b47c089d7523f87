package io.albis.benchmarks.threshold;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.server.BenchmarkCatalog;
import io.albis.benchmarks.server.SessionProperty;
import io.albis.trino.config.AlbisSessionProperties;
import io.albis.trino.config.ThresholdSessionProperties;

import java.util.List;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * How Albis finds and reads the rows of a predicate. Each mode is a catalog that shares the tables of another one, with
 * its own session properties. That catalog itself has the thresholds of Albis.
 */
public enum ReadMode
{
    /**
     * The column of the predicate is read, and then whole runs of the other columns.
     */
    SCAN("scan") {
        @Override
        List<SessionProperty> properties(String catalog)
        {
            return ImmutableList.of(
                    property(catalog, AlbisSessionProperties.INDEX_ENABLED, "false"),
                    property(catalog, ThresholdSessionProperties.PAGE_READ_MAX_ROWS, "0"));
        }
    },
    /**
     * The index is searched however many rows it finds, and whole runs are read.
     */
    INDEX_RUNS("index_runs") {
        @Override
        List<SessionProperty> properties(String catalog)
        {
            return ImmutableList.<SessionProperty>builder()
                    .addAll(searchAlways(catalog))
                    .add(property(catalog, ThresholdSessionProperties.PAGE_READ_MAX_ROWS, "0"))
                    .build();
        }
    },
    /**
     * The index is searched however many rows it finds, and only the pages with these rows are read.
     */
    INDEX_PAGES("index_pages") {
        @Override
        List<SessionProperty> properties(String catalog)
        {
            return ImmutableList.<SessionProperty>builder()
                    .addAll(searchAlways(catalog))
                    .add(property(catalog, ThresholdSessionProperties.PAGE_READ_MAX_ROWS, Integer.toString(Integer.MAX_VALUE)))
                    .build();
        }
    };

    private final String suffix;

    ReadMode(String suffix)
    {
        this.suffix = requireNonNull(suffix, "suffix is null");
    }

    abstract List<SessionProperty> properties(String catalog);

    /**
     * Returns the catalog with the tables of another one that is read in this mode.
     */
    public BenchmarkCatalog of(BenchmarkCatalog catalog)
    {
        return catalog.sharing(suffix);
    }

    /**
     * Returns the session properties of the catalog of this mode.
     *
     * @param catalog the one whose tables are shared
     */
    public List<SessionProperty> sessionProperties(BenchmarkCatalog catalog)
    {
        return properties(of(catalog).catalogName());
    }

    private static List<SessionProperty> searchAlways(String catalog)
    {
        return ImmutableList.of(
                property(catalog, ThresholdSessionProperties.INDEX_MIN_RUNS, "0"),
                property(catalog, ThresholdSessionProperties.INDEX_MAX_ROW_SHARE, "1"),
                property(catalog, ThresholdSessionProperties.INDEX_MAX_COMBINED_ROW_SHARE, "1"),
                property(catalog, ThresholdSessionProperties.INDEX_MAX_BYTES, "1000000"));
    }

    private static SessionProperty property(String catalog, String name, String value)
    {
        return new SessionProperty(Optional.of(catalog), name, value);
    }

    @Override
    public String toString()
    {
        return suffix.replace('_', ' ');
    }
}
