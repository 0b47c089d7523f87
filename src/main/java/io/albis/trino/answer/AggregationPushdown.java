package io.albis.trino.answer;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.trino.handle.AlbisColumnHandle;
import io.albis.trino.handle.AlbisTableHandle;
import io.albis.trino.handle.MetadataAnswer;
import io.albis.trino.relation.TableLoader;
import io.trino.spi.connector.AggregateFunction;
import io.trino.spi.connector.AggregationApplicationResult;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableHandle;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.albis.trino.config.AlbisSessionProperties.isAggregationPushdownEnabled;
import static io.albis.trino.error.AlbisErrors.translate;
import static java.util.Objects.requireNonNull;

/**
 * Accepts aggregations without keys whose results are in the metadata of a table. The results become constants of the
 * plan above a scan that returns a single row, so the optimizer knows them as well: it can push down
 * {@code day = (SELECT max(day) FROM t)} as a predicate on the day.
 * <p>
 * This reads the manifests that the scan would read otherwise, and the table retains them for the scan if there is no
 * exact result.
 */
public class AggregationPushdown
{
    private final TableLoader tables;
    // the optimizer asks several times, also after an answer was not found
    private final ConcurrentMap<Question, Optional<Answers>> answers = new ConcurrentHashMap<>();

    private record Question(AlbisTableHandle table, List<Aggregate> aggregates) {}

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
        boolean hasKeys = !groupingSets.equals(ImmutableList.of(ImmutableList.of()));
        // a predicate that only prunes says nothing about the rows that the engine keeps
        if (hasKeys || !isAggregationPushdownEnabled(session) || !table.returnsAllRows() || table.buckets().isPresent() || !table.enforcesAll() || table.enforced().isNone()) {
            return Optional.empty();
        }
        Optional<List<Aggregate>> aggregates = Aggregate.of(functions, assignments);
        Optional<Answers> found = aggregates.flatMap(known -> answers(table, known));
        return found.map(known -> result(table, aggregates.get(), known));
    }

    private Optional<Answers> answers(AlbisTableHandle table, List<Aggregate> aggregates)
    {
        Question question = new Question(table.withColumns(Optional.empty()), aggregates);
        Optional<Answers> known = answers.get(question);
        if (known != null) {
            return known;
        }
        // not within computeIfAbsent, which could block other questions while this one reads storage
        Optional<Answers> found = translate(() -> Answers.find(tables.load(table), table.enforced(), aggregates));
        known = answers.putIfAbsent(question, found);
        return known == null ? found : known;
    }

    private AggregationApplicationResult<ConnectorTableHandle> result(AlbisTableHandle table, List<Aggregate> aggregates, Answers found)
    {
        MetadataAnswer answer = new MetadataAnswer(
                aggregates.stream()
                        .map(Aggregate::description)
                        .collect(toImmutableList()),
                found.rowGroups());
        Set<Integer> columns = aggregates.stream()
                .flatMap(aggregate -> aggregate.column().stream())
                .map(AlbisColumnHandle::id)
                .collect(toImmutableSet());
        AlbisTableHandle answered = table.withAnswer(answer, columns);
        tables.answer(answered);
        return new AggregationApplicationResult<>(answered, found.values(), ImmutableList.of(), ImmutableMap.of(), false);
    }
}
