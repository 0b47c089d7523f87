package io.albis.trino.history;

import com.google.common.collect.ArrayListMultimap;
import com.google.common.collect.HashMultiset;
import com.google.common.collect.ImmutableMultiset;
import com.google.common.collect.ListMultimap;
import com.google.common.collect.Maps;
import com.google.common.collect.Multiset;
import com.google.common.collect.Multisets;
import io.albis.trino.history.Alteration.AddColumn;
import io.albis.trino.history.Alteration.DropColumn;
import io.albis.trino.history.Alteration.RenameColumn;
import io.albis.trino.history.Write.Create;
import io.albis.trino.history.Write.CreateTag;
import io.albis.trino.history.Write.Delete;
import io.albis.trino.history.Write.DeleteShifted;
import io.albis.trino.history.Write.DropTag;
import io.albis.trino.history.Write.Insert;
import io.albis.trino.history.Write.InsertSelect;
import io.albis.trino.history.Write.Merge;
import io.albis.trino.history.Write.Move;
import io.albis.trino.history.Write.Replace;
import io.albis.trino.history.Write.ReplaceSelect;
import io.albis.trino.history.Write.Rollback;
import io.albis.trino.history.Write.SetColumn;
import io.albis.trino.history.Write.Truncate;
import io.albis.trino.history.Write.Update;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What statements do to the rows of a table. Rows are a multiset, because a table has no order and no keys.
 */
final class Model
{
    // The table and its version
    private static final int KEY_COLUMNS = 2;

    private Model() {}

    /**
     * Returns the rows after a statement.
     *
     * @param base rows that the statement has read
     * @param current rows at the time of the commit
     * @return empty if the statement must not commit, because it changes rows that are no longer there
     */
    static Optional<Multiset<Row>> apply(Write write, Multiset<Row> base, Multiset<Row> current)
    {
        return switch (write) {
            case Insert insert -> Optional.of(Multisets.sum(current, ImmutableMultiset.copyOf(insert.rows())));
            case InsertSelect insert -> Optional.of(Multisets.sum(current, map(select(base, insert.range()::contains), insert::copy)));
            case Delete delete -> delete(delete, base, current);
            case DeleteShifted delete -> change(current, shifted(delete, base), ImmutableMultiset.of());
            case Update update -> {
                Multiset<Row> updated = select(base, update.range()::contains);
                yield change(current, updated, map(updated, update::update));
            }
            case Move move -> {
                Multiset<Row> moved = select(base, move.range()::contains);
                yield change(current, moved, map(moved, move::update));
            }
            case SetColumn set -> {
                Multiset<Row> updated = select(base, set.range()::contains);
                yield change(current, updated, map(updated, set::update));
            }
            case Merge merge -> merge(merge, base, current);
            case Truncate _ -> Optional.of(ImmutableMultiset.of());
            case Replace replace -> Optional.of(ImmutableMultiset.copyOf(replace.rows()));
            case ReplaceSelect replace -> base.equals(current) ? Optional.of(map(select(base, replace.range()::contains), replace::copy)) : Optional.empty();
            case Create create -> Optional.of(ImmutableMultiset.copyOf(create.rows()));
            case DropColumn drop -> Optional.of(map(current, row -> row.renameAdded(column -> column.equals(drop.column()) ? null : column)));
            case RenameColumn rename -> Optional.of(map(current, row -> row.renameAdded(column -> column.equals(rename.column()) ? rename.to() : column)));
            case AddColumn _, Rollback _, CreateTag _, DropTag _, Naming _, Maintenance _ -> Optional.of(current);
        };
    }

    /**
     * Returns the number of rows that a statement reports.
     *
     * @param base rows that the statement has read
     */
    static OptionalLong count(Write write, Multiset<Row> base)
    {
        return switch (write) {
            case Insert insert -> OptionalLong.of(insert.rows().size());
            case InsertSelect insert -> OptionalLong.of(select(base, insert.range()::contains).size());
            case Delete delete -> OptionalLong.of(select(base, delete::matches).size());
            case DeleteShifted delete -> OptionalLong.of(shifted(delete, base).size());
            case Update update -> OptionalLong.of(select(base, update.range()::contains).size());
            case Move move -> OptionalLong.of(select(base, move.range()::contains).size());
            case SetColumn set -> OptionalLong.of(select(base, set.range()::contains).size());
            case Merge merge -> {
                Set<Long> source = merge.source().stream().map(Row::id).collect(Collectors.toSet());
                Multiset<Row> matched = select(base, row -> source.contains(row.id()));
                yield OptionalLong.of(matched.size() + source.size() - ids(matched).size());
            }
            case Replace replace -> OptionalLong.of(replace.rows().size());
            case ReplaceSelect replace -> OptionalLong.of(select(base, replace.range()::contains).size());
            case Create create -> OptionalLong.of(create.rows().size());
            case Truncate _, Rollback _, CreateTag _, DropTag _, Alteration _, Naming _, Maintenance _ -> OptionalLong.empty();
        };
    }

    /**
     * A row that another statement has deleted, too, is no conflict. A row that another statement has updated is
     * deleted with its new values, unless the predicate does not select them.
     */
    private static Optional<Multiset<Row>> delete(Delete delete, Multiset<Row> base, Multiset<Row> current)
    {
        Set<Long> uids = uids(select(base, delete::matches));
        Multiset<Row> deleted = select(current, row -> uids.contains(row.uid()));
        if (!deleted.stream().allMatch(delete::matches)) {
            return Optional.empty();
        }
        return Optional.of(select(current, row -> !uids.contains(row.uid())));
    }

    /**
     * Returns whether a statement has changed all rows that it has selected, except for those that others have deleted.
     *
     * @param base rows that the statement has read
     * @param after rows after the statement
     */
    static boolean isComplete(Write write, Multiset<Row> base, Multiset<Row> after)
    {
        return switch (write) {
            case Delete delete -> areChanged(select(base, delete::matches), after, _ -> false);
            case DeleteShifted delete -> areChanged(shifted(delete, base), after, _ -> false);
            case Update update -> areChanged(select(base, update.range()::contains), after, row -> row.writer() == update.writer());
            case Move move -> areChanged(select(base, move.range()::contains), after, row -> row.writer() == move.writer());
            case SetColumn set -> areChanged(select(base, set.range()::contains), after, row -> row.writer() == set.writer());
            default -> true;
        };
    }

    private static boolean areChanged(Multiset<Row> selected, Multiset<Row> after, Predicate<Row> changed)
    {
        Set<Long> uids = uids(selected);
        return after.stream()
                .filter(row -> uids.contains(row.uid()))
                .allMatch(changed);
    }

    private static Optional<Multiset<Row>> merge(Merge merge, Multiset<Row> base, Multiset<Row> current)
    {
        Map<Long, Row> source = Maps.uniqueIndex(merge.source(), Row::id);
        Multiset<Row> matched = select(base, row -> source.containsKey(row.id()));
        Multiset<Row> added = HashMultiset.create(map(select(matched, row -> !Merge.deletes(source.get(row.id()))), row -> Merge.update(row, source.get(row.id()))));
        Set<Long> ids = ids(matched);
        merge.source().stream()
                .filter(row -> !ids.contains(row.id()))
                .forEach(added::add);
        return change(current, matched, added);
    }

    private static Multiset<Row> shifted(DeleteShifted delete, Multiset<Row> base)
    {
        Set<Long> ids = ids(select(base, delete.range()::contains));
        return select(base, row -> ids.contains(row.id() - delete.shift()));
    }

    private static Optional<Multiset<Row>> change(Multiset<Row> current, Multiset<Row> removed, Multiset<Row> added)
    {
        if (!Multisets.containsOccurrences(current, removed)) {
            return Optional.empty();
        }
        return Optional.of(Multisets.sum(Multisets.difference(current, removed), added));
    }

    static Multiset<Row> select(Multiset<Row> rows, Predicate<Row> predicate)
    {
        return Multisets.filter(rows, predicate::test);
    }

    static Multiset<Row> map(Multiset<Row> rows, Function<Row, Row> function)
    {
        return rows.stream().map(function).collect(ImmutableMultiset.toImmutableMultiset());
    }

    private static Set<Long> uids(Multiset<Row> rows)
    {
        return rows.elementSet().stream().map(Row::uid).collect(Collectors.toSet());
    }

    private static Set<Long> ids(Multiset<Row> rows)
    {
        return rows.elementSet().stream().map(Row::id).collect(Collectors.toSet());
    }

    /**
     * Returns the rows of each version in the result of a query that begins with two columns for the table and the
     * version.
     */
    static ListMultimap<List<String>, Row> byVersion(Outcome outcome)
    {
        ListMultimap<List<String>, Row> byVersion = ArrayListMultimap.create();
        for (List<String> row : outcome.rows()) {
            if (row.get(KEY_COLUMNS) != null) {
                byVersion.put(row.subList(0, KEY_COLUMNS), Row.parse(row.subList(KEY_COLUMNS, row.size()), addedColumns(outcome)));
            }
        }
        return byVersion;
    }

    /**
     * Returns the names of the columns that were added to the table, in the result of such a query.
     */
    static List<String> addedColumns(Outcome outcome)
    {
        int first = KEY_COLUMNS + Row.COLUMN_COUNT;
        return outcome.columns().size() > first ? outcome.columns().subList(first, outcome.columns().size()) : List.of();
    }
}
