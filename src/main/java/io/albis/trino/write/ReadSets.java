package io.albis.trino.write;

import io.albis.table.row.ReadSet;
import io.albis.table.row.ReadSet.Scan;
import io.albis.table.version.AlbisTable;
import io.albis.trino.handle.AlbisMergeTableHandle;
import io.albis.trino.handle.AlbisTableHandle;
import io.albis.trino.pushdown.PruningPredicate;
import io.albis.trino.pushdown.ScannedColumns;
import io.albis.trino.relation.TableLoader;
import io.trino.spi.connector.ConnectorTableHandle;

import java.util.List;
import java.util.UUID;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.Iterables.getOnlyElement;

/**
 * Describes what statements have read from the table that they change. A scan has read the rows that match the
 * predicate of its handle.
 */
final class ReadSets
{
    private ReadSets() {}

    /**
     * Returns what an INSERT has read.
     *
     * @param sources tables that the query reads
     */
    static ReadSet ofInsert(UUID tableId, List<ConnectorTableHandle> sources)
    {
        return ReadSet.ofScans(scans(tableId, sources));
    }

    /**
     * Returns what a DELETE of whole row groups has read.
     *
     * @param sources tables that the statement reads, including the target
     */
    static ReadSet ofDelete(AlbisTableHandle target, List<ConnectorTableHandle> sources)
    {
        List<Scan> scans = scans(target.tableId(), sources);
        // another scan of the table may decide which rows are deleted
        return scans.size() == 1 ? ReadSet.ofDelete(getOnlyElement(scans)) : ReadSet.ofScans(scans);
    }

    /**
     * Returns what a row-level DELETE, UPDATE, or MERGE has read.
     *
     * @param sources tables that the query reads, including the target
     */
    static ReadSet ofMerge(AlbisMergeTableHandle handle, List<ConnectorTableHandle> sources)
    {
        List<Scan> scans = scans(handle.target().tableId(), sources);
        if (scans.size() != 1) {
            // another scan of the table may decide which rows are changed
            return ReadSet.ofScans(scans);
        }
        return switch (handle.kind()) {
            case DELETE -> ReadSet.ofDelete(getOnlyElement(scans));
            case UPDATE -> ReadSet.ofUpdate(getOnlyElement(scans));
            case MERGE -> ReadSet.ofScans(scans);
        };
    }

    /**
     * Returns what a statement has read, including its reads through other catalogs with the same warehouse. Their
     * predicates are unknown.
     *
     * @param readSet what it has read through this catalog
     */
    static ReadSet complete(ReadSet readSet, TableLoader tables, AlbisTable base)
    {
        // checks the versions that the statement has read
        tables.isScanned(base);
        return tables.isScannedElsewhere(base) ? ReadSet.wholeTable() : readSet;
    }

    private static List<Scan> scans(UUID tableId, List<ConnectorTableHandle> sources)
    {
        return sources.stream()
                .map(AlbisTableHandle.class::cast)
                // a version that the query names does not depend on what others commit
                .filter(source -> source.tableId().equals(tableId) && !source.chosen())
                .map(ReadSets::scan)
                .collect(toImmutableList());
    }

    private static Scan scan(AlbisTableHandle table)
    {
        return new Scan(PruningPredicate.of(table.predicate()), ScannedColumns.of(table));
    }
}
