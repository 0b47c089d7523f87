package io.albis.trino.view;

import io.albis.table.model.ContentHash;
import io.albis.table.model.Materialization;
import io.albis.table.model.Materialization.BaseTable;
import io.albis.table.model.Materialization.Refresh;
import io.albis.table.model.TableException;
import io.albis.table.version.AlbisTable;
import io.albis.trino.relation.TableLoader;
import io.trino.spi.connector.MaterializedViewFreshness;
import io.trino.spi.connector.SchemaTableName;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import static io.albis.table.model.TableException.Reason.VERSION_NOT_FOUND;
import static io.albis.trino.error.AlbisErrors.translate;
import static io.trino.spi.connector.MaterializedViewFreshness.Freshness.FRESH;
import static io.trino.spi.connector.MaterializedViewFreshness.Freshness.FRESH_WITHIN_GRACE_PERIOD;
import static io.trino.spi.connector.MaterializedViewFreshness.Freshness.STALE;
import static io.trino.spi.connector.MaterializedViewFreshness.Freshness.UNKNOWN;
import static java.util.Objects.requireNonNull;

/**
 * Compares the tables that the last refresh of a materialized view has read with what they are now.
 */
final class ViewFreshness
{
    private final TableLoader tables;

    ViewFreshness(TableLoader tables)
    {
        this.tables = requireNonNull(tables, "tables is null");
    }

    /**
     * @param now begin of the query, which accepts rows within the grace period; empty to compare the tables in any
     *         case
     */
    MaterializedViewFreshness of(Materialization materialization, Optional<Instant> now)
    {
        if (materialization.refresh().isEmpty()) {
            return new MaterializedViewFreshness(STALE, Optional.empty());
        }
        Refresh refresh = materialization.refresh().get();
        if (now.isPresent() && materialization.gracePeriodMillis().isPresent()) {
            Duration age = Duration.between(refresh.time(), now.get());
            if (age.compareTo(Duration.ofMillis(materialization.gracePeriodMillis().get())) <= 0) {
                return new MaterializedViewFreshness(FRESH_WITHIN_GRACE_PERIOD, Optional.of(refresh.time()));
            }
        }
        boolean stale = false;
        Optional<Instant> lastFresh = Optional.empty();
        for (BaseTable base : refresh.tables()) {
            Optional<AlbisTable> current = tables.findStored(new SchemaTableName(base.schemaName(), base.tableName()));
            if (current.isPresent() && isUnchanged(base, current.get())) {
                continue;
            }
            stale = true;
            Instant changed = firstChange(refresh, base, current);
            lastFresh = Optional.of(lastFresh.isPresent() && lastFresh.get().isBefore(changed) ? lastFresh.get() : changed);
        }
        if (stale) {
            return new MaterializedViewFreshness(STALE, lastFresh);
        }
        if (!refresh.complete()) {
            return new MaterializedViewFreshness(UNKNOWN, Optional.of(refresh.time()));
        }
        return new MaterializedViewFreshness(FRESH, Optional.empty());
    }

    private static boolean isUnchanged(BaseTable base, AlbisTable current)
    {
        // other versions may have the same rows, for example after a comment
        return current.uuid().equals(base.uuid()) &&
                (current.version().version() == base.version() || ContentHash.of(current.version()).equals(base.content()));
    }

    /**
     * Returns a time until which the rows were those of the query: that of the version after the one that the refresh
     * has read, or that of the refresh if the table is gone or this version has expired.
     */
    private Instant firstChange(Refresh refresh, BaseTable base, Optional<AlbisTable> current)
    {
        if (current.isEmpty() || !current.get().uuid().equals(base.uuid()) || current.get().version().version() <= base.version()) {
            return refresh.time();
        }
        if (current.get().version().version() == base.version() + 1) {
            return current.get().version().time();
        }
        return translate(() -> {
            try {
                return tables.history(current.get()).get(base.version() + 1).time();
            }
            catch (TableException e) {
                if (e.reason() == VERSION_NOT_FOUND) {
                    return refresh.time();
                }
                throw e;
            }
        });
    }
}
