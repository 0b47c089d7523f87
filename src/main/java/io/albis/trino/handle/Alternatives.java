package io.albis.trino.handle;

import com.google.common.collect.ImmutableSet;
import io.trino.spi.predicate.TupleDomain;

import java.util.Map;
import java.util.Set;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static java.util.Objects.requireNonNull;

/**
 * Alternatives over several columns, such as {@code a = 1 OR (b = 2 AND c LIKE '%x%')}. A row is skipped if it matches
 * none of them.
 *
 * @param branches at least two, each with a condition
 */
public record Alternatives(Set<Branch> branches)
{
    /**
     * One of several alternatives. A row may match it if all of its conditions are true.
     *
     * @param domains the values of columns; not none
     * @param expressions expressions on single columns
     */
    public record Branch(TupleDomain<AlbisColumnHandle> domains, Set<ColumnExpression> expressions)
    {
        public Branch
        {
            requireNonNull(domains, "domains is null");
            expressions = ImmutableSet.copyOf(expressions);
        }

        /**
         * Returns the columns of all conditions.
         */
        public Set<AlbisColumnHandle> columns()
        {
            return ImmutableSet.<AlbisColumnHandle>builder()
                    .addAll(domains.getDomains().map(Map::keySet).orElse(ImmutableSet.of()))
                    .addAll(expressions.stream().map(ColumnExpression::column).iterator())
                    .build();
        }
    }

    public Alternatives
    {
        branches = ImmutableSet.copyOf(branches);
    }

    /**
     * Returns the columns of all conditions.
     */
    public Set<AlbisColumnHandle> columns()
    {
        return branches.stream()
                .flatMap(branch -> branch.columns().stream())
                .collect(toImmutableSet());
    }
}
