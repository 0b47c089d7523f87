package io.albis.launcher.tpcds;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

import static java.util.stream.Collectors.joining;

/**
 * Formats the query results as a text table.
 */
public final class ResultTable
{
    private ResultTable() {}

    public static String format(List<QueryResult> results)
    {
        return "query        rows    seconds\n" +
                results.stream()
                        .map(result -> line(result) + "\n")
                        .collect(joining()) +
                summary(results);
    }

    static String line(QueryResult result)
    {
        String rows = result.isAnswered() ? Long.toString(result.rows()) : "-";
        String failure = result.failure()
                .map(value -> "   " + (value.expected() ? "" : "FAILED: ") + value.message())
                .orElse("");
        return String.format(Locale.ENGLISH, "%-5s %11s %10s%s", QueryText.name(result.number()), rows, seconds(result.elapsed()), failure);
    }

    static String summary(List<QueryResult> results)
    {
        long answered = results.stream().filter(QueryResult::isAnswered).count();
        long failed = results.stream().filter(QueryResult::isUnexpected).count();
        Duration elapsed = results.stream().map(QueryResult::elapsed).reduce(Duration.ZERO, Duration::plus);
        return "%s %s in %s seconds: %s answered, %s with the expected error, %s failed".formatted(
                results.size(),
                results.size() == 1 ? "query" : "queries",
                seconds(elapsed),
                answered,
                results.size() - answered - failed,
                failed);
    }

    static String seconds(Duration duration)
    {
        return String.format(Locale.ENGLISH, "%.2f", duration.toMillis() / 1000.0);
    }
}
