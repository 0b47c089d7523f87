package io.albis.format.scan;

import com.google.common.collect.ImmutableSet;
import io.albis.format.filter.RowFilters;
import io.albis.format.predicate.RowAlternatives;
import io.albis.format.schema.AlbisColumn;
import io.trino.spi.predicate.TupleDomain;

import java.util.Set;

/**
 * The columns whose metadata the filters of a scan need.
 */
final class FilteredColumns
{
    private FilteredColumns() {}

    /**
     * Returns the columns of the current predicates, of the tests, and of the alternatives.
     */
    static Set<AlbisColumn> of(RowGroupScan scan, ReaderOptions options)
    {
        ImmutableSet.Builder<AlbisColumn> columns = ImmutableSet.builder();
        if (options.pruneSegments() || options.filterRows()) {
            addColumns(scan.predicate(), columns);
        }
        if (options.filterRows()) {
            scan.tests().forEach(test -> columns.add(test.column()));
            for (RowAlternatives alternatives : scan.alternatives()) {
                for (RowAlternatives.Branch branch : alternatives.branches()) {
                    addColumns(branch.predicate(), columns);
                    branch.tests().forEach(test -> columns.add(test.column()));
                }
            }
        }
        if (options.filterRowsDynamically()) {
            addColumns(scan.dynamicPredicate().get(), columns);
        }
        return columns.build();
    }

    private static void addColumns(TupleDomain<AlbisColumn> predicate, ImmutableSet.Builder<AlbisColumn> columns)
    {
        predicate.getDomains().ifPresent(domains -> domains.forEach((column, domain) -> {
            if (RowFilters.isEnforceable(column.type(), domain)) {
                columns.add(column);
            }
        }));
    }
}
