package io.albis.trino.history;

import io.albis.table.model.IsolationLevel;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

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
    private static final List<String> TAGS = List.of("x", "y");

    // Names that referred to a table a moment ago
    private final Set<String> names = ConcurrentHashMap.newKeySet();
    // The newest version of each name that a client has seen
    private final Map<String, Long> newest = new ConcurrentHashMap<>();

    void saw(String name, long version)
    {
        newest.put(name, version);
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
     */
    Operation next(long call, Random random, long retentionSeconds)
    {
        List<String> existing = NAMES.stream().filter(names::contains).toList();
        String table = existing.isEmpty() || random.nextInt(10) == 0 ? name(random) : existing.get(random.nextInt(existing.size()));
        int choice = random.nextInt(100);
        if (choice < 18) {
            return new Write.Insert(table, rows(call, 1 + random.nextInt(MOST_ROWS), random));
        }
        if (choice < 22) {
            return new Write.InsertSelect(table, range(3, random), call);
        }
        if (choice < 32) {
            return new Write.Delete(table, range(12, random), 1 + random.nextInt(3));
        }
        if (choice < 34) {
            return new Write.DeleteShifted(table, range(6, random), random.nextInt(IDS) - IDS / 2);
        }
        if (choice < 45) {
            return new Write.Update(table, range(12, random), call);
        }
        if (choice < 55) {
            return new Write.Merge(table, differentIds(rows(call, 1 + random.nextInt(2 * MOST_ROWS), random)));
        }
        if (choice < 56) {
            return new Write.Truncate(table);
        }
        if (choice < 58) {
            return new Write.Replace(table, isolation(random), rows(call, 1 + random.nextInt(IDS), random));
        }
        if (choice < 60) {
            return new Write.ReplaceSelect(table, isolation(random), range(IDS, random), call);
        }
        if (choice < 62) {
            String to = name(random);
            return to.equals(table) ? new Read.Newest(table) : new Write.Rename(table, to);
        }
        if (choice < 64) {
            return new Write.Rollback(table, version(table, random));
        }
        if (choice < 65) {
            return new Write.CreateTag(table, tag(random), version(table, random));
        }
        if (choice < 66) {
            return new Write.DropTag(table, tag(random));
        }
        if (choice < 67) {
            return new Write.Expire(table, retentionSeconds);
        }
        if (choice < 68) {
            return new Write.RemoveOrphans(table, random.nextInt(MOST_SECONDS));
        }
        if (choice < 80) {
            return new Read.Newest(table);
        }
        if (choice < 88) {
            return new Read.Rows(table, range(IDS, random));
        }
        if (choice < 94) {
            return new Read.Totals(table, range(IDS, random));
        }
        return new Read.Numbered(table, List.of(version(table, random)));
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

    private static IsolationLevel isolation(Random random)
    {
        return random.nextInt(3) == 0 ? IsolationLevel.SNAPSHOT : IsolationLevel.SERIALIZABLE;
    }
}
