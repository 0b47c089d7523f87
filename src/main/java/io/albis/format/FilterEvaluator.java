package io.albis.format;

import com.google.common.collect.ImmutableSet;
import io.albis.format.AlbisFilter.And;
import io.albis.format.AlbisFilter.Comparison;
import io.albis.format.AlbisFilter.IsNull;
import io.albis.format.AlbisFilter.Not;
import io.albis.format.AlbisFilter.Operator;
import io.albis.format.AlbisFilter.Or;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.type.JavaValues;
import io.trino.spi.type.Type;
import jakarta.annotation.Nullable;

import java.io.IOException;
import java.util.List;
import java.util.Set;

import static io.trino.spi.type.TypeUtils.isFloatingPointNaN;

/**
 * Evaluates a filter row by row. Used for filters that cannot be expressed as column domains.
 */
final class FilterEvaluator
{
    interface Row
    {
        /**
         * Returns the value of a column as Trino's native value, or null.
         */
        @Nullable
        Object value(AlbisColumn column)
                throws IOException;
    }

    private FilterEvaluator() {}

    /**
     * Evaluates a filter for one row.
     *
     * @return true, false, or null for unknown
     */
    @Nullable
    static Boolean evaluate(AlbisFilter filter, Row row)
            throws IOException
    {
        return switch (filter) {
            case Comparison(AlbisColumn column, Operator operator, Object value) -> {
                Object left = row.value(column);
                yield left == null ? null : compare(column.type(), left, operator, JavaValues.toNative(column.type(), value));
            }
            case IsNull(AlbisColumn column) -> row.value(column) == null;
            case Not(AlbisFilter inner) -> negate(evaluate(inner, row));
            case And(List<AlbisFilter> filters) -> {
                Boolean result = true;
                for (AlbisFilter operand : filters) {
                    Boolean value = evaluate(operand, row);
                    if (value == null) {
                        result = null;
                    }
                    else if (!value) {
                        yield false;
                    }
                }
                yield result;
            }
            case Or(List<AlbisFilter> filters) -> {
                Boolean result = false;
                for (AlbisFilter operand : filters) {
                    Boolean value = evaluate(operand, row);
                    if (value == null) {
                        result = null;
                    }
                    else if (value) {
                        yield true;
                    }
                }
                yield result;
            }
        };
    }

    @Nullable
    private static Boolean negate(@Nullable Boolean value)
    {
        return value == null ? null : !value;
    }

    private static boolean compare(Type type, Object left, Operator operator, Object right)
    {
        if (isFloatingPointNaN(type, left) || isFloatingPointNaN(type, right)) {
            return operator == Operator.NOT_EQUAL;
        }
        return FilterDomains.domain(type, operator, right).includesNullableValue(left);
    }

    static Set<AlbisColumn> columns(AlbisFilter filter)
    {
        ImmutableSet.Builder<AlbisColumn> columns = ImmutableSet.builder();
        addColumns(filter, columns);
        return columns.build();
    }

    private static void addColumns(AlbisFilter filter, ImmutableSet.Builder<AlbisColumn> columns)
    {
        switch (filter) {
            case Comparison comparison -> columns.add(comparison.column());
            case IsNull(AlbisColumn column) -> columns.add(column);
            case Not(AlbisFilter inner) -> addColumns(inner, columns);
            case And(List<AlbisFilter> filters) -> filters.forEach(operand -> addColumns(operand, columns));
            case Or(List<AlbisFilter> filters) -> filters.forEach(operand -> addColumns(operand, columns));
        }
    }
}
