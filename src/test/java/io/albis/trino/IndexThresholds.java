package io.albis.trino;

import com.google.common.collect.ImmutableMap;
import io.trino.Session.SessionBuilder;

import java.util.Map;
import java.util.Random;

import static io.albis.trino.AlbisQueryRunner.CATALOG;
import static io.albis.trino.config.ThresholdSessionProperties.INDEX_MAX_BYTES;
import static io.albis.trino.config.ThresholdSessionProperties.INDEX_MAX_COMBINED_ROW_SHARE;
import static io.albis.trino.config.ThresholdSessionProperties.INDEX_MAX_ROW_SHARE;
import static io.albis.trino.config.ThresholdSessionProperties.INDEX_MIN_RUNS;
import static io.albis.trino.config.ThresholdSessionProperties.PAGE_READ_MAX_ROWS;

/**
 * Session properties with which readers search the indexes of small tables. With the defaults, they scan instead,
 * because a row group of up to 8,192 rows has a single run, and because a predicate on few distinct values matches many
 * of its rows.
 */
public final class IndexThresholds
{
    private static final String NO_LIMIT_OF_BYTES = "1000000";

    private IndexThresholds() {}

    /**
     * Sets properties with which readers search each index that a predicate can use.
     */
    public static SessionBuilder lowest(SessionBuilder session)
    {
        Map<String, String> properties = ImmutableMap.of(
                INDEX_MIN_RUNS, "0",
                INDEX_MAX_ROW_SHARE, "1",
                INDEX_MAX_COMBINED_ROW_SHARE, "1",
                INDEX_MAX_BYTES, NO_LIMIT_OF_BYTES);
        properties.forEach((name, value) -> session.setCatalogSessionProperty(CATALOG, name, value));
        return session;
    }

    /**
     * Returns properties with which readers search most indexes, and scan now and then.
     */
    public static Map<String, String> random(Random random)
    {
        return ImmutableMap.of(
                // with two, a row group of a single run is scanned
                INDEX_MIN_RUNS, String.valueOf(random.nextInt(8) == 0 ? 2 : random.nextInt(2)),
                INDEX_MAX_ROW_SHARE, random.nextBoolean() ? "1" : "0.2",
                INDEX_MAX_COMBINED_ROW_SHARE, random.nextBoolean() ? "1" : "0.3",
                INDEX_MAX_BYTES, random.nextInt(4) == 0 ? "2" : NO_LIMIT_OF_BYTES,
                PAGE_READ_MAX_ROWS, String.valueOf(random.nextInt(300)));
    }
}
