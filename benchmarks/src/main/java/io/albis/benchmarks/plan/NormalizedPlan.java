package io.albis.benchmarks.plan;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.benchmarks.plan.Aspect.AGGREGATIONS;
import static io.albis.benchmarks.plan.Aspect.EXCHANGES;
import static io.albis.benchmarks.plan.Aspect.JOIN_ORDER;
import static io.albis.benchmarks.plan.Aspect.OTHER_OPERATORS;
import static io.albis.benchmarks.plan.Aspect.TABLES;
import static java.util.Locale.ENGLISH;
import static java.util.stream.Collectors.joining;

/**
 * A plan that can be compared with that of another connector. It has the scans, the joins with their distribution, the
 * aggregations, the exchanges between tasks, and all other operators that change rows. It does not have projections,
 * filters, and exchanges within a task, which depend on what a connector takes over, and no names of symbols.
 *
 * @param operators from the root to the scans, each before those below it
 */
public record NormalizedPlan(List<PlanOperator> operators)
{
    private static final Set<String> LEFT_OUT = ImmutableSet.of("Output", "Project", "Filter", "FilterProject", "LocalExchange", "LocalMerge");
    private static final Pattern DISTRIBUTION = Pattern.compile("Distribution: (\\w+)");
    private static final Splitter SYMBOLS = Splitter.on(',').trimResults().omitEmptyStrings();

    public NormalizedPlan
    {
        operators = ImmutableList.copyOf(operators);
    }

    /**
     * Normalizes a plan.
     *
     * @param tables names of all tables, without those of schemas and catalogs
     */
    public static NormalizedPlan of(PlanNode root, Collection<String> tables)
    {
        Normalizer normalizer = new Normalizer(tables);
        normalizer.visit(root, 0);
        return new NormalizedPlan(normalizer.operators);
    }

    /**
     * Returns a line for each operator, indented by those above it.
     */
    public List<String> lines()
    {
        return operators.stream()
                .map(operator -> "%s%s%s, %s".formatted(
                        "  ".repeat(operator.depth()),
                        operator.what(),
                        operator.distribution().isEmpty() ? "" : ", " + operator.distribution(),
                        formatRows(operator.rows())))
                .collect(toImmutableList());
    }

    static String formatRows(double rows)
    {
        return Double.isNaN(rows) ? "unknown rows" : String.format(ENGLISH, "%,.0f rows", rows);
    }

    private static final class Normalizer
    {
        private final Pattern table;
        private final List<PlanOperator> operators = new ArrayList<>();

        private Normalizer(Collection<String> tables)
        {
            // A handle has the catalog, the schema, and the table first, and whatever the connector took over after it
            table = Pattern.compile(tables.stream()
                    .map(Pattern::quote)
                    .collect(joining("|", "(?<![A-Za-z0-9_])(", ")(?![A-Za-z0-9_])")));
        }

        /**
         * @param tables those below, in the order of the alphabet
         * @param operator name of the uppermost operator that is not left out
         */
        private record Below(List<String> tables, String operator) {}

        private Below visit(PlanNode node, int depth)
        {
            if (LEFT_OUT.contains(node.name())) {
                return merge(visitChildren(node, depth));
            }
            // The operators below follow this one, which needs their tables
            int position = operators.size();
            operators.add(null);
            if (node.descriptor().containsKey("table")) {
                String name = tableName(node.descriptor().get("table"));
                operators.set(position, new PlanOperator(TABLES, "scan of " + name, "", node.rows(), depth));
                return new Below(ImmutableList.of(name), "scan");
            }
            List<Below> children = visitChildren(node, depth + 1);
            Below below = merge(children);
            operators.set(position, operator(node, children, below, depth));
            return new Below(below.tables(), name(node));
        }

        private List<Below> visitChildren(PlanNode node, int depth)
        {
            return node.children().stream()
                    .map(child -> visit(child, depth))
                    .collect(toImmutableList());
        }

        private static Below merge(List<Below> children)
        {
            List<String> tables = children.stream()
                    .flatMap(child -> child.tables().stream())
                    .sorted()
                    .collect(toImmutableList());
            return new Below(tables, children.isEmpty() ? "nothing" : children.getFirst().operator());
        }

        private String tableName(String handle)
        {
            Matcher matcher = table.matcher(handle);
            return matcher.find() ? matcher.group(1) : handle;
        }

        private static PlanOperator operator(PlanNode node, List<Below> children, Below below, int depth)
        {
            if (node.name().endsWith("Join")) {
                String sides = children.stream()
                        .map(child -> child.tables().toString())
                        .collect(joining(" with "));
                return new PlanOperator(JOIN_ORDER, "%s of %s".formatted(node.name(), sides), distribution(node).orElse(""), node.rows(), depth);
            }
            if (node.name().equals("Aggregate")) {
                return new PlanOperator(AGGREGATIONS, "%s of %s".formatted(name(node), below.tables()), "", node.rows(), depth);
            }
            if (node.name().startsWith("Remote")) {
                return new PlanOperator(EXCHANGES, "%s after %s of %s".formatted(name(node), below.operator(), below.tables()), "", node.rows(), depth);
            }
            return new PlanOperator(OTHER_OPERATORS, "%s of %s".formatted(name(node), below.tables()), "", node.rows(), depth);
        }

        private static String name(PlanNode node)
        {
            return switch (node.name()) {
                case "Aggregate" -> "%s aggregation with %s keys".formatted(step(node), SYMBOLS.splitToList(keys(node)).size());
                case "RemoteExchange" -> "exchange " + node.descriptor().getOrDefault("type", "");
                case "RemoteMerge" -> "exchange MERGE";
                default -> node.name();
            };
        }

        private static String step(PlanNode node)
        {
            String type = node.descriptor().getOrDefault("type", "");
            return type.isEmpty() ? "SINGLE" : type;
        }

        private static String keys(PlanNode node)
        {
            return node.descriptor().getOrDefault("keys", "").replaceAll("[\\[\\]]", "");
        }

        private static Optional<String> distribution(PlanNode node)
        {
            return node.details().stream()
                    .map(DISTRIBUTION::matcher)
                    .filter(Matcher::find)
                    .map(matcher -> matcher.group(1))
                    .findFirst();
        }
    }
}
