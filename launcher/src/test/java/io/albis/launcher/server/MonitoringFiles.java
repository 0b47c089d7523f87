package io.albis.launcher.server;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static com.google.common.collect.MoreCollectors.onlyElement;
import static java.nio.file.Files.readString;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

/**
 * The files of the folder monitoring/, and what Prometheus does with the rules in them.
 */
final class MonitoringFiles
{
    static final Path FOLDER = Installation.current().repository().resolve("monitoring");
    static final String NAME = "__name__";

    // What a query contains apart from functions, metrics, and operators
    private static final Pattern LABELS_AND_TIMES = Pattern.compile("\\{[^}]*}|\\[[^]]*]|\\b(by|without|on|ignoring)\\s*\\([^)]*\\)");
    private static final Pattern METRIC = Pattern.compile("\\b[a-zA-Z_]\\w*\\b(?!\\s*\\()");
    private static final Set<String> OPERATORS = ImmutableSet.of("and", "or", "unless", "sum", "max", "min", "avg", "count");
    // Java needs no braces around the number of a group
    private static final Pattern GROUP = Pattern.compile("\\$\\{(\\d)}");

    private MonitoringFiles() {}

    record Alert(String name, String expression, String severity, String summary)
    {
        Alert
        {
            requireNonNull(name, "name is null");
            requireNonNull(expression, "expression is null");
            requireNonNull(severity, "severity is null");
            requireNonNull(summary, "summary is null");
        }
    }

    static List<Alert> alerts()
            throws IOException
    {
        return Yaml.parse(readString(FOLDER.resolve("alerts.yml"))).children("groups").stream()
                .flatMap(group -> group.children("rules").stream())
                .map(rule -> new Alert(
                        rule.text("alert"),
                        rule.text("expr"),
                        rule.child("labels").text("severity"),
                        rule.child("annotations").text("summary")))
                .collect(toImmutableList());
    }

    static Yaml dashboard()
            throws IOException
    {
        return Yaml.parse(readString(FOLDER.resolve("grafana.json")));
    }

    static Yaml prometheus()
            throws IOException
    {
        return Yaml.parse(readString(FOLDER.resolve("prometheus.yml")));
    }

    /**
     * Returns the configuration of the job that reads the metrics of Trino.
     */
    static Yaml trinoJob()
            throws IOException
    {
        return prometheus().children("scrape_configs").stream()
                .filter(job -> job.text("job_name").equals("trino"))
                .collect(onlyElement());
    }

    /**
     * Returns the queries of all panels, with the variables of Grafana.
     */
    static List<String> queries()
            throws IOException
    {
        return dashboard().children("panels").stream()
                .filter(panel -> panel.has("targets"))
                .flatMap(panel -> panel.children("targets").stream())
                .map(target -> target.text("expr"))
                .collect(toImmutableList());
    }

    /**
     * Returns the queries for the values of the variables of Grafana.
     */
    static List<String> queriesOfVariables()
            throws IOException
    {
        return dashboard().child("templating").children("list").stream()
                .filter(variable -> variable.text("type").equals("query"))
                .map(variable -> variable.text("query"))
                .collect(toImmutableList());
    }

    /**
     * Returns the names of the metrics that the alerts and the dashboard use.
     */
    static Set<String> usedMetrics()
            throws IOException
    {
        return ImmutableList.<String>builder()
                .addAll(alerts().stream().map(Alert::expression).iterator())
                .addAll(queries())
                .build().stream()
                .flatMap(expression -> METRIC.matcher(LABELS_AND_TIMES.matcher(expression).replaceAll(" ")).results().map(MatchResult::group))
                .filter(name -> !OPERATORS.contains(name))
                .collect(toImmutableSet());
    }

    /**
     * Applies the metric_relabel_configs of the job to a metric of a server.
     *
     * @return the labels of the metric, with its name as {@link #NAME}, or nothing if a rule drops the metric
     */
    static Optional<Map<String, String>> relabel(String metric)
            throws IOException
    {
        Map<String, String> labels = new HashMap<>();
        labels.put(NAME, metric);
        for (Yaml rule : trinoJob().children("metric_relabel_configs")) {
            String source = rule.texts("source_labels").stream().map(label -> labels.getOrDefault(label, "")).collect(joining(";"));
            Matcher matcher = Pattern.compile(rule.text("regex")).matcher(source);
            String action = rule.has("action") ? rule.text("action") : "replace";
            switch (action) {
                case "keep" -> {
                    if (!matcher.matches()) {
                        return Optional.empty();
                    }
                }
                case "replace" -> {
                    if (matcher.matches()) {
                        labels.put(rule.text("target_label"), matcher.replaceFirst(GROUP.matcher(rule.text("replacement")).replaceAll("\\$$1")));
                    }
                }
                default -> throw new IllegalArgumentException("This test does not know the action " + action);
            }
        }
        return Optional.of(ImmutableMap.copyOf(labels));
    }
}
