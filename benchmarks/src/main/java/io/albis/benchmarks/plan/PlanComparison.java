package io.albis.benchmarks.plan;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.benchmarks.measure.Progress;
import io.albis.benchmarks.plan.ComparedQuery.Pair;
import io.albis.benchmarks.server.BenchmarkCatalog;
import io.albis.benchmarks.server.BenchmarkServer;

import java.util.List;
import java.util.Map;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

/**
 * Gets the plans of queries from all catalogs, and compares those of Albis with those of each peer.
 *
 * @param factor how many times as high another estimate of rows must be to be reported
 */
public record PlanComparison(BenchmarkServer server, List<BenchmarkCatalog> catalogs, double factor, Progress progress)
{
    public PlanComparison
    {
        requireNonNull(server, "server is null");
        catalogs = ImmutableList.copyOf(catalogs);
        requireNonNull(progress, "progress is null");
    }

    /**
     * Compares the plans of a query, and prints in what they differ.
     */
    public ComparedQuery compare(PlannedStatement statement)
    {
        ImmutableMap.Builder<String, NormalizedPlan> builder = ImmutableMap.builder();
        for (BenchmarkCatalog catalog : catalogs) {
            String json = server.explain(catalog.catalogName(), statement.schema(), statement.sql());
            builder.put(catalog.catalogName(), NormalizedPlan.of(PlanNode.parse(json), statement.tables()));
        }
        Map<String, NormalizedPlan> plans = builder.buildOrThrow();
        ImmutableMap.Builder<Pair, PlanDifference> differences = ImmutableMap.builder();
        for (BenchmarkCatalog albis : catalogs) {
            for (BenchmarkCatalog peer : catalogs) {
                if (albis.isAlbis() && !peer.isAlbis()) {
                    Pair pair = new Pair(albis.catalogName(), peer.catalogName());
                    PlanDifference difference = PlanDifference.of(plans.get(pair.albis()), pair.albis(), plans.get(pair.peer()), pair.peer(), factor);
                    print(statement.name(), pair, difference);
                    differences.put(pair, difference);
                }
            }
        }
        return new ComparedQuery(statement.name(), plans, differences.buildOrThrow());
    }

    private void print(String query, Pair pair, PlanDifference difference)
    {
        String aspects = difference.lines().keySet().stream()
                .map(Aspect::toString)
                .collect(joining(", "));
        progress.print("%-8s %-32s %s".formatted(query, pair, aspects.isEmpty() ? "the same plan" : "different " + aspects));
    }
}
