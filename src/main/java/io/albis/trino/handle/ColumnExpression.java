package io.albis.trino.handle;

import io.trino.spi.expression.ConnectorExpression;

import static java.util.Objects.requireNonNull;

/**
 * A boolean expression on a single column, which the connector evaluates for distinct values.
 *
 * @param column a column of a scalar type, or a field of a row
 * @param expression an expression whose only variable is {@link #VARIABLE}, without lambda expressions, which have no
 *         form in JSON
 */
public record ColumnExpression(AlbisColumnHandle column, ConnectorExpression expression)
{
    /**
     * The name of the variable that stands for the column, so that the same expression is equal in each use.
     */
    public static final String VARIABLE = "value";

    public ColumnExpression
    {
        requireNonNull(column, "column is null");
        requireNonNull(expression, "expression is null");
    }
}
