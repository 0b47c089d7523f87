package io.albis.trino.view;

import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Maps;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.albis.table.model.ContentHash;
import io.albis.table.model.Materialization.BaseTable;
import io.albis.table.model.Materialization.Refresh;
import io.albis.table.model.TableColumn;
import io.albis.table.model.TableVersion;
import io.albis.table.version.AlbisTable;
import io.albis.table.version.ManifestSelection;
import io.albis.trino.relation.TableLoader;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static java.util.Objects.requireNonNull;

/**
 * The rows that were appended to a table after a refresh has read it. The next refresh reads only these if nothing else
 * has changed.
 *
 * @param tableId id of the table
 * @param read ids of the row groups that the last refresh has read
 */
public record AppendedRows(UUID tableId, Set<UUID> read)
{
    public AppendedRows
    {
        requireNonNull(tableId, "tableId is null");
        read = ImmutableSet.copyOf(read);
    }

    /**
     * Compares a table with the version that a refresh has read.
     *
     * @return empty if the refresh has read anything else, or if not only rows were appended
     */
    static Optional<AppendedRows> since(Refresh refresh, AlbisTable table, TableLoader tables)
            throws IOException
    {
        if (!refresh.complete() || refresh.tables().size() != 1) {
            return Optional.empty();
        }
        BaseTable base = refresh.tables().getFirst();
        if (!base.uuid().equals(table.uuid()) || base.version() > table.version().version()) {
            return Optional.empty();
        }
        Optional<TableVersion> version = find(base.version(), table, tables);
        // A version that was lost may have been followed by another one with its number
        if (version.isEmpty() || !ContentHash.of(version.get()).equals(base.content())) {
            return Optional.empty();
        }
        Map<Integer, String> names = names(table.version());
        if (version.get().schemaId() != table.version().schemaId() || !names(version.get()).equals(names)) {
            return Optional.empty();
        }
        List<RowGroup> before = tables.at(table, version.get()).rowGroups();
        Map<UUID, RowGroup> now = Maps.uniqueIndex(table.rowGroups(), RowGroup::id);
        ImmutableSet.Builder<UUID> read = ImmutableSet.builder();
        for (RowGroup rowGroup : before) {
            RowGroup same = now.get(rowGroup.id());
            if (same == null || !same.deletedRows().equals(rowGroup.deletedRows()) || !columnGroups(same, names.keySet()).equals(columnGroups(rowGroup, names.keySet()))) {
                return Optional.empty();
            }
            read.add(rowGroup.id());
        }
        return Optional.of(new AppendedRows(table.uuid(), read.build()));
    }

    /**
     * Returns the names of the columns, which the query uses, by their ids.
     */
    private static Map<Integer, String> names(TableVersion version)
    {
        return version.columns().stream()
                .collect(toImmutableMap(TableColumn::id, TableColumn::name));
    }

    /**
     * Returns the column groups of a row group. Commits leave out those of which all columns were dropped.
     */
    private static List<ColumnGroupInstance> columnGroups(RowGroup rowGroup, Set<Integer> columnIds)
    {
        return rowGroup.withColumns(columnIds).columnGroups();
    }

    private static Optional<TableVersion> find(long number, AlbisTable table, TableLoader tables)
            throws IOException
    {
        if (number == table.version().version()) {
            return Optional.of(table.version());
        }
        return tables.history(table).find(number);
    }

    /**
     * Returns the appended row groups among those of the table.
     */
    public ManifestSelection select(ManifestSelection all)
    {
        List<RowGroup> appended = all.rowGroups().stream()
                .filter(rowGroup -> !read.contains(rowGroup.id()))
                .collect(toImmutableList());
        return new ManifestSelection(appended, all.manifests(), all.prunedManifests(), all.prunedRowGroups() + all.rowGroups().size() - appended.size());
    }
}
