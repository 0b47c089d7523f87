package io.albis.trino.answer;

import com.google.common.collect.ImmutableList;
import io.albis.format.schema.AlbisColumn;
import io.albis.table.part.TablePart;
import io.albis.trino.handle.AlbisColumnHandle;
import io.trino.spi.expression.Constant;
import io.trino.spi.predicate.NullableValue;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/**
 * Finds the results of aggregate functions for each group of rows, in the statistics of parts of a table.
 */
final class Groups
{
    /**
     * The number of groups up to which a plan contains their results.
     */
    static final int MAX_GROUPS = 1000;

    private final List<GroupKey> keys;
    private final List<Aggregate> aggregates;
    private final DecidedRows rows;
    private final Map<List<NullableValue>, List<Answer>> groups = new LinkedHashMap<>();

    /**
     * @param keys keys of the groups; if there are none, all rows are one group, even if there are no rows
     */
    Groups(List<GroupKey> keys, List<Aggregate> aggregates, DecidedRows rows)
    {
        this.keys = ImmutableList.copyOf(keys);
        this.aggregates = ImmutableList.copyOf(aggregates);
        this.rows = requireNonNull(rows, "rows is null");
        if (keys.isEmpty()) {
            groups.put(ImmutableList.of(), answers());
        }
    }

    /**
     * Returns whether the statistics of a part of the table give all that the results need of its rows.
     */
    boolean areDecidedBy(TablePart part)
    {
        Optional<List<NullableValue>> group = Optional.of(ImmutableList.of());
        if (!keys.isEmpty()) {
            OptionalLong count = rows.count(part);
            if (count.isEmpty() || count.getAsLong() == 0) {
                return count.isPresent();
            }
            group = group(part);
        }
        return group.map(values -> groups.getOrDefault(values, answers()))
                .filter(answers -> answers.stream().allMatch(answer -> answer.isDecidedBy(part)))
                .isPresent();
    }

    /**
     * Adds a part of which a row may match.
     *
     * @return whether the results can still be found
     * @throws java.io.UncheckedIOException with an {@link io.albis.format.io.AlbisDataException} as its cause if the
     *         statistics of the part are damaged
     */
    boolean add(TablePart part)
    {
        if (!keys.isEmpty()) {
            // a group exists only if any of its rows matches
            OptionalLong count = rows.count(part);
            if (count.isEmpty()) {
                return false;
            }
            if (count.getAsLong() == 0) {
                return true;
            }
        }
        Optional<List<NullableValue>> group = group(part);
        if (group.isEmpty()) {
            return false;
        }
        List<Answer> answers = groups.computeIfAbsent(group.get(), _ -> answers());
        if (groups.size() > MAX_GROUPS) {
            return false;
        }
        for (Answer answer : answers) {
            if (!answer.add(part)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns the values of the keys in all rows of a part; empty if they are not known to be the same.
     */
    private Optional<List<NullableValue>> group(TablePart part)
    {
        ImmutableList.Builder<NullableValue> group = ImmutableList.builderWithExpectedSize(keys.size());
        for (GroupKey key : keys) {
            Optional<NullableValue> value = key.find(part);
            if (value.isEmpty()) {
                return Optional.empty();
            }
            group.add(value.get());
        }
        return Optional.of(group.build());
    }

    /**
     * Returns the order in which each result without keys needs the parts that do not decide it.
     *
     * @param undecided parts of which each leaves a result undecided
     */
    List<List<TablePart>> readingOrders(List<TablePart> undecided)
    {
        if (!keys.isEmpty()) {
            return ImmutableList.of(undecided);
        }
        return groups.get(ImmutableList.of()).stream()
                .map(answer -> undecided.stream()
                        .filter(part -> !answer.isDecidedBy(part))
                        .sorted(answer.readingOrder())
                        .collect(toImmutableList()))
                .collect(toImmutableList());
    }

    /**
     * Returns for each group the keys and then the results; empty if the statistics do not give all exact results.
     */
    Optional<List<List<NullableValue>>> results()
    {
        ImmutableList.Builder<List<NullableValue>> results = ImmutableList.builderWithExpectedSize(groups.size());
        for (Map.Entry<List<NullableValue>, List<Answer>> group : groups.entrySet()) {
            ImmutableList.Builder<NullableValue> row = ImmutableList.builder();
            row.addAll(group.getKey());
            for (Answer answer : group.getValue()) {
                Optional<Constant> value = answer.result();
                if (value.isEmpty()) {
                    return Optional.empty();
                }
                row.add(new NullableValue(value.get().getType(), value.get().getValue()));
            }
            results.add(row.build());
        }
        return Optional.of(results.build());
    }

    private List<Answer> answers()
    {
        return aggregates.stream()
                .map(this::answer)
                .collect(toImmutableList());
    }

    private Answer answer(Aggregate aggregate)
    {
        Optional<AlbisColumn> column = aggregate.column().map(AlbisColumnHandle::toColumn);
        return switch (aggregate.kind()) {
            case COUNT -> new RowCount(column, rows);
            case MIN -> new ColumnExtreme(column.orElseThrow(), true, rows);
            case MAX -> new ColumnExtreme(column.orElseThrow(), false, rows);
        };
    }
}
