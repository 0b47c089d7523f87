package io.albis.launcher.server;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Extracts the relevant part of the log of a server that failed to start.
 */
final class LogExcerpt
{
    private static final int LINES = 20;
    private static final Pattern COLOR = Pattern.compile("\u001B\\[[0-9;]*m");
    // The format in which Guice and Airlift list configuration errors
    private static final Pattern NUMBERED_ERROR = Pattern.compile("\\d+\\) (?<error>.*)");

    private LogExcerpt() {}

    /**
     * Returns the configuration errors if there are any, otherwise the last lines of the log. Colors and stack traces
     * are removed.
     */
    static String of(String log)
    {
        List<String> lines = COLOR.matcher(log).replaceAll("").lines()
                .filter(line -> !line.isBlank() && !line.startsWith("\tat "))
                .toList();
        List<String> errors = lines.stream()
                .map(NUMBERED_ERROR::matcher)
                .filter(Matcher::matches)
                .map(matcher -> matcher.group("error"))
                // Two modules that require the same binding report the same error twice
                .distinct()
                .toList();
        if (!errors.isEmpty()) {
            return String.join("\n", errors);
        }
        return String.join("\n", lines.subList(Math.max(0, lines.size() - LINES), lines.size()));
    }
}
