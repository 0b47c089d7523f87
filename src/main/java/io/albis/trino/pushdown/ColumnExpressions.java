package io.albis.trino.pushdown;

import com.google.common.collect.ImmutableSet;
import io.airlift.slice.Slice;
import io.albis.trino.handle.AlbisColumnHandle;
import io.albis.trino.handle.ColumnExpression;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.expression.Call;
import io.trino.spi.expression.ConnectorExpression;
import io.trino.spi.expression.Constant;
import io.trino.spi.expression.FunctionName;
import io.trino.spi.expression.Variable;
import io.trino.spi.type.BooleanType;
import io.trino.spi.type.Int128;
import io.trino.spi.type.LongTimeWithTimeZone;
import io.trino.spi.type.LongTimestamp;
import io.trino.spi.type.LongTimestampWithTimeZone;
import jakarta.annotation.Nullable;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.trino.handle.ColumnExpression.VARIABLE;
import static io.trino.plugin.base.expression.ConnectorExpressions.extractConjuncts;
import static io.trino.plugin.base.expression.ConnectorExpressions.extractVariables;
import static io.trino.spi.expression.StandardFunctions.COALESCE_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.LIKE_FUNCTION_NAME;

/**
 * Finds the parts of an expression that depend on a single column, such as {@code name LIKE '%x%'}. The reader
 * evaluates them with the functions of the engine, once for each distinct value of a dictionary or an index.
 */
final class ColumnExpressions
{
    // More of them are unlikely to remove more rows, and the handle is sent with each task
    private static final int MAX_EXPRESSIONS = 8;
    private static final int MAX_NODES = 100;
    private static final int MAX_CONSTANT_BYTES = 1024;

    // The first is a form of the whole filter for the optimizer, whose other conjuncts say the same. The evaluator of
    // the engine has no rule for the second
    private static final Set<FunctionName> NOT_EVALUABLE = ImmutableSet.of(new FunctionName("$engine_expression"), COALESCE_FUNCTION_NAME);

    private final Map<String, ColumnHandle> assignments;

    ColumnExpressions(Map<String, ColumnHandle> assignments)
    {
        this.assignments = assignments;
    }

    /**
     * Adds the conjuncts of an expression that depend on a single column to those that are known. Leaves out those that
     * are large, or that domains replace.
     */
    static Set<ColumnExpression> add(Set<ColumnExpression> known, ConnectorExpression expression, Map<String, ColumnHandle> assignments)
    {
        ColumnExpressions expressions = new ColumnExpressions(assignments);
        Set<ColumnExpression> all = new LinkedHashSet<>(known);
        for (ConnectorExpression conjunct : extractConjuncts(expression)) {
            Optional<ColumnExpression> found = expressions.ofColumn(conjunct);
            if (found.isPresent() && all.size() < MAX_EXPRESSIONS) {
                all.add(found.get());
            }
        }
        return ImmutableSet.copyOf(all);
    }

    /**
     * Returns a condition as an expression on a single column.
     *
     * @return empty if it depends on other columns or none, if it is large, or if domains replace it
     */
    Optional<ColumnExpression> ofColumn(ConnectorExpression conjunct)
    {
        Set<Variable> variables = ImmutableSet.copyOf(extractVariables(conjunct));
        if (variables.size() != 1 || !conjunct.getType().equals(BooleanType.BOOLEAN) || size(conjunct) > MAX_NODES || !isEvaluable(conjunct) || isReplaced(conjunct)) {
            return Optional.empty();
        }
        Variable variable = variables.iterator().next();
        if (!(assignments.get(variable.getName()) instanceof AlbisColumnHandle column) || column.container().isPresent() || !column.isScalar()) {
            return Optional.empty();
        }
        return Optional.of(new ColumnExpression(column, rename(conjunct)));
    }

    private static int size(ConnectorExpression expression)
    {
        return 1 + expression.getChildren().stream()
                .mapToInt(ColumnExpressions::size)
                .sum();
    }

    /**
     * Returns whether a worker can evaluate an expression. Functions of other catalogs need a transaction of the
     * coordinator.
     */
    private static boolean isEvaluable(ConnectorExpression expression)
    {
        return switch (expression) {
            case Variable _ -> true;
            case Constant constant -> isSmall(constant.getValue());
            case Call call -> call.getFunctionName().getCatalogSchema().isEmpty() &&
                    !NOT_EVALUABLE.contains(call.getFunctionName()) &&
                    call.getArguments().stream().allMatch(ColumnExpressions::isEvaluable);
            // lambda expressions have no form in JSON, and rows have no distinct values
            default -> false;
        };
    }

    /**
     * Returns whether a constant is null, or one value of a few bytes. The engine replaces a constructor of an array by
     * a single constant, which can have any number of values. In addition, equal values of other Java classes are not
     * always found to be equal.
     */
    private static boolean isSmall(@Nullable Object value)
    {
        return switch (value) {
            case null -> true;
            case Boolean _, Long _, Double _, Int128 _, LongTimestamp _, LongTimestampWithTimeZone _, LongTimeWithTimeZone _ -> true;
            case Slice slice -> slice.length() <= MAX_CONSTANT_BYTES;
            default -> false;
        };
    }

    /**
     * Returns whether the domains that a conjunct implies leave little for the conjunct itself to remove.
     */
    private boolean isReplaced(ConnectorExpression conjunct)
    {
        boolean isLike = conjunct instanceof Call call && call.getFunctionName().equals(LIKE_FUNCTION_NAME);
        return !isLike && !CharPredicates.extract(conjunct, assignments).isAll();
    }

    private static ConnectorExpression rename(ConnectorExpression expression)
    {
        return switch (expression) {
            case Variable variable -> new Variable(VARIABLE, variable.getType());
            case Call call -> new Call(call.getType(), call.getFunctionName(), call.getArguments().stream()
                    .map(ColumnExpressions::rename)
                    .collect(toImmutableList()));
            default -> expression;
        };
    }
}
