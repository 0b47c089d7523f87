package io.albis.benchmarks.plan;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;

import java.util.List;
import java.util.Map;

import static java.util.Objects.requireNonNull;

/**
 * An operator of a plan, as the engine prints it.
 *
 * @param rows estimated number of rows that it returns; NaN if it is unknown
 */
public record PlanNode(String name, Map<String, String> descriptor, List<String> details, double rows, List<PlanNode> children)
{
    private static final ObjectMapper MAPPER = new ObjectMapper();

    public PlanNode
    {
        requireNonNull(name, "name is null");
        descriptor = ImmutableMap.copyOf(descriptor);
        details = ImmutableList.copyOf(details);
        children = ImmutableList.copyOf(children);
    }

    /**
     * Parses a plan that is not divided into fragments.
     *
     * @throws IllegalArgumentException if the text is not JSON
     */
    public static PlanNode parse(String json)
    {
        try {
            return of(MAPPER.readTree(json));
        }
        catch (JsonProcessingException e) {
            throw new IllegalArgumentException("Not a plan: " + json, e);
        }
    }

    private static PlanNode of(JsonNode node)
    {
        ImmutableMap.Builder<String, String> descriptor = ImmutableMap.builder();
        node.path("descriptor").properties().forEach(entry -> descriptor.put(entry.getKey(), entry.getValue().asText()));
        ImmutableList.Builder<String> details = ImmutableList.builder();
        node.path("details").forEach(detail -> details.add(detail.asText()));
        ImmutableList.Builder<PlanNode> children = ImmutableList.builder();
        node.path("children").forEach(child -> children.add(of(child)));
        return new PlanNode(node.path("name").asText(), descriptor.buildOrThrow(), details.build(), rows(node.path("estimates")), children.build());
    }

    /**
     * Returns the estimate for the last of the steps that are shown as one operator, such as a scan, a filter, and a
     * projection. An unknown number is a text in JSON.
     */
    private static double rows(JsonNode estimates)
    {
        // There is no such element if there are no estimates, and then no number in it
        JsonNode rows = estimates.path(estimates.size() - 1).path("outputRowCount");
        return rows.isNumber() ? rows.asDouble() : Double.NaN;
    }
}
