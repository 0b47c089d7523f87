package io.albis.trino.view;

import com.google.common.collect.ImmutableSet;
import io.airlift.log.Logger;
import io.albis.table.model.ContentHash;
import io.albis.table.model.Materialization;
import io.albis.table.model.Materialization.BaseTable;
import io.albis.table.model.Materialization.BaseView;
import io.albis.table.model.Materialization.Refresh;
import io.albis.table.model.TableVersion;
import io.albis.table.model.ViewDefinition;
import io.albis.table.version.AlbisTable;
import io.albis.table.version.TableHistory;
import io.albis.trino.relation.TableLoader;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.MaterializedViewFreshness;
import io.trino.spi.connector.SchemaTableName;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import static io.albis.table.put.Interruptions.isInterrupted;
import static io.albis.trino.error.AlbisErrors.translate;
import static io.trino.spi.connector.MaterializedViewFreshness.Freshness.FRESH;
import static io.trino.spi.connector.MaterializedViewFreshness.Freshness.FRESH_WITHIN_GRACE_PERIOD;
import static io.trino.spi.connector.MaterializedViewFreshness.Freshness.STALE;
import static io.trino.spi.connector.MaterializedViewFreshness.Freshness.UNKNOWN;
import static java.util.Objects.requireNonNull;

/**
 * Compares the tables and views that the last refresh of a materialized view has read with what they are now. What
 * cannot be loaded counts as changed.
 */
final class ViewFreshness
{
    private static final Logger log = Logger.get(ViewFreshness.class);

    private final TableLoader tables;

    ViewFreshness(TableLoader tables)
    {
        this.tables = requireNonNull(tables, "tables is null");
    }

    /**
     * @param now begin of the query, which accepts rows within the grace period; empty to compare the tables in any
     *         case
     */
    MaterializedViewFreshness of(AlbisTable view, Optional<Instant> now)
    {
        Materialization materialization = materialization(view);
        if (now.isPresent() && materialization.refresh().isPresent() && materialization.gracePeriodMillis().isPresent()) {
            Instant refreshed = materialization.refresh().get().time();
            Duration gracePeriod = Duration.ofMillis(materialization.gracePeriodMillis().get());
            if (Duration.between(refreshed, now.get()).compareTo(gracePeriod) <= 0) {
                return new MaterializedViewFreshness(FRESH_WITHIN_GRACE_PERIOD, Optional.of(refreshed));
            }
        }
        return compare(view, ImmutableSet.of());
    }

    /**
     * @param outer materialized views that have read the rows of this one, directly or through others
     */
    private MaterializedViewFreshness compare(AlbisTable view, Set<UUID> outer)
    {
        Optional<Refresh> last = materialization(view).refresh();
        if (last.isEmpty()) {
            return new MaterializedViewFreshness(STALE, Optional.empty());
        }
        Refresh refresh = last.get();
        boolean known = refresh.complete();
        Optional<Instant> changed = Optional.empty();
        for (BaseView base : refresh.views()) {
            if (!isUnchanged(base)) {
                changed = Optional.of(refresh.time());
            }
        }
        Set<UUID> readers = ImmutableSet.<UUID>builder().addAll(outer).add(view.uuid()).build();
        for (BaseTable base : refresh.tables()) {
            MaterializedViewFreshness freshness = compare(base, refresh, readers);
            if (freshness.getFreshness() == STALE) {
                changed = earlier(changed, freshness.getLastKnownFreshTime().orElse(refresh.time()));
            }
            known &= freshness.getFreshness() != UNKNOWN;
        }
        if (changed.isPresent()) {
            // what else the query reads may have changed before
            return new MaterializedViewFreshness(STALE, known ? changed : Optional.of(refresh.time()));
        }
        return known ?
                new MaterializedViewFreshness(FRESH, Optional.empty()) :
                new MaterializedViewFreshness(UNKNOWN, Optional.of(refresh.time()));
    }

    private MaterializedViewFreshness compare(BaseTable base, Refresh refresh, Set<UUID> readers)
    {
        Optional<AlbisTable> current = find(base.schemaName(), base.tableName());
        // The number of a version that was lost can be that of another one. Versions with other numbers may have the
        // same rows, for example after a comment
        if (current.isEmpty() || !current.get().uuid().equals(base.uuid()) || !ContentHash.of(current.get().version()).equals(base.content())) {
            return new MaterializedViewFreshness(STALE, Optional.of(firstChange(refresh, base, current)));
        }
        if (!current.get().version().isMaterializedView()) {
            return new MaterializedViewFreshness(FRESH, Optional.empty());
        }
        // Two materialized views can read each other after one of them was replaced
        return readers.contains(base.uuid()) ?
                new MaterializedViewFreshness(UNKNOWN, Optional.empty()) :
                compare(current.get(), readers);
    }

    private boolean isUnchanged(BaseView base)
    {
        return find(base.schemaName(), base.viewName())
                .flatMap(view -> view.version().view())
                .map(ContentHash::of)
                .equals(Optional.of(base.content()));
    }

    /**
     * Returns what a name refers to, or empty if it refers to nothing that can be loaded. Rows of the materialized view
     * can be used without it, and a list of all materialized views must not fail.
     */
    private Optional<AlbisTable> find(String schemaName, String name)
    {
        try {
            return tables.findRelation(new SchemaTableName(schemaName, name));
        }
        catch (TrinoException e) {
            if (isInterrupted(e)) {
                throw e;
            }
            log.warn(e, "The rows of materialized views count as stale, because %s.%s cannot be loaded", schemaName, name);
            return Optional.empty();
        }
    }

    /**
     * Returns a time until which the rows were those of the query: that of the first version with other rows than the
     * refresh has read, or that of the refresh if the table is gone or this version is not known or cannot be read.
     */
    private Instant firstChange(Refresh refresh, BaseTable base, Optional<AlbisTable> current)
    {
        if (current.isEmpty() || !current.get().uuid().equals(base.uuid()) || current.get().version().version() <= base.version()) {
            return refresh.time();
        }
        try {
            return translate(() -> firstChange(tables.history(current.get()), base, current.get().version())).orElse(refresh.time());
        }
        catch (TrinoException e) {
            if (isInterrupted(e)) {
                throw e;
            }
            log.debug(e, "The time of the first change of %s.%s since version %s is not known", base.schemaName(), base.tableName(), base.version());
            return refresh.time();
        }
    }

    /**
     * Returns the time of a version with other rows whose predecessor has the rows that the refresh has read; empty if
     * its predecessor has expired. Versions with the same rows are those of comments, tags, and the like.
     *
     * @param current a version with other rows
     */
    private static Optional<Instant> firstChange(TableHistory history, BaseTable base, TableVersion current)
            throws IOException
    {
        long same = base.version();
        boolean known = true;
        TableVersion changed = current;
        while (changed.version() - same > 1) {
            long middle = same + (changed.version() - same) / 2;
            Optional<TableVersion> version = history.find(middle);
            if (version.isPresent() && !ContentHash.of(version.get()).equals(base.content())) {
                changed = version.get();
            }
            else {
                same = middle;
                known = version.isPresent();
            }
        }
        return known ? Optional.of(changed.time()) : Optional.empty();
    }

    private static Optional<Instant> earlier(Optional<Instant> first, Instant second)
    {
        return Optional.of(first.isPresent() && first.get().isBefore(second) ? first.get() : second);
    }

    private static Materialization materialization(AlbisTable view)
    {
        return view.version().view().flatMap(ViewDefinition::materialized).orElseThrow();
    }
}
