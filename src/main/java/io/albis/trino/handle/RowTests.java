package io.albis.trino.handle;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.google.common.collect.ImmutableSet;

import java.util.Set;

import static com.google.common.collect.ImmutableSet.toImmutableSet;

/**
 * Parts of a filter that are no domains of columns. The scan may use them to skip rows for which one of them is not
 * true. The engine evaluates the filter again.
 *
 * @param expressions expressions on single columns
 * @param alternatives alternatives over several columns
 */
public record RowTests(Set<ColumnExpression> expressions, Set<Alternatives> alternatives)
{
    public static final RowTests NONE = new RowTests(ImmutableSet.of(), ImmutableSet.of());

    public RowTests
    {
        expressions = ImmutableSet.copyOf(expressions);
        alternatives = ImmutableSet.copyOf(alternatives);
    }

    @JsonIgnore
    public boolean isEmpty()
    {
        return expressions.isEmpty() && alternatives.isEmpty();
    }

    /**
     * Returns the columns of the expressions on single columns.
     */
    public Set<AlbisColumnHandle> expressionColumns()
    {
        return expressions.stream()
                .map(ColumnExpression::column)
                .collect(toImmutableSet());
    }

    /**
     * Returns the columns of the alternatives.
     */
    public Set<AlbisColumnHandle> alternativeColumns()
    {
        return alternatives.stream()
                .flatMap(choice -> choice.columns().stream())
                .collect(toImmutableSet());
    }

    /**
     * Returns the columns of all tests.
     */
    public Set<AlbisColumnHandle> columns()
    {
        return ImmutableSet.<AlbisColumnHandle>builder()
                .addAll(expressionColumns())
                .addAll(alternativeColumns())
                .build();
    }
}
