package io.albis.benchmarks.cif;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.measure.Progress;
import io.albis.benchmarks.measure.Task;
import io.albis.benchmarks.server.BenchmarkCatalog;
import io.albis.benchmarks.server.BenchmarkServer;
import io.albis.benchmarks.workload.FullScan;
import io.albis.benchmarks.workload.GeneratedTables;
import io.albis.benchmarks.workload.Numbers;

import java.util.List;
import java.util.stream.IntStream;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

/**
 * The data of section B.5: tables of 20, 40, and 80 columns of random texts of 30 characters, with the same number of
 * values in all of them.
 */
public record WideRecords(int values, String schema)
{
    private static final List<Integer> WIDTHS = ImmutableList.of(20, 40, 80);
    private static final int LENGTH = 30;

    public WideRecords
    {
        checkArgument(values >= WIDTHS.getLast(), "values is less than a row");
        requireNonNull(schema, "schema is null");
    }

    public void prepare(BenchmarkServer server, List<BenchmarkCatalog> catalogs, Progress progress)
    {
        GeneratedTables tables = new GeneratedTables(server, schema, progress);
        for (int width : WIDTHS) {
            String columns = names(width).stream()
                    .map(column -> "%s AS %s".formatted(Generators.text(column, Integer.toString(LENGTH)), column))
                    .collect(joining(", "));
            tables.prepare(catalogs, table(width), "SELECT %s FROM %s".formatted(columns, Numbers.below(values / width)));
        }
    }

    private static String table(int width)
    {
        return "wide_" + width;
    }

    private static List<String> names(int width)
    {
        return IntStream.range(0, width)
                .mapToObj(column -> "c" + column)
                .collect(toImmutableList());
    }

    /**
     * Returns the scans of one column, of 10 % of the columns, and of all columns of each table.
     */
    public List<Task> scans(BenchmarkServer server)
    {
        ImmutableList.Builder<Task> tasks = ImmutableList.builder();
        for (int width : WIDTHS) {
            for (int count : new int[] {1, width / 10, width}) {
                tasks.add(new FullScan("%s of %s columns".formatted(count, width), table(width), names(width).subList(0, count), schema, server));
            }
        }
        return tasks.build();
    }
}
