package io.albis.trino.pushdown;

import io.albis.format.filter.RowFilters;
import io.albis.format.schema.ElementAccess;
import io.albis.trino.handle.AlbisColumnHandle;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.expression.Call;
import io.trino.spi.expression.ConnectorExpression;
import io.trino.spi.expression.Constant;
import io.trino.spi.expression.FieldDereference;
import io.trino.spi.expression.Variable;
import io.trino.spi.predicate.Domain;
import io.trino.spi.type.ArrayType;
import io.trino.spi.type.MapType;
import io.trino.spi.type.Type;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import static io.albis.format.schema.ElementAccess.Form.MAP_VALUE;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.TypeUtils.isFloatingPointNaN;
import static java.util.Objects.requireNonNull;

/**
 * A call of a function that needs only a part of an array or a map.
 *
 * @param container expression of the array or map
 * @param access the part that the function needs
 * @param replaced whether the part is the result of the function. If not, the function takes the part instead of the
 *         array or map, with the same result or the same error. The engine calls it where the query does, so that an
 *         expression such as {@code IF(cardinality(a) > 3, a[4])} does not fail
 */
record ElementCall(ConnectorExpression container, ElementAccess access, boolean replaced)
{
    private static final String CARDINALITY = "cardinality";
    private static final String ELEMENT_AT = "element_at";
    private static final String SUBSCRIPT = "$operator$SUBSCRIPT";

    ElementCall
    {
        requireNonNull(container, "container is null");
        requireNonNull(access, "access is null");
    }

    static Optional<ElementCall> of(ConnectorExpression expression)
    {
        if (!(expression instanceof Call call) || call.getFunctionName().getCatalogSchema().isPresent()) {
            return Optional.empty();
        }
        List<ConnectorExpression> arguments = call.getArguments();
        String function = call.getFunctionName().getName();
        if (arguments.size() == 1 && function.equals(CARDINALITY) && hasElements(arguments.getFirst().getType())) {
            return Optional.of(new ElementCall(arguments.getFirst(), ElementAccess.cardinality(), true));
        }
        boolean subscript = function.equalsIgnoreCase(SUBSCRIPT);
        if (arguments.size() != 2 || !(subscript || function.equals(ELEMENT_AT)) || !(arguments.get(1) instanceof Constant constant) || constant.getValue() == null) {
            return Optional.empty();
        }
        ConnectorExpression container = arguments.getFirst();
        Optional<ElementAccess> access = switch (container.getType()) {
            case ArrayType _ -> element(constant, subscript);
            case MapType map -> entry(map, constant, subscript);
            default -> Optional.empty();
        };
        return access.map(part -> new ElementCall(container, part, !subscript));
    }

    /**
     * Returns the call that returns the same element, and null where this one fails because there is no element.
     */
    ElementCall withoutFailures()
    {
        return switch (access.form()) {
            case ARRAY_PREFIX -> new ElementCall(container, ElementAccess.arrayElement(access.index()), true);
            case MAP_ENTRY -> new ElementCall(container, new ElementAccess(MAP_VALUE, 0, access.key()), true);
            case CARDINALITY, ARRAY_ELEMENT, MAP_VALUE -> this;
        };
    }

    /**
     * Returns the handle of the part that the function needs.
     *
     * @param assignments columns of the scan by their variables
     * @return empty if the container is neither a column nor a field of one, or if it is not null in row groups that do
     *         not store it
     */
    Optional<AlbisColumnHandle> handle(Map<String, ColumnHandle> assignments)
    {
        return containerHandle(assignments).map(column -> column.elements(access));
    }

    /**
     * Returns the handle of the arrays or maps, in the same cases as {@link #handle}.
     */
    Optional<AlbisColumnHandle> containerHandle(Map<String, ColumnHandle> assignments)
    {
        return column(container, assignments).filter(column -> column.initial().isEmpty() && column.container().isEmpty());
    }

    private static Optional<AlbisColumnHandle> column(ConnectorExpression expression, Map<String, ColumnHandle> assignments)
    {
        return switch (expression) {
            case Variable variable when assignments.get(variable.getName()) instanceof AlbisColumnHandle column -> Optional.of(column);
            case FieldDereference field -> column(field.getTarget(), assignments)
                    .filter(column -> column.container().isEmpty())
                    .map(column -> column.field(field.getField()));
            default -> Optional.empty();
        };
    }

    private static boolean hasElements(Type type)
    {
        return type instanceof ArrayType || type instanceof MapType;
    }

    private static Optional<ElementAccess> element(Constant constant, boolean subscript)
    {
        if (!constant.getType().equals(BIGINT)) {
            return Optional.empty();
        }
        long index = (long) constant.getValue();
        // the functions fail if the index is 0, and subscripts if it is negative
        if (index == 0 || index != (int) index || (subscript && index < 0)) {
            return Optional.empty();
        }
        return Optional.of(subscript ? ElementAccess.arrayPrefix((int) index) : ElementAccess.arrayElement((int) index));
    }

    private static Optional<ElementAccess> entry(MapType map, Constant constant, boolean subscript)
    {
        Type keyType = map.getKeyType();
        Object key = constant.getValue();
        // NaN equals no key, and a domain cannot have it as a value
        if (!constant.getType().equals(keyType) || isFloatingPointNaN(keyType, key) || !RowFilters.isEnforceable(keyType, Domain.singleValue(keyType, key))) {
            return Optional.empty();
        }
        return Optional.of(subscript ? ElementAccess.mapEntry(keyType, key) : ElementAccess.mapValue(keyType, key));
    }
}
