package io.albis.benchmarks.tpch;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.measure.Task;
import io.albis.benchmarks.server.BenchmarkServer;
import io.albis.benchmarks.workload.Fraction;
import io.albis.benchmarks.workload.QueryTask;
import io.albis.benchmarks.workload.TpcdsScale;

import java.time.LocalDate;
import java.util.Collection;
import java.util.List;

import static io.albis.benchmarks.server.BenchmarkCatalog.SOURCE;
import static io.albis.benchmarks.server.ComparedColumns.ALL;
import static io.albis.benchmarks.tpch.TpchTables.LINEITEM;
import static java.util.Objects.requireNonNull;

/**
 * The queries of TPC-H, and the first of them for different fractions of {@code lineitem}, as in the evaluation of
 * FlashQueryFile.
 *
 * @param tasks all queries
 * @param selective those with a predicate on the largest table
 */
public record TpchWorkload(List<Task> tasks, List<SelectiveQuery> selective)
{
    public TpchWorkload
    {
        tasks = ImmutableList.copyOf(tasks);
        selective = ImmutableList.copyOf(selective);
    }

    /**
     * Creates the queries, and counts the rows that their predicates leave in the source catalog.
     *
     * @param fractions rows of the further variants of the first query
     */
    public static TpchWorkload create(BenchmarkServer server, TpcdsScale scale, Collection<Integer> queries, List<Fraction> fractions)
    {
        requireNonNull(server, "server is null");
        String schema = TpchTables.schema(scale);
        Shipdates shipdates = Shipdates.read(server, schema);
        ImmutableList.Builder<Task> tasks = ImmutableList.builder();
        ImmutableList.Builder<SelectiveQuery> selective = ImmutableList.builder();
        for (int query : queries) {
            String name = TpchQueries.name(query);
            tasks.add(new QueryTask(name, TpchQueries.text(query, scale), schema, ALL, server));
            LineitemPredicates.of(query).ifPresent(predicate -> {
                long passed = (long) server.execute(SOURCE.catalogName(), schema, "SELECT count(*) FROM %s WHERE %s".formatted(LINEITEM, predicate)).getOnlyValue();
                selective.add(new SelectiveQuery(name, predicate, passed, shipdates.rows()));
            });
        }
        for (Fraction fraction : fractions) {
            LocalDate day = shipdates.day(fraction);
            String name = "%s of %s".formatted(TpchQueries.name(1), fraction);
            String date = "DATE '%s'".formatted(day);
            tasks.add(new QueryTask(name, TpchQueries.firstQuery(date, scale), schema, ALL, server));
            selective.add(new SelectiveQuery(name, "shipdate <= " + date, shipdates.until().get(day), shipdates.rows()));
        }
        return new TpchWorkload(tasks.build(), selective.build());
    }
}
