package io.albis.trino.answer;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.trino.handle.AlbisColumnHandle;
import io.albis.trino.handle.AlbisTableHandle;
import io.albis.trino.handle.AnswerColumnHandle;
import io.albis.trino.handle.MetadataAnswer;
import io.albis.trino.relation.TableLoader;
import io.trino.spi.connector.AggregateFunction;
import io.trino.spi.connector.AggregationApplicationResult;
import io.trino.spi.connector.Assignment;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.expression.ConnectorExpression;
import io.trino.spi.expression.Constant;
import io.trino.spi.expression.Variable;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static com.google.common.collect.Iterables.getOnlyElement;
import static io.albis.trino.config.AlbisSessionProperties.isAggregationPushdownEnabled;
import static io.albis.trino.error.AlbisErrors.translate;
import static java.util.Objects.requireNonNull;

/**
 * Accepts aggregations whose results are in the metadata of a table.
 * <p>
 * Without group keys, the results become constants of the plan above a scan that returns a single row, so the optimizer
 * knows them as well: it can push down {@code day = (SELECT max(day) FROM t)} as a predicate on the day. With keys, the
 * scan returns a row for each group.
 * <p>
 * This reads the manifests that the scan would read otherwise, until a row group shows that there is no exact result.
 * The table retains them for the scan.
 */
public class AggregationPushdown
{
    private final TableLoader tables;
    // the optimizer asks several times, also after an answer was not found
    private final ConcurrentMap<Question, Optional<Answers>> answers = new ConcurrentHashMap<>();

    private record Question(AlbisTableHandle table, List<AlbisColumnHandle> keys, List<Aggregate> aggregates) {}

    public AggregationPushdown(TableLoader tables)
    {
        this.tables = requireNonNull(tables, "tables is null");
    }

    /**
     * Applies an aggregation to a table handle.
     *
     * @param assignments columns of the scan by their variables
     * @return empty if the metadata does not give the exact results
     */
    public Optional<AggregationApplicationResult<ConnectorTableHandle>> apply(
            ConnectorSession session,
            AlbisTableHandle table,
            List<AggregateFunction> functions,
            Map<String, ColumnHandle> assignments,
            List<List<ColumnHandle>> groupingSets)
    {
        // a predicate that only prunes says nothing about the rows that the engine keeps
        if (!isAggregationPushdownEnabled(session) || !table.returnsAllRows() || table.buckets().isPresent() || !table.enforcesAll() || table.enforced().isNone()) {
            return Optional.empty();
        }
        Optional<List<AlbisColumnHandle>> keys = keys(groupingSets);
        Optional<List<Aggregate>> aggregates = Aggregate.of(functions, assignments);
        if (keys.isEmpty() || aggregates.isEmpty()) {
            return Optional.empty();
        }
        return answers(table, keys.get(), aggregates.get())
                .map(found -> result(table, keys.get(), aggregates.get(), found));
    }

    /**
     * Returns the group keys, which are none for all rows; empty if metadata answers such keys in no case.
     */
    private static Optional<List<AlbisColumnHandle>> keys(List<List<ColumnHandle>> groupingSets)
    {
        if (groupingSets.size() != 1) {
            return Optional.empty();
        }
        ImmutableList.Builder<AlbisColumnHandle> keys = ImmutableList.builder();
        for (ColumnHandle column : groupingSets.getFirst()) {
            if (!(column instanceof AlbisColumnHandle key) || key.isPart() || !GroupKey.isSupported(key.type())) {
                return Optional.empty();
            }
            keys.add(key);
        }
        return Optional.of(keys.build());
    }

    private Optional<Answers> answers(AlbisTableHandle table, List<AlbisColumnHandle> keys, List<Aggregate> aggregates)
    {
        Question question = new Question(table.withColumns(Optional.empty()), keys, aggregates);
        Optional<Answers> known = answers.get(question);
        if (known != null) {
            return known;
        }
        List<GroupKey> columns = keys.stream()
                .map(key -> new GroupKey(key.toColumn()))
                .collect(toImmutableList());
        // not within computeIfAbsent, which could block other questions while this one reads storage
        Optional<Answers> found = translate(() -> Answers.find(tables.load(table), table.enforced(), columns, aggregates));
        known = answers.putIfAbsent(question, found);
        return known == null ? found : known;
    }

    private AggregationApplicationResult<ConnectorTableHandle> result(AlbisTableHandle table, List<AlbisColumnHandle> keys, List<Aggregate> aggregates, Answers found)
    {
        List<String> functions = aggregates.stream()
                .map(Aggregate::description)
                .collect(toImmutableList());
        Set<Integer> read = Stream.concat(keys.stream(), aggregates.stream().flatMap(aggregate -> aggregate.column().stream()))
                .map(AlbisColumnHandle::id)
                .collect(toImmutableSet());
        if (keys.isEmpty()) {
            AlbisTableHandle answered = table.withAnswer(new MetadataAnswer(functions, found.rowGroups()), read);
            tables.answer(answered);
            List<ConnectorExpression> constants = getOnlyElement(found.rows()).stream()
                    .map(value -> new Constant(value.getValue(), value.getType()))
                    .collect(toImmutableList());
            return new AggregationApplicationResult<>(answered, constants, ImmutableList.of(), ImmutableMap.of(), false);
        }
        List<AnswerColumnHandle> columns = columns(keys, aggregates);
        AlbisTableHandle answered = table.withAnswer(new MetadataAnswer(functions, columns, found.rowGroups(), found.rows()), read);
        tables.answer(answered);
        return groups(answered, keys, columns);
    }

    private static List<AnswerColumnHandle> columns(List<AlbisColumnHandle> keys, List<Aggregate> aggregates)
    {
        ImmutableList.Builder<AnswerColumnHandle> columns = ImmutableList.builder();
        for (int i = 0; i < keys.size(); i++) {
            columns.add(new AnswerColumnHandle(i, keys.get(i).name(), keys.get(i).type()));
        }
        for (int i = 0; i < aggregates.size(); i++) {
            columns.add(new AnswerColumnHandle(keys.size() + i, aggregates.get(i).description(), aggregates.get(i).resultType()));
        }
        return columns.build();
    }

    private static AggregationApplicationResult<ConnectorTableHandle> groups(AlbisTableHandle answered, List<AlbisColumnHandle> keys, List<AnswerColumnHandle> columns)
    {
        ImmutableMap.Builder<ColumnHandle, ColumnHandle> groups = ImmutableMap.builder();
        ImmutableList.Builder<Assignment> assignments = ImmutableList.builder();
        ImmutableList.Builder<ConnectorExpression> results = ImmutableList.builder();
        for (int i = 0; i < columns.size(); i++) {
            AnswerColumnHandle column = columns.get(i);
            Variable variable = new Variable("column_" + i, column.type());
            assignments.add(new Assignment(variable.getName(), column, column.type()));
            if (i < keys.size()) {
                groups.put(keys.get(i), column);
            }
            else {
                results.add(variable);
            }
        }
        return new AggregationApplicationResult<>(answered, results.build(), assignments.build(), groups.buildOrThrow(), false);
    }
}
