package io.albis.trino.read;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.airlift.log.Logger;
import io.albis.format.filter.TestedValues;
import io.albis.format.predicate.ColumnTest;
import io.albis.format.predicate.RowAlternatives;
import io.albis.trino.handle.AlbisColumnHandle;
import io.albis.trino.handle.AlbisTableHandle;
import io.albis.trino.handle.ColumnExpression;
import io.trino.spi.connector.ConnectorExpressionEvaluator;
import io.trino.spi.connector.ConnectorExpressionEvaluator.EvaluationResult;
import io.trino.spi.connector.ConnectorExpressionEvaluator.Prepared;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.predicate.NullableValue;
import io.trino.spi.type.Type;
import jakarta.annotation.Nullable;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.trino.handle.ColumnExpression.VARIABLE;
import static java.util.Objects.requireNonNull;

/**
 * The expressions of a scan, which the engine evaluates for distinct values. The splits of the scan share the results.
 * Thread safe.
 */
final class ExpressionTests
{
    private static final Logger log = Logger.get(ExpressionTests.class);

    private final ConnectorExpressionEvaluator evaluator;
    // empty for an expression that the engine cannot evaluate here
    private final ConcurrentMap<ColumnExpression, Optional<TestedValues>> values = new ConcurrentHashMap<>();

    ExpressionTests(ConnectorExpressionEvaluator evaluator)
    {
        this.evaluator = requireNonNull(evaluator, "evaluator is null");
    }

    /**
     * Returns tests for the expressions of a table handle. The engine evaluates the expressions again, so those that it
     * cannot evaluate here are left out.
     */
    List<ColumnTest> of(ConnectorSession session, AlbisTableHandle table)
    {
        return tests(session, table.tests().expressions());
    }

    /**
     * Returns the alternatives of a table handle. Without an expression that cannot be evaluated here, an alternative
     * matches more rows.
     */
    List<RowAlternatives> alternatives(ConnectorSession session, AlbisTableHandle table)
    {
        return table.tests().alternatives().stream()
                .map(alternatives -> new RowAlternatives(alternatives.branches().stream()
                        .map(branch -> new RowAlternatives.Branch(branch.domains().transformKeys(AlbisColumnHandle::toColumn), tests(session, branch.expressions())))
                        .collect(toImmutableList())))
                .collect(toImmutableList());
    }

    private List<ColumnTest> tests(ConnectorSession session, Set<ColumnExpression> expressions)
    {
        ImmutableList.Builder<ColumnTest> tests = ImmutableList.builder();
        for (ColumnExpression expression : expressions) {
            values.computeIfAbsent(expression, _ -> prepare(session, expression))
                    .ifPresent(tested -> tests.add(new ColumnTest(expression.column().toColumn(), tested)));
        }
        return tests.build();
    }

    private Optional<TestedValues> prepare(ConnectorSession session, ColumnExpression expression)
    {
        try {
            Prepared prepared = evaluator.prepare(session, expression.expression());
            Type type = expression.column().type();
            return Optional.of(new TestedValues(type, value -> mayBeTrue(prepared, type, value)));
        }
        catch (RuntimeException e) {
            log.debug(e, "The expression %s is left to the engine", expression);
            return Optional.empty();
        }
    }

    /**
     * Returns whether an expression may be true for a value. It may also fail. Then the engine fails in the same way,
     * but only if it gets a row with the value.
     */
    private static boolean mayBeTrue(Prepared prepared, Type type, @Nullable Object value)
    {
        try {
            return switch (prepared.tryEvaluate(ImmutableMap.of(VARIABLE, new NullableValue(type, value)))) {
                case EvaluationResult.Value(Object result) -> Boolean.TRUE.equals(result);
                case EvaluationResult.NoResult() -> true;
            };
        }
        catch (RuntimeException e) {
            log.debug(e, "A value of type %s is left to the engine", type.getDisplayName());
            return true;
        }
    }
}
