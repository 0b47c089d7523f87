package io.albis.trino.history;

import com.google.common.collect.Lists;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Reads each version of the tables before it expires.
 */
final class Collector
{
    private static final int BATCH = 8;

    private final Function<Operation, Outcome> client;
    private final Map<String, Set<Long>> read = new HashMap<>();

    Collector(Function<Operation, Outcome> client)
    {
        this.client = client;
    }

    /**
     * Reads what is new.
     *
     * @return whether all versions were read
     */
    boolean collect()
    {
        boolean complete = true;
        for (String name : Workload.NAMES) {
            Outcome chain = client.apply(new Read.Chain(name));
            if (chain.kind() == Outcome.Kind.DONE) {
                complete &= collect(name, chain.rows());
            }
            else {
                complete &= chain.error().orElse("").equals("TABLE_NOT_FOUND");
            }
        }
        return complete;
    }

    private boolean collect(String name, List<List<String>> chain)
    {
        Map<String, List<Long>> found = new HashMap<>();
        chain.forEach(row -> found.computeIfAbsent(row.get(0), _ -> new ArrayList<>()).add(Long.parseLong(row.get(2))));
        boolean complete = true;
        for (Map.Entry<String, List<Long>> table : found.entrySet()) {
            Set<Long> known = read.computeIfAbsent(table.getKey(), _ -> new HashSet<>());
            List<Long> missing = table.getValue().stream().filter(version -> !known.contains(version)).sorted().toList();
            for (List<Long> batch : Lists.partition(missing, BATCH)) {
                complete &= collect(name, table.getKey(), batch);
            }
        }
        return complete;
    }

    private boolean collect(String name, String table, List<Long> versions)
    {
        Outcome outcome = client.apply(new Read.Numbered(name, versions));
        if (outcome.kind() == Outcome.Kind.DONE) {
            // Meanwhile, the name may have become that of another table
            boolean sameTable = outcome.rows().stream().allMatch(row -> row.get(0).equals(table));
            if (sameTable) {
                read.get(table).addAll(versions);
            }
            return sameTable;
        }
        if (versions.size() > 1) {
            // One of them may have expired
            return versions.stream().map(version -> collect(name, table, List.of(version))).reduce(true, Boolean::logicalAnd);
        }
        return false;
    }
}
