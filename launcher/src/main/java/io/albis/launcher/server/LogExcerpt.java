package io.albis.launcher.server;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a person wants to see of the log of a server that did not start.
 */
final class LogExcerpt
{
    private static final int LINES = 20;
    private static final Pattern COLOR = Pattern.compile("\u001B\\[[0-9;]*m");
    // How Guice and Airlift list what is wrong with a configuration
    private static final Pattern NUMBERED_ERROR = Pattern.compile("\\d+\\) (?<error>.*)");

    private LogExcerpt() {}

    /**
     * The errors of the configuration if there are some, else the last lines; without colors and stack traces.
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
                // what two modules ask for is reported by both
                .distinct()
                .toList();
        if (!errors.isEmpty()) {
            return String.join("\n", errors);
        }
        return String.join("\n", lines.subList(Math.max(0, lines.size() - LINES), lines.size()));
    }
}
