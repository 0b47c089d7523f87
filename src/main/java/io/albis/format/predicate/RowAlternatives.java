package io.albis.format.predicate;

import com.google.common.collect.ImmutableList;
import io.albis.format.schema.AlbisColumn;
import io.trino.spi.predicate.TupleDomain;

import java.util.List;

import static java.util.Objects.requireNonNull;

/**
 * Alternatives over several columns. The reader may skip any rows that match none of them, and need not skip any.
 *
 * @param branches the alternatives; without any, no row matches
 */
public record RowAlternatives(List<Branch> branches)
{
    /**
     * One of several alternatives, which a row matches if all of its conditions are true.
     *
     * @param predicate predicate on any columns of the table; each domain must be enforceable
     * @param tests tests of the distinct values of columns
     */
    public record Branch(TupleDomain<AlbisColumn> predicate, List<ColumnTest> tests)
    {
        public Branch
        {
            requireNonNull(predicate, "predicate is null");
            tests = ImmutableList.copyOf(tests);
        }
    }

    public RowAlternatives
    {
        branches = ImmutableList.copyOf(branches);
    }
}
