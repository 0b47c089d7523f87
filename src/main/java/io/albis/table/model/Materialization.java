package io.albis.table.model;

import com.google.common.collect.ImmutableList;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * What makes a view a materialized view, whose rows are those of the last refresh.
 *
 * @param gracePeriodMillis how long the rows may be used after a table that the query reads has changed; empty
 *         for any time
 * @param failWhenStale whether a query fails if the rows can no longer be used; otherwise, it runs the query of the
 *         view
 * @param refresh the last refresh; empty before the first one
 */
public record Materialization(Optional<Long> gracePeriodMillis, boolean failWhenStale, Optional<Refresh> refresh)
{
    public Materialization
    {
        requireNonNull(gracePeriodMillis, "gracePeriodMillis is null");
        checkArgument(gracePeriodMillis.isEmpty() || gracePeriodMillis.get() >= 0, "gracePeriodMillis is negative: %s", gracePeriodMillis);
        requireNonNull(refresh, "refresh is null");
    }

    /**
     * A refresh.
     *
     * @param time when the refresh began
     * @param complete whether the rows depend only on {@code tables}
     * @param tables the tables of the warehouse that the query has read
     */
    public record Refresh(Instant time, boolean complete, List<BaseTable> tables)
    {
        public Refresh
        {
            requireNonNull(time, "time is null");
            tables = ImmutableList.copyOf(tables);
        }
    }

    /**
     * A table or materialized view as a refresh has read it.
     *
     * @param version number of the version
     * @param content the {@link ContentHash} of the version, which later versions without other rows have as well
     */
    public record BaseTable(String schemaName, String tableName, UUID uuid, long version, String content)
    {
        public BaseTable
        {
            requireNonNull(schemaName, "schemaName is null");
            requireNonNull(tableName, "tableName is null");
            requireNonNull(uuid, "uuid is null");
            checkArgument(version > 0, "version is not positive: %s", version);
            requireNonNull(content, "content is null");
        }
    }

    public Materialization withRefresh(Optional<Refresh> refresh)
    {
        return new Materialization(gracePeriodMillis, failWhenStale, refresh);
    }
}
