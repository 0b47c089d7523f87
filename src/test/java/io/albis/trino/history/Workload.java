package io.albis.trino.history;

import com.google.common.collect.ImmutableList;
import io.albis.table.model.IsolationLevel;

import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicReference;

import static java.util.Comparator.comparingLong;

/**
 * Chooses what clients do. There are more names than tables, so that RENAME has a choice.
 */
final class Workload
{
    static final List<String> NAMES = List.of("a", "b", "c");

    private static final int IDS = 40;
    private static final int MOST_ROWS = 6;
    // Some statements take longer
    private static final int MOST_SECONDS = 4;
    private static final int RECENT_VERSIONS = 8;
    private static final int MOST_SECONDS_BEFORE_DROP = 10;
    private static final List<String> TAGS = List.of("x", "y");
    private static final List<String> COLUMNS = List.of("e", "f");

    // Names that referred to a table a moment ago
    private final Set<String> names = ConcurrentHashMap.newKeySet();
    // The newest version of each name that a client has seen
    private final Map<String, Long> newest = new ConcurrentHashMap<>();
    private final Set<String> unregistered = ConcurrentHashMap.newKeySet();
    // By name: the last times at which it got versions
    private final Map<String, Deque<Long>> commits = new ConcurrentHashMap<>();
    // The last DELETE, until another client begins its next statement
    private final AtomicReference<Write.Delete> deleting = new AtomicReference<>();

    void saw(String name, long version)
    {
        newest.put(name, version);
    }

    void sawCommit(String name, long millis)
    {
        Deque<Long> times = commits.computeIfAbsent(name, _ -> new ConcurrentLinkedDeque<>());
        times.add(millis);
        if (times.size() > RECENT_VERSIONS) {
            times.poll();
        }
    }

    /**
     * @param locations folders of the tables that were unregistered
     */
    void sawUnregistered(Set<String> locations)
    {
        unregistered.retainAll(locations);
        unregistered.addAll(locations);
    }

    void sawName(String name, boolean exists)
    {
        if (exists) {
            names.add(name);
        }
        else {
            names.remove(name);
        }
    }

    Operation first(String name, IsolationLevel isolation, long call, Random random)
    {
        return new Write.Replace(name, isolation, rows(call, IDS, random));
    }

    /**
     * @param retentionSeconds after which time versions may expire
     * @param vacuumSeconds after which time the files of dropped tables may be deleted
     */
    Operation next(long call, Random random, long retentionSeconds, long vacuumSeconds)
    {
        Write.Delete begun = deleting.getAndSet(null);
        if (begun != null && random.nextBoolean()) {
            // Only one of the two clients may count the rows
            return begun;
        }
        List<String> existing = NAMES.stream().filter(names::contains).toList();
        String table = existing.isEmpty() || random.nextInt(10) == 0 ? name(random) : existing.get(random.nextInt(existing.size()));
        if (existing.isEmpty() && random.nextBoolean()) {
            return new Write.Create(table, isolation(random), rows(call, 1 + random.nextInt(IDS), random));
        }
        int choice = random.nextInt(100);
        if (choice < 58) {
            Operation change = change(table, call, choice, random);
            if (change instanceof Write.Delete delete) {
                deleting.set(delete);
            }
            return change;
        }
        if (choice < 67) {
            boolean mayDrop = existing.size() > 1 && retentionSeconds <= MOST_SECONDS_BEFORE_DROP;
            return changeName(table, mayDrop, call, choice - 58, random);
        }
        if (choice < 72) {
            return changeVersion(table, choice - 67, random);
        }
        if (choice < 76) {
            return alter(table, choice - 72, random);
        }
        if (choice < 84) {
            return maintain(table, choice - 76, retentionSeconds, vacuumSeconds, random);
        }
        return read(table, choice - 84, random);
    }

    private static Operation change(String table, long call, int choice, Random random)
    {
        if (choice < 16) {
            return new Write.Insert(table, rows(call, 1 + random.nextInt(MOST_ROWS), random));
        }
        if (choice < 20) {
            return new Write.InsertSelect(table, range(3, random), call);
        }
        if (choice < 29) {
            return new Write.Delete(table, range(12, random), 1 + random.nextInt(3));
        }
        if (choice < 31) {
            return new Write.DeleteShifted(table, range(6, random), random.nextInt(IDS) - IDS / 2);
        }
        if (choice < 37) {
            return new Write.Update(table, range(12, random), call);
        }
        if (choice < 40) {
            return new Write.Move(table, range(12, random), 1 + random.nextInt(IDS - 1), IDS, call);
        }
        if (choice < 44) {
            return new Write.SetColumn(table, column(random), range(12, random), call);
        }
        if (choice < 53) {
            return new Write.Merge(table, differentIds(rows(call, 1 + random.nextInt(2 * MOST_ROWS), random)));
        }
        if (choice < 54) {
            return new Write.Truncate(table);
        }
        if (choice < 56) {
            return new Write.Replace(table, isolation(random), rows(call, 1 + random.nextInt(IDS), random));
        }
        return new Write.ReplaceSelect(table, isolation(random), range(IDS, random), call);
    }

    /**
     * @param mayDrop whether other tables exist, without which most statements show nothing, and most versions of the
     *         table were read, which nobody can read afterward
     */
    private Operation changeName(String table, boolean mayDrop, long call, int choice, Random random)
    {
        String to = name(random);
        return switch (choice) {
            case 0, 1, 2 -> new Write.Create(NAMES.stream().filter(name -> !names.contains(name)).findFirst().orElse(table), isolation(random), rows(call, 1 + random.nextInt(IDS), random));
            case 3, 4 -> mayDrop ? new Naming.Drop(table) : new Read.Newest(table);
            case 5 -> mayDrop ? new Naming.Unregister(table) : new Read.Newest(table);
            case 6 -> unregistered().isEmpty() ? new Read.LostTables() : new Naming.Register(to, unregistered().getFirst());
            default -> to.equals(table) ? new Read.Newest(table) : new Naming.Rename(table, to);
        };
    }

    private Operation changeVersion(String table, int choice, Random random)
    {
        return switch (choice) {
            case 0, 1 -> new Write.Rollback(table, version(table, random));
            case 2, 3 -> new Write.CreateTag(table, tag(random), version(table, random));
            default -> new Write.DropTag(table, tag(random));
        };
    }

    private static Operation alter(String table, int choice, Random random)
    {
        return switch (choice) {
            case 0, 1 -> new Alteration.AddColumn(table, column(random));
            case 2 -> new Alteration.DropColumn(table, column(random));
            default -> new Alteration.RenameColumn(table, COLUMNS.getFirst(), COLUMNS.getLast());
        };
    }

    private static Operation maintain(String table, int choice, long retentionSeconds, long vacuumSeconds, Random random)
    {
        return switch (choice) {
            case 0 -> random.nextBoolean() ? new Maintenance.Optimize(table) : new Maintenance.Sort(table);
            case 1 -> random.nextBoolean() ? new Maintenance.AddIndex(table) : new Maintenance.DropIndex(table);
            case 2 -> new Maintenance.Regroup(table, random.nextBoolean());
            case 3, 4, 5 -> new Maintenance.Expire(table, retentionSeconds);
            case 6 -> new Maintenance.RemoveOrphans(table, random.nextInt(MOST_SECONDS));
            default -> new Maintenance.Vacuum(vacuumSeconds);
        };
    }

    private Operation read(String table, int choice, Random random)
    {
        if (choice < 4) {
            return new Read.Newest(table);
        }
        if (choice < 7) {
            return new Read.Rows(table, range(IDS, random));
        }
        if (choice < 9) {
            return new Read.Totals(table, range(IDS, random));
        }
        if (choice < 11) {
            // An old version may have expired
            boolean any = random.nextInt(4) == 0;
            return new Read.Numbered(table, List.of(any ? 1 + random.nextLong(newest.getOrDefault(table, 1L)) : version(table, random)));
        }
        if (choice < 14) {
            List<Long> times = ImmutableList.copyOf(commits.getOrDefault(table, new ConcurrentLinkedDeque<>()));
            return times.isEmpty() ? new Read.Newest(table) : new Read.AsOf(table, times.get(random.nextInt(times.size())) - random.nextInt(2));
        }
        return new Read.Tagged(table, tag(random));
    }

    private List<String> unregistered()
    {
        return ImmutableList.copyOf(unregistered);
    }

    /**
     * Returns a registration of a table that has no name now, for one of another run.
     */
    Optional<Operation> relocate(Operation operation)
    {
        if (!(operation instanceof Naming.Register register)) {
            return Optional.of(operation);
        }
        return unregistered().stream().findFirst().map(location -> new Naming.Register(register.table(), location));
    }

    private long version(String table, Random random)
    {
        return Math.max(1, newest.getOrDefault(table, 1L) - random.nextInt(RECENT_VERSIONS));
    }

    /**
     * Returns rows by their ids, so that an UPDATE changes many rows of some row groups, and few or none of others.
     */
    private static List<Row> rows(long call, int count, Random random)
    {
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            rows.add(new Row(random.nextInt(IDS), call * IDS + i, call, random.nextInt(100)));
        }
        rows.sort(comparingLong(Row::id));
        return rows;
    }

    private static List<Row> differentIds(List<Row> rows)
    {
        TreeSet<Long> ids = new TreeSet<>();
        return rows.stream().filter(row -> ids.add(row.id())).toList();
    }

    private static IdRange range(int width, Random random)
    {
        int low = random.nextInt(IDS);
        return new IdRange(low, low + random.nextInt(width));
    }

    private static String name(Random random)
    {
        return NAMES.get(random.nextInt(NAMES.size()));
    }

    private static String tag(Random random)
    {
        return TAGS.get(random.nextInt(TAGS.size()));
    }

    private static String column(Random random)
    {
        return COLUMNS.get(random.nextInt(COLUMNS.size()));
    }

    private static IsolationLevel isolation(Random random)
    {
        return random.nextInt(3) == 0 ? IsolationLevel.SNAPSHOT : IsolationLevel.SERIALIZABLE;
    }
}
