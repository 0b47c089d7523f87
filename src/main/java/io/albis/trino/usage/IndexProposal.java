package io.albis.trino.usage;

import io.albis.format.type.OrderKeys;
import io.albis.table.model.IndexedColumns;
import io.albis.table.model.PartitionFields;
import io.albis.table.model.SortColumns;
import io.albis.table.model.TableColumn;
import io.albis.table.model.TableVersion;
import io.albis.table.sketch.ColumnSketch;
import io.albis.table.sketch.ColumnSketches;

import java.util.Set;

import static com.google.common.collect.ImmutableSet.toImmutableSet;

/**
 * Proposes columns for an index. A column by which queries filter rows is worth one if its predicates probably select
 * few rows, and if nothing else says where these rows are.
 */
public final class IndexProposal
{
    // Readers do not use an index for a predicate that more rows match than one in this number
    private static final int MIN_DISTINCT_VALUES = 32;

    private IndexProposal() {}

    /**
     * Returns the ids of the columns that are worth an index if queries filter by them: their type has an order, they
     * have many distinct values and no index yet, and the table is neither sorted nor partitioned by them.
     *
     * @param sketches the sketches of the columns. A column without one is not proposed
     */
    public static Set<Integer> of(TableVersion version, ColumnSketches sketches)
    {
        Set<Integer> indexed = IndexedColumns.of(version.properties());
        return version.columns().stream()
                .filter(column -> OrderKeys.of(column.type()).hasOrder())
                .map(TableColumn::id)
                .filter(id -> !indexed.contains(id))
                .filter(id -> !SortColumns.contains(version.properties(), id))
                .filter(id -> !PartitionFields.contains(version.properties(), id))
                .filter(id -> sketches.get(id).map(ColumnSketch::distinctValues).orElse(0L) >= MIN_DISTINCT_VALUES)
                .collect(toImmutableSet());
    }
}
