package io.albis.format;

import com.google.common.collect.ImmutableList;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.type.NestedTypes;

import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * A condition on rows: null checks and comparisons combined with AND, OR, and NOT (Albis paper, section 3.3). As in
 * SQL, a comparison with null is unknown, and a reader returns only the rows for which the whole condition is true.
 */
public sealed interface AlbisFilter
{
    enum Operator
    {
        EQUAL,
        NOT_EQUAL,
        LESS_THAN,
        LESS_THAN_OR_EQUAL,
        GREATER_THAN,
        GREATER_THAN_OR_EQUAL;

        Operator negate()
        {
            return switch (this) {
                case EQUAL -> NOT_EQUAL;
                case NOT_EQUAL -> EQUAL;
                case LESS_THAN -> GREATER_THAN_OR_EQUAL;
                case LESS_THAN_OR_EQUAL -> GREATER_THAN;
                case GREATER_THAN -> LESS_THAN_OR_EQUAL;
                case GREATER_THAN_OR_EQUAL -> LESS_THAN;
            };
        }
    }

    /**
     * Compares the value of a column with a constant.
     *
     * @param value the constant, in the form that {@link io.albis.format.type.JavaValues} describes; not null
     */
    record Comparison(AlbisColumn column, Operator operator, Object value)
            implements AlbisFilter
    {
        public Comparison
        {
            requireNonNull(column, "column is null");
            requireNonNull(operator, "operator is null");
            requireNonNull(value, "value is null");
            checkArgument(!NestedTypes.isNested(column.type()), "column %s has type %s, which supports only null checks", column.name(), column.type().getDisplayName());
            checkArgument(
                    column.type().isOrderable() || (column.type().isComparable() && (operator == Operator.EQUAL || operator == Operator.NOT_EQUAL)),
                    "type %s does not support operator %s",
                    column.type().getDisplayName(),
                    operator);
        }
    }

    record IsNull(AlbisColumn column)
            implements AlbisFilter
    {
        public IsNull
        {
            requireNonNull(column, "column is null");
        }
    }

    record And(List<AlbisFilter> filters)
            implements AlbisFilter
    {
        public And
        {
            filters = ImmutableList.copyOf(filters);
        }
    }

    record Or(List<AlbisFilter> filters)
            implements AlbisFilter
    {
        public Or
        {
            filters = ImmutableList.copyOf(filters);
        }
    }

    record Not(AlbisFilter filter)
            implements AlbisFilter
    {
        public Not
        {
            requireNonNull(filter, "filter is null");
        }
    }

    /**
     * Accepts every row.
     */
    AlbisFilter ALL = new And(ImmutableList.of());

    static AlbisFilter equal(AlbisColumn column, Object value)
    {
        return new Comparison(column, Operator.EQUAL, value);
    }

    static AlbisFilter notEqual(AlbisColumn column, Object value)
    {
        return new Comparison(column, Operator.NOT_EQUAL, value);
    }

    static AlbisFilter lessThan(AlbisColumn column, Object value)
    {
        return new Comparison(column, Operator.LESS_THAN, value);
    }

    static AlbisFilter lessThanOrEqual(AlbisColumn column, Object value)
    {
        return new Comparison(column, Operator.LESS_THAN_OR_EQUAL, value);
    }

    static AlbisFilter greaterThan(AlbisColumn column, Object value)
    {
        return new Comparison(column, Operator.GREATER_THAN, value);
    }

    static AlbisFilter greaterThanOrEqual(AlbisColumn column, Object value)
    {
        return new Comparison(column, Operator.GREATER_THAN_OR_EQUAL, value);
    }

    static AlbisFilter isNull(AlbisColumn column)
    {
        return new IsNull(column);
    }

    static AlbisFilter and(AlbisFilter... filters)
    {
        return new And(ImmutableList.copyOf(filters));
    }

    static AlbisFilter or(AlbisFilter... filters)
    {
        return new Or(ImmutableList.copyOf(filters));
    }

    static AlbisFilter not(AlbisFilter filter)
    {
        return new Not(filter);
    }
}
