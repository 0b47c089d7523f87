package io.albis.benchmarks.cif;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.benchmarks.measure.Progress;
import io.albis.benchmarks.measure.Task;
import io.albis.benchmarks.server.BenchmarkCatalog;
import io.albis.benchmarks.server.BenchmarkServer;
import io.albis.benchmarks.server.ComparedColumns;
import io.albis.benchmarks.workload.CreateTask;
import io.albis.benchmarks.workload.FullScan;
import io.albis.benchmarks.workload.GeneratedTables;
import io.albis.benchmarks.workload.Numbers;
import io.albis.benchmarks.workload.QueryTask;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/**
 * The synthetic data of section 6.2: 6 random texts of 20 to 40 characters, 6 random integers from 1 to 10,000, and a
 * map of 10 entries from random texts of 4 characters to random integers.
 */
public record SyntheticRecords(int rows, String schema)
{
    private static final String TABLE = "records";
    private static final int COLUMNS = 6;
    private static final int ENTRIES = 10;
    private static final List<String> STRINGS = names("s");
    private static final List<String> INTEGERS = names("i");
    private static final String MAP = "m";
    private static final List<String> ALL = ImmutableList.<String>builder().addAll(STRINGS).addAll(INTEGERS).add(MAP).build();
    // The first character of a text is one of 64, in the order of its code + / 0-9 A-Z a-z
    private static final Map<String, String> PATTERNS = ImmutableMap.of(
            "0.02 %", "aa%",
            "1.6 %", "a%");
    private static final Map<String, String> CLASSES = ImmutableMap.of(
            "10.9 %", "[a-g]",
            "50 %", "[A-Za-f]",
            "100 %", ".");

    public SyntheticRecords
    {
        checkArgument(rows > 0, "rows is not positive");
        requireNonNull(schema, "schema is null");
    }

    private static List<String> names(String prefix)
    {
        return IntStream.rangeClosed(1, COLUMNS)
                .mapToObj(column -> prefix + column)
                .collect(toImmutableList());
    }

    public void prepare(BenchmarkServer server, List<BenchmarkCatalog> catalogs, Progress progress)
    {
        new GeneratedTables(server, schema, progress).prepare(catalogs, TABLE, generator());
    }

    private String generator()
    {
        ImmutableList.Builder<String> columns = ImmutableList.builder();
        for (String string : STRINGS) {
            columns.add("%s AS %s".formatted(Generators.text(string, "20 + " + Generators.number(string + " length", 21)), string));
        }
        for (String integer : INTEGERS) {
            columns.add("CAST(1 + %s AS integer) AS %s".formatted(Generators.number(integer, 10_000), integer));
        }
        // The last character is the number of the entry, so that the keys of a map differ
        String keys = "transform(sequence(0, %s), x -> substr(%s, CAST(1 + 3 * x AS integer), 3) || CAST(x AS varchar))".formatted(ENTRIES - 1, Generators.characters("keys"));
        String values = "transform(sequence(0, %s), x -> CAST(mod(%s + 7919 * x, 10000) AS integer))".formatted(ENTRIES - 1, Generators.number("values", 10_000));
        columns.add("map(%s, %s) AS %s".formatted(keys, values, MAP));
        return "SELECT %s FROM %s".formatted(String.join(", ", columns.build()), Numbers.below(rows));
    }

    /**
     * Returns the scans of Figure 7: of one integer, one text, the map, and everything.
     */
    public List<Task> scans(BenchmarkServer server)
    {
        return ImmutableList.of(
                new FullScan("1 integer", TABLE, ImmutableList.of("i3"), schema, server),
                new FullScan("1 string", TABLE, ImmutableList.of("s3"), schema, server),
                new FullScan("1 map", TABLE, ImmutableList.of(MAP), schema, server),
                new FullScan("all columns", TABLE, ALL, schema, server));
    }

    /**
     * Returns the queries of Figure 10: an aggregation of the values of one key of the map over the records whose text
     * matches a pattern, which few or all of them do.
     */
    public List<Task> selectivity(BenchmarkServer server)
    {
        ImmutableList.Builder<Task> tasks = ImmutableList.builder();
        PATTERNS.forEach((percent, pattern) -> tasks.add(aggregation(percent, "s1 LIKE '%s'".formatted(pattern), server)));
        CLASSES.forEach((percent, characters) -> tasks.add(aggregation(percent, "regexp_like(s1, '^%s')".formatted(characters), server)));
        return tasks.build();
    }

    private Task aggregation(String percent, String condition, BenchmarkServer server)
    {
        // Few maps have the key, so the size of the others is added to use their map, too
        String sql = "SELECT count(*), sum(coalesce(element_at(%1$s, 'abc3'), cardinality(%1$s))) FROM %2$s WHERE %3$s".formatted(MAP, TABLE, condition);
        return new QueryTask("map of %s of the records".formatted(percent), sql, schema, ComparedColumns.ALL, server);
    }

    /**
     * Returns the load of Table 2.
     */
    public Task load(BenchmarkServer server, List<BenchmarkCatalog> catalogs, Path data)
    {
        return CreateTask.load(TABLE, FullScan.checksums(ALL), schema, server, catalogs, data);
    }
}
