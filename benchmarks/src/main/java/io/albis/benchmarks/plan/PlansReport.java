package io.albis.benchmarks.plan;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.plan.ComparedQuery.Pair;
import io.albis.benchmarks.report.MarkdownTable;
import io.albis.benchmarks.report.Section;

import java.util.List;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static java.util.stream.Collectors.joining;

/**
 * Renders compared plans as Markdown and as JSON. The text is the same for the same plans.
 */
public record PlansReport(List<ComparedQuery> queries)
{
    private static final ObjectMapper MAPPER = new ObjectMapper();
    // With the same line breaks on all systems
    private static final DefaultIndenter INDENTER = new DefaultIndenter("  ", "\n");

    public PlansReport
    {
        queries = ImmutableList.copyOf(queries);
    }

    public List<Section> sections()
    {
        return ImmutableList.of(
                new Section("Different plans", "The number of queries whose plans differ in something, of %s, and their names.\n\n%s".formatted(queries.size(), counts().render())),
                new Section("What differs", details()));
    }

    private MarkdownTable counts()
    {
        MarkdownTable table = new MarkdownTable(ImmutableList.of("catalogs", "what", "number", "queries"));
        for (Pair pair : pairs()) {
            for (Aspect aspect : Aspect.values()) {
                table.add(row(pair, aspect.toString(), queries.stream()
                        .filter(query -> query.differences().get(pair).lines().containsKey(aspect))
                        .map(ComparedQuery::name)
                        .collect(toImmutableList())));
            }
            table.add(row(pair, "any operator", queries.stream()
                    .filter(query -> query.differences().get(pair).isOfOperators())
                    .map(ComparedQuery::name)
                    .collect(toImmutableList())));
        }
        return table;
    }

    private Set<Pair> pairs()
    {
        return queries.stream()
                .flatMap(query -> query.differences().keySet().stream())
                .collect(toImmutableSet());
    }

    private static List<String> row(Pair pair, String what, List<String> names)
    {
        return ImmutableList.of(pair.toString(), what, String.valueOf(names.size()), String.join(", ", names));
    }

    private String details()
    {
        StringBuilder text = new StringBuilder();
        for (ComparedQuery query : queries) {
            query.differences().forEach((pair, difference) -> {
                if (!difference.lines().isEmpty()) {
                    text.append("- %s, %s\n".formatted(query.name(), pair));
                    difference.lines().asMap().forEach((aspect, lines) -> text.append(lines.stream()
                            .map(line -> "  - %s: %s\n".formatted(aspect, line))
                            .collect(joining())));
                }
            });
        }
        return text.isEmpty() ? "Nothing.\n" : text.toString();
    }

    /**
     * Returns an array with an object for each query: its name, the lines of the plan of each catalog, and the
     * differences of each pair of catalogs.
     */
    public String json()
    {
        ArrayNode array = MAPPER.createArrayNode();
        for (ComparedQuery query : queries) {
            ObjectNode object = array.addObject().put("query", query.name());
            ObjectNode plans = object.putObject("plans");
            query.plans().forEach((catalog, plan) -> plan.lines().forEach(plans.withArrayProperty(catalog)::add));
            ArrayNode differences = object.putArray("differences");
            query.differences().forEach((pair, difference) -> {
                ObjectNode entry = differences.addObject().put("albis", pair.albis()).put("peer", pair.peer());
                difference.lines().forEach((aspect, line) -> entry.withArrayProperty(aspect.toString()).add(line));
            });
        }
        try {
            DefaultPrettyPrinter printer = new DefaultPrettyPrinter().withObjectIndenter(INDENTER).withArrayIndenter(INDENTER);
            return MAPPER.writer(printer).writeValueAsString(array) + "\n";
        }
        catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
