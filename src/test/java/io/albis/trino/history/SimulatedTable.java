package io.albis.trino.history;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMultiset;
import com.google.common.collect.Multiset;
import io.albis.trino.history.Alteration.AddColumn;
import io.albis.trino.history.Alteration.DropColumn;
import io.albis.trino.history.Alteration.RenameColumn;
import io.albis.trino.history.Write.Create;
import io.albis.trino.history.Write.CreateTag;
import io.albis.trino.history.Write.Delete;
import io.albis.trino.history.Write.DropTag;
import io.albis.trino.history.Write.Insert;
import io.albis.trino.history.Write.Replace;
import io.albis.trino.history.Write.ReplaceSelect;
import io.albis.trino.history.Write.Rollback;
import io.albis.trino.history.Write.SetColumn;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;

import static io.albis.table.model.IsolationLevel.SERIALIZABLE;

/**
 * A table in memory, with random statements and at most one thing that is wrong. A call takes effect at a multiple of
 * 10, and begins and ends some time before and after.
 */
final class SimulatedTable
{
    private static final String NAME = "a";
    private static final int CALLS = 60;
    private static final int LONGEST = 50;
    private static final Row NEW_ROW = new Row(1, 2, 3, 4);

    enum Fault
    {
        NONE,
        LOST_ROW,
        DOUBLED_ROW,
        STALE_READ,
        LOST_STATEMENT,
        WRONG_COUNT,
        ROW_LOST_BY_OPTIMIZE,
        LOST_VALUE,
        VALUE_OF_DROPPED_COLUMN,
        WRONG_COLUMN,
        WRONG_TIME,
        COMMIT_TIME_BACKWARD,
        MOVED_TAG,
        READ_OF_DROPPED_TABLE,
        DROP_WITHOUT_EFFECT,
        DROPPED_BY_NOBODY,
        ROW_LOST_BY_DROP,
        EARLY_EXPIRY,
        FILES_LOST_TOO_EARLY,
        EXPIRED_NEWEST,
    }

    private record Written(String operation, String queryId, List<String> added, ImmutableMultiset<Row> rows, long committed) {}

    private final Random random;
    private final ScriptedHistory history = new ScriptedHistory();
    private final Workload workload = new Workload();
    private final List<Written> versions = new ArrayList<>();
    private final Map<String, Long> tags = new HashMap<>();
    private long effect = 1000;
    private int tables;

    SimulatedTable(Random random)
    {
        this.random = random;
        workload.sawName(NAME, true);
    }

    List<String> run(Fault fault)
    {
        create(1);
        for (int call = 2; call <= CALLS; call++) {
            if (random.nextInt(CALLS / 2) == 0) {
                drop(versions.getLast().rows().size());
                create(call);
            }
            else {
                step(call);
            }
        }
        addAtEnd(fault);
        addVersions(fault);
        return history.check();
    }

    private void create(int call)
    {
        tables++;
        write("create", new Create(NAME, SERIALIZABLE, ((Replace) workload.first(NAME, SERIALIZABLE, call, random)).rows()));
    }

    private void drop(int rows)
    {
        addVersions(Fault.NONE);
        history.collect();
        effect = history.now() + 10;
        call(new Naming.Drop(NAME), List.of());
        findDropped(rows);
    }

    private void findDropped(int rows)
    {
        effect = Math.max(effect, history.now()) + 2 * LONGEST;
        history.dropped(versions.size() + 1, rows);
        effect = history.now() + 2 * LONGEST;
        versions.clear();
        tags.clear();
    }

    private void step(int call)
    {
        Written last = versions.getLast();
        workload.saw(NAME, versions.size());
        workload.sawCommit(NAME, last.committed());
        switch (workload.next(call, random, 1, 1)) {
            case Naming _, Maintenance.Expire _, Maintenance.RemoveOrphans _, Maintenance.Vacuum _, Create _, Read.LostTables _ -> {}
            case Write write when !write.table().equals(NAME) || !isPossible(write) -> {}
            case Replace replace -> write("replace", new Replace(NAME, SERIALIZABLE, replace.rows()));
            case ReplaceSelect replace -> write("replace", new ReplaceSelect(NAME, SERIALIZABLE, replace.range(), replace.writer()));
            case Write write -> write("change", write);
            case Read.Rows query -> call(new Read.Rows(NAME, query.range()), Model.select(last.rows(), query.range()::contains).stream().map(Row::values).toList());
            case Read.Numbered query -> read(new Read.Numbered(NAME, query.versions()), query.versions().getFirst(), query.versions().getFirst());
            case Read.AsOf query when query.table().equals(NAME) -> readAsOf(query);
            case Read.Tagged query when tags.containsKey(query.tag()) -> read(new Read.Tagged(NAME, query.tag()), versions.size(), tags.get(query.tag()));
            case Read _ -> read(new Read.Newest(NAME), versions.size(), versions.size());
        }
    }

    private boolean isPossible(Write write)
    {
        List<String> added = versions.getLast().added();
        return switch (write) {
            case AddColumn add -> !added.contains(add.column());
            case DropColumn drop -> added.contains(drop.column());
            case RenameColumn rename -> added.contains(rename.column()) && !added.contains(rename.to());
            case SetColumn set -> added.contains(set.column());
            case CreateTag tag -> !tags.containsKey(tag.tag());
            case DropTag tag -> tags.containsKey(tag.tag());
            default -> true;
        };
    }

    private void readAsOf(Read.AsOf query)
    {
        for (int version = versions.size(); version > 0; version--) {
            if (versions.get(version - 1).committed() <= query.millis()) {
                read(new Read.AsOf(NAME, query.millis()), versions.size(), version);
                return;
            }
        }
    }

    private void write(String operation, Write write)
    {
        boolean exists = !(write instanceof Create);
        Multiset<Row> current = exists ? versions.getLast().rows() : ImmutableMultiset.of();
        List<String> added = exists ? versions.getLast().added() : List.of();
        Optional<Written> restored = write instanceof Rollback rollback ? Optional.of(versions.get((int) rollback.version() - 1)) : Optional.empty();
        Multiset<Row> after = restored.<Multiset<Row>>map(Written::rows).orElseGet(() -> Model.apply(write, current, current).orElseThrow());
        List<String> addedAfter = restored.map(Written::added).orElseGet(() -> added(write, added));
        boolean always = switch (write) {
            case Create _, Replace _, ReplaceSelect _, Alteration _, CreateTag _, DropTag _ -> true;
            case Rollback rollback -> rollback.version() < versions.size();
            case Maintenance.Optimize _, Maintenance.Sort _, Maintenance.Regroup _, Maintenance.AddIndex _, Maintenance.DropIndex _ -> random.nextBoolean();
            default -> false;
        };
        String queryId = call(write, id -> Outcome.done(Optional.of(id), List.of(), Model.count(write, current)));
        if (write instanceof CreateTag tag) {
            tags.put(tag.tag(), tag.version());
        }
        if (write instanceof DropTag tag) {
            tags.remove(tag.tag());
        }
        if (always || !after.equals(current)) {
            versions.add(new Written(operation, queryId, addedAfter, ImmutableMultiset.copyOf(after), 1_000_000L * tables + 1000L * versions.size()));
        }
    }

    private static List<String> added(Write write, List<String> added)
    {
        List<String> after = new ArrayList<>(added);
        switch (write) {
            case AddColumn add -> after.add(add.column());
            case DropColumn drop -> after.remove(drop.column());
            case RenameColumn rename -> after.replaceAll(column -> column.equals(rename.column()) ? rename.to() : column);
            case Replace _, ReplaceSelect _ -> after.clear();
            default -> {}
        }
        return ImmutableList.copyOf(after);
    }

    private String call(Operation operation, List<List<String>> rows)
    {
        return call(operation, id -> Outcome.done(Optional.of(id), ImmutableList.copyOf(rows), OptionalLong.empty()));
    }

    private String call(Operation operation, ScriptedHistory.Answer answer)
    {
        effect += 10;
        return history.call(operation, effect - 1 - random.nextInt(LONGEST), effect + 1 + random.nextInt(LONGEST), answer);
    }

    private void failed(Operation operation, String error, String message)
    {
        call(operation, id -> Outcome.failed(Optional.of(id), error, message));
    }

    /**
     * @param number what the query says about the version
     * @param version the version whose rows it returns
     */
    private void read(Read read, long number, long version)
    {
        Written written = versions.get((int) version - 1);
        call(read, history.rows(number, written.added(), written.rows().asList()));
    }

    /**
     * Adds statements whose answers are wrong.
     */
    private void addAtEnd(Fault fault)
    {
        switch (fault) {
            case LOST_STATEMENT -> call(new Insert(NAME, List.of(NEW_ROW)), List.of());
            case WRONG_COUNT -> {
                write("append", new Insert(NAME, List.of(NEW_ROW)));
                Delete delete = new Delete(NAME, new IdRange(NEW_ROW.id(), NEW_ROW.id()), 1);
                OptionalLong count = Model.count(delete, versions.getLast().rows());
                write("delete", delete);
                call(delete, id -> Outcome.done(Optional.of(id), List.of(), count));
            }
            case STALE_READ -> {
                write("append", new Insert(NAME, List.of(NEW_ROW)));
                effect += 2 * LONGEST;
                read(new Read.Newest(NAME), versions.size() - 1, versions.size() - 1);
            }
            case ROW_LOST_BY_OPTIMIZE -> {
                write("append", new Insert(NAME, List.of(NEW_ROW)));
                replaceLast("optimize", call(new Maintenance.Optimize(NAME), List.of()), versions.getLast().added(), versions.get(versions.size() - 2).rows());
            }
            case LOST_VALUE -> {
                addFilledColumn();
                Written filled = versions.getLast();
                replaceLast("append", call(new Insert(NAME, List.of(NEW_ROW)), List.of()), filled.added(), ImmutableMultiset.<Row>builder().addAll(Model.map(filled.rows(), row -> row.withAdded(Map.of()))).add(NEW_ROW).build());
            }
            case VALUE_OF_DROPPED_COLUMN -> {
                addFilledColumn();
                Written filled = versions.getLast();
                write("change", new DropColumn(NAME, "g"));
                replaceLast("alter", call(new AddColumn(NAME, "g"), List.of()), filled.added(), filled.rows());
            }
            case WRONG_COLUMN -> {
                write("change", new AddColumn(NAME, "g"));
                replaceLast("alter", call(new RenameColumn(NAME, "g", "h"), List.of()), versions.getLast().added(), versions.getLast().rows());
            }
            case WRONG_TIME -> {
                write("append", new Insert(NAME, List.of(NEW_ROW)));
                read(new Read.AsOf(NAME, versions.getLast().committed() - 1), versions.size(), versions.size());
            }
            case COMMIT_TIME_BACKWARD -> {
                Written last = versions.getLast();
                versions.add(new Written("append", call(new Insert(NAME, List.of(NEW_ROW)), List.of()), last.added(), ImmutableMultiset.<Row>builder().addAll(last.rows()).add(NEW_ROW).build(), last.committed() - 1));
            }
            case MOVED_TAG -> {
                write("append", new Insert(NAME, List.of(NEW_ROW)));
                write("change", new CreateTag(NAME, "new", versions.size()));
                write("append", new Insert(NAME, List.of(NEW_ROW)));
                read(new Read.Tagged(NAME, "new"), versions.size(), versions.size());
            }
            default -> addDropOrExpiry(fault);
        }
    }

    private void addDropOrExpiry(Fault fault)
    {
        Written last = versions.getLast();
        switch (fault) {
            case READ_OF_DROPPED_TABLE -> {
                ScriptedHistory.Answer old = history.rows(versions.size(), last.added(), last.rows().asList());
                drop(last.rows().size());
                effect += 2 * LONGEST;
                call(new Read.Newest(NAME), old);
                create(CALLS);
            }
            case DROP_WITHOUT_EFFECT -> {
                effect += 2 * LONGEST;
                call(new Naming.Drop(NAME), List.of());
                effect += 2 * LONGEST;
                read(new Read.Newest(NAME), versions.size(), versions.size());
            }
            case DROPPED_BY_NOBODY -> {
                addVersions(Fault.NONE);
                history.collect();
                effect = history.now();
                findDropped(last.rows().size());
                create(CALLS);
            }
            case ROW_LOST_BY_DROP -> {
                drop(last.rows().size() + 1);
                create(CALLS);
            }
            case EARLY_EXPIRY -> {
                call(new Maintenance.Expire(NAME, 1), List.of());
                failed(new Read.Numbered(NAME, List.of(1L)), "INVALID_ARGUMENTS", "The version has expired");
            }
            case FILES_LOST_TOO_EARLY -> {
                call(new Maintenance.Expire(NAME, 1), List.of());
                failed(new Read.Newest(NAME), "ALBIS_BAD_DATA", "A file is missing");
            }
            case EXPIRED_NEWEST -> {
                call(new Maintenance.Expire(NAME, 0), List.of());
                effect += 2 * LONGEST;
                failed(new Read.Numbered(NAME, List.of((long) versions.size())), "INVALID_ARGUMENTS", "The version has expired");
            }
            default -> {}
        }
    }

    private void addFilledColumn()
    {
        write("append", new Insert(NAME, List.of(NEW_ROW)));
        write("change", new AddColumn(NAME, "g"));
        write("change", new SetColumn(NAME, "g", new IdRange(0, 100), 5));
    }

    private void replaceLast(String operation, String queryId, List<String> added, Multiset<Row> rows)
    {
        versions.add(new Written(operation, queryId, added, ImmutableMultiset.copyOf(rows), versions.getLast().committed() + 1));
    }

    /**
     * Adds the versions to the history, of which one may have wrong rows.
     */
    private void addVersions(Fault fault)
    {
        int faulty = random.nextInt(versions.size());
        while (versions.get(faulty).rows().isEmpty()) {
            faulty = random.nextInt(versions.size());
        }
        for (int version = 0; version < versions.size(); version++) {
            Written written = versions.get(version);
            List<Row> rows = new ArrayList<>(written.rows());
            if (version == faulty && fault == Fault.LOST_ROW) {
                rows.remove(random.nextInt(rows.size()));
            }
            if (version == faulty && fault == Fault.DOUBLED_ROW) {
                rows.add(rows.get(random.nextInt(rows.size())));
            }
            history.version(written.operation(), written.queryId(), written.added(), rows, written.committed());
        }
    }
}
