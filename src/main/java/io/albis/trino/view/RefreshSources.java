package io.albis.trino.view;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.albis.table.model.ContentHash;
import io.albis.table.model.Materialization.BaseTable;
import io.albis.table.model.Materialization.BaseView;
import io.albis.table.model.Materialization.Refresh;
import io.albis.table.model.Materialization.RefreshSession;
import io.albis.table.model.ViewDefinition;
import io.albis.table.version.AlbisTable;
import io.albis.trino.handle.AlbisTableHandle;
import io.albis.trino.relation.StorageTables;
import io.albis.trino.relation.TableLoader;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.type.Type;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import static io.trino.spi.connector.MaterializedViewFreshness.Freshness.FRESH;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

/**
 * Makes the description of a refresh from the tables and views that its query reads.
 */
final class RefreshSources
{
    private final TableLoader tables;
    private final ExpandedViews expanded;
    private final ViewFreshness freshness;

    RefreshSources(TableLoader tables, ExpandedViews expanded, ViewFreshness freshness)
    {
        this.tables = requireNonNull(tables, "tables is null");
        this.expanded = requireNonNull(expanded, "expanded is null");
        this.freshness = requireNonNull(freshness, "freshness is null");
    }

    /**
     * @param session session of the statement
     * @param refreshed the materialized view
     * @param sources handles of the tables of this catalog that the query reads
     * @param onlySources whether the query reads nothing else
     */
    Refresh describe(ConnectorSession session, AlbisTable refreshed, List<ConnectorTableHandle> sources, boolean onlySources)
    {
        boolean complete = onlySources;
        ImmutableSet.Builder<Type> types = ImmutableSet.builder();
        // a query can read a table several times
        ImmutableSet.Builder<BaseTable> bases = ImmutableSet.builder();
        ImmutableSet.Builder<SchemaTableName> notExpanded = ImmutableSet.builder();
        notExpanded.add(new SchemaTableName(refreshed.schemaName(), refreshed.tableName()));
        for (ConnectorTableHandle source : sources) {
            if (!(source instanceof AlbisTableHandle handle)) {
                complete = false;
                continue;
            }
            boolean storage = StorageTables.isStorage(handle.schemaTableName());
            if (handle.chosen() && !storage) {
                // the query may name the version by a tag or a time, which can lead to another version later
                complete = false;
                continue;
            }
            SchemaTableName name = StorageTables.baseOf(handle.schemaTableName());
            AlbisTable table = tables.load(handle);
            table.version().columns().forEach(column -> types.add(column.type()));
            bases.add(new BaseTable(name.getSchemaName(), name.getTableName(), table.uuid(), table.version().version(), ContentHash.of(table.version())));
            if (storage) {
                notExpanded.add(name);
                // the rows may be old already
                complete &= freshness.of(table, Optional.empty()).getFreshness() == FRESH;
            }
        }
        Map<SchemaTableName, ViewDefinition> views = expanded.without(notExpanded.build());
        String sql = Stream.concat(refreshed.version().view().stream(), views.values().stream())
                .map(ViewDefinition::sql)
                .collect(joining("\n"));
        complete &= !SessionValues.mayBeIn(sql, types.build());
        return new Refresh(session.getStart(), complete, bases.build().asList(), baseViews(views), Optional.of(session(session)));
    }

    private static List<BaseView> baseViews(Map<SchemaTableName, ViewDefinition> views)
    {
        ImmutableList.Builder<BaseView> result = ImmutableList.builder();
        views.forEach((name, view) -> result.add(new BaseView(name.getSchemaName(), name.getTableName(), ContentHash.of(view))));
        return result.build();
    }

    private static RefreshSession session(ConnectorSession session)
    {
        return new RefreshSession(session.getUser(), session.getTimeZoneKey().getId(), session.getLocale().toLanguageTag());
    }
}
