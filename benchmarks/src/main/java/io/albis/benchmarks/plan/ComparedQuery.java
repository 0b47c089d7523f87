package io.albis.benchmarks.plan;

import com.google.common.collect.ImmutableMap;

import java.util.Map;

import static java.util.Objects.requireNonNull;

/**
 * The plans of a query.
 *
 * @param plans maps each catalog to its plan
 * @param differences maps each pair of a catalog of Albis and a peer to what differs between their plans
 */
public record ComparedQuery(String name, Map<String, NormalizedPlan> plans, Map<Pair, PlanDifference> differences)
{
    public ComparedQuery
    {
        requireNonNull(name, "name is null");
        plans = ImmutableMap.copyOf(plans);
        differences = ImmutableMap.copyOf(differences);
    }

    /**
     * Two catalogs.
     */
    public record Pair(String albis, String peer)
    {
        public Pair
        {
            requireNonNull(albis, "albis is null");
            requireNonNull(peer, "peer is null");
        }

        @Override
        public String toString()
        {
            return "%s and %s".formatted(albis, peer);
        }
    }
}
