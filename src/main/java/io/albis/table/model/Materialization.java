package io.albis.table.model;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.google.common.collect.ImmutableList;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_EMPTY;
import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * The part of a view that makes it a materialized view, whose rows are those of the last refresh.
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
     * @param complete whether the rows depend on nothing but {@code tables}, {@code views}, and {@code session}, and
     *         the materialized views among the tables were fresh
     * @param tables the tables of the warehouse that the query has read
     * @param views the views of the warehouse whose queries were part of the query
     * @param session the session of the statement; empty if it is not known
     */
    public record Refresh(
            Instant time,
            boolean complete,
            List<BaseTable> tables,
            @JsonInclude(NON_EMPTY) List<BaseView> views,
            Optional<RefreshSession> session)
    {
        public Refresh
        {
            requireNonNull(time, "time is null");
            tables = ImmutableList.copyOf(tables);
            views = views == null ? ImmutableList.of() : ImmutableList.copyOf(views);
            requireNonNull(session, "session is null");
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

    /**
     * A view as a refresh has used its query, or a materialized view whose query ran instead of its rows being read.
     *
     * @param content the {@link ContentHash} of the definition
     */
    public record BaseView(String schemaName, String viewName, String content)
    {
        public BaseView
        {
            requireNonNull(schemaName, "schemaName is null");
            requireNonNull(viewName, "viewName is null");
            requireNonNull(content, "content is null");
        }
    }

    /**
     * The properties of a session on which the rows of a query can depend. Rows that were read with different sessions
     * are not those of one query.
     *
     * @param user the user who has refreshed the materialized view, whom the access control may show other rows than
     *         other users
     * @param timeZone id of the time zone, in which the query reads texts as times
     * @param locale language tag of the locale, in which the query formats times
     */
    public record RefreshSession(String user, String timeZone, String locale)
    {
        public RefreshSession
        {
            requireNonNull(user, "user is null");
            requireNonNull(timeZone, "timeZone is null");
            requireNonNull(locale, "locale is null");
        }
    }

    public Materialization withRefresh(Optional<Refresh> refresh)
    {
        return new Materialization(gracePeriodMillis, failWhenStale, refresh);
    }
}
