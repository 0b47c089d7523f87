package io.albis.benchmarks.result;

import com.google.common.collect.ArrayListMultimap;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ListMultimap;
import com.google.common.collect.Sets;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

import static com.google.common.collect.Comparators.lexicographical;
import static java.util.Comparator.comparing;
import static java.util.stream.Collectors.joining;

/**
 * The rows that only one of two results has, regardless of the order of the rows.
 */
record RowsDifference(List<ComparedRow> missing, List<ComparedRow> unexpected)
{
    private static final Comparator<ComparedRow> BY_NUMBERS = comparing(ComparedRow::numbers, lexicographical(Comparator.<Double>naturalOrder()));
    private static final int SHOWN = 3;

    public RowsDifference
    {
        missing = ImmutableList.copyOf(missing);
        unexpected = ImmutableList.copyOf(unexpected);
    }

    /**
     * Compares two results.
     *
     * @return the difference, or empty if there is none
     */
    public static Optional<RowsDifference> find(Collection<ComparedRow> expected, Collection<ComparedRow> actual)
    {
        ListMultimap<String, ComparedRow> expectedRows = byExactValues(expected);
        ListMultimap<String, ComparedRow> actualRows = byExactValues(actual);
        List<ComparedRow> missing = new ArrayList<>();
        List<ComparedRow> unexpected = new ArrayList<>();
        for (String exact : Sets.union(expectedRows.keySet(), actualRows.keySet())) {
            match(expectedRows.get(exact), actualRows.get(exact), missing, unexpected);
        }
        return missing.isEmpty() && unexpected.isEmpty() ? Optional.empty() : Optional.of(new RowsDifference(missing, unexpected));
    }

    private static ListMultimap<String, ComparedRow> byExactValues(Collection<ComparedRow> rows)
    {
        ListMultimap<String, ComparedRow> groups = ArrayListMultimap.create();
        rows.forEach(row -> groups.put(row.exact(), row));
        return groups;
    }

    /**
     * Finds a partner for each row among rows with the same exact values.
     */
    private static void match(List<ComparedRow> expected, List<ComparedRow> actual, List<ComparedRow> missing, List<ComparedRow> unexpected)
    {
        List<ComparedRow> sorted = sorted(expected);
        List<ComparedRow> remaining = sorted(actual);
        if (areAlike(sorted, remaining)) {
            return;
        }
        // Rows whose first numbers are almost the same may have another order in the other result
        for (ComparedRow row : sorted) {
            Optional<ComparedRow> partner = remaining.stream().filter(row::isLike).findFirst();
            partner.ifPresentOrElse(remaining::remove, () -> missing.add(row));
        }
        unexpected.addAll(remaining);
    }

    private static List<ComparedRow> sorted(List<ComparedRow> rows)
    {
        List<ComparedRow> sorted = new ArrayList<>(rows);
        sorted.sort(BY_NUMBERS);
        return sorted;
    }

    private static boolean areAlike(List<ComparedRow> expected, List<ComparedRow> actual)
    {
        if (expected.size() != actual.size()) {
            return false;
        }
        for (int i = 0; i < expected.size(); i++) {
            if (!expected.get(i).isLike(actual.get(i))) {
                return false;
            }
        }
        return true;
    }

    /**
     * Describes the difference with some of the rows.
     *
     * @param expected name of the first result
     * @param actual name of the second result
     */
    public String describe(String expected, String actual)
    {
        return "%s; %s".formatted(describe(missing, expected), describe(unexpected, actual));
    }

    private static String describe(List<ComparedRow> rows, String name)
    {
        return "%s rows only in %s%s".formatted(rows.size(), name, rows.stream()
                .limit(SHOWN)
                .map(ComparedRow::text)
                .collect(joining(", ", rows.isEmpty() ? "" : ": ", rows.size() > SHOWN ? ", ..." : "")));
    }
}
