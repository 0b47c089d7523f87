package io.albis.trino.answer;

import com.google.common.collect.ImmutableList;
import io.albis.table.version.AlbisTable;
import io.albis.trino.handle.AlbisColumnHandle;
import io.trino.spi.predicate.NullableValue;
import io.trino.spi.predicate.TupleDomain;

import java.util.List;
import java.util.Optional;

/**
 * The results of aggregate functions over the rows of a scan.
 *
 * @param rows for each group the keys and then the results, in the order of the functions
 * @param rowGroups number of row groups of which a row may match
 */
record Answers(List<List<NullableValue>> rows, long rowGroups)
{
    Answers
    {
        rows = ImmutableList.copyOf(rows);
    }

    /**
     * Finds the results in the metadata of a table.
     *
     * @param predicate predicate that all rows of the scan match
     * @param keys columns by which the rows are grouped; empty for a single group
     * @return empty if the metadata does not give the exact result of one of the functions
     */
    static Optional<Answers> find(AlbisTable table, TupleDomain<AlbisColumnHandle> predicate, List<GroupKey> keys, List<Aggregate> aggregates)
    {
        DecidedRows rows = new DecidedRows(predicate.transformKeys(AlbisColumnHandle::toColumn));
        return new AnswerSearch(table, rows, new Groups(keys, aggregates, rows)).find();
    }
}
