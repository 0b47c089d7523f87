package io.albis.trino.write;

import io.albis.format.schema.AlbisColumn;
import io.albis.table.version.ReadSet;
import io.albis.trino.handle.AlbisMergeTableHandle;
import io.albis.trino.handle.AlbisTableHandle;
import io.albis.trino.pushdown.PruningPredicate;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.predicate.TupleDomain;

import java.util.List;
import java.util.UUID;

import static com.google.common.collect.ImmutableList.toImmutableList;

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
        return ReadSet.of(predicates(tableId, sources));
    }

    /**
     * Returns what a DELETE of whole row groups has read.
     */
    static ReadSet ofDelete(AlbisTableHandle table)
    {
        return ReadSet.ofDelete(PruningPredicate.of(table.predicate()));
    }

    /**
     * Returns what a row-level DELETE, UPDATE, or MERGE has read.
     *
     * @param sources tables that the query reads, including the target
     */
    static ReadSet ofMerge(AlbisMergeTableHandle handle, List<ConnectorTableHandle> sources)
    {
        List<TupleDomain<AlbisColumn>> predicates = predicates(handle.target().tableId(), sources);
        if (predicates.size() == 1 && handle.ofDelete()) {
            // no other scan of the table decides which rows are deleted
            return ReadSet.ofDelete(predicates.getFirst());
        }
        return ReadSet.of(predicates);
    }

    private static List<TupleDomain<AlbisColumn>> predicates(UUID tableId, List<ConnectorTableHandle> sources)
    {
        return sources.stream()
                .map(AlbisTableHandle.class::cast)
                // a version that the query names does not depend on what others commit
                .filter(source -> source.tableId().equals(tableId) && !source.chosen())
                .map(source -> PruningPredicate.of(source.predicate()))
                .collect(toImmutableList());
    }
}
