package io.albis.launcher.server;

import com.google.common.collect.ImmutableList;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Commands of a documented session, and what they print. A line with three dots stands for any number of lines.
 */
record DocumentedSession(List<Step> steps)
{
    private static final String ANY_LINES = "...";

    DocumentedSession
    {
        steps = ImmutableList.copyOf(steps);
    }

    /**
     * A command and the lines that it prints.
     */
    record Step(String command, List<String> output)
    {
        Step
        {
            requireNonNull(command, "command is null");
            output = ImmutableList.copyOf(output);
        }
    }

    /**
     * Reads a session.
     *
     * @param prompt the text before each command, such as {@code "albis> "}
     * @param continuation the text before each further line of a command, such as {@code "    -> "}
     */
    static DocumentedSession parse(String text, String prompt, String continuation)
    {
        ImmutableList.Builder<Step> steps = ImmutableList.builder();
        String command = null;
        List<String> output = new ArrayList<>();
        for (String line : text.lines().map(String::stripTrailing).toList()) {
            if (line.startsWith(prompt)) {
                if (command != null) {
                    steps.add(new Step(command, output));
                }
                command = line.substring(prompt.length());
                output.clear();
            }
            else if (output.isEmpty() && line.startsWith(continuation)) {
                command += "\n" + line.substring(continuation.length());
            }
            else {
                output.add(line);
            }
        }
        steps.add(new Step(requireNonNull(command, "command is null"), output));
        return new DocumentedSession(steps.build());
    }

    /**
     * Checks that lines are those that the documentation shows.
     */
    static void assertShown(List<String> documented, String actual)
    {
        List<String> lines = actual.lines().map(String::stripTrailing).collect(toImmutableList());
        int position = 0;
        List<String> piece = new ArrayList<>();
        for (String line : ImmutableList.<String>builder().addAll(documented).add(ANY_LINES).build()) {
            if (!line.strip().equals(ANY_LINES)) {
                if (!line.isEmpty()) {
                    piece.add(line);
                }
                continue;
            }
            while (!startsWith(lines, position, piece)) {
                assertThat(position).as("%s in the rest of:\n%s", piece, actual).isLessThan(lines.size());
                position++;
            }
            position += piece.size();
            piece.clear();
        }
    }

    private static boolean startsWith(List<String> lines, int position, List<String> piece)
    {
        return position + piece.size() <= lines.size() && lines.subList(position, position + piece.size()).equals(piece);
    }

    /**
     * Checks that lines are those that the documentation shows, apart from their numbers and paths.
     */
    static void assertSimilar(List<String> documented, String actual)
    {
        assertShown(documented.stream().map(DocumentedSession::withoutNumbers).collect(toImmutableList()), withoutNumbers(actual));
    }

    /**
     * Checks that lines are those that the documentation shows, apart from their numbers and paths and from other lines
     * between them. A command that does not write to a terminal also says when a step begins.
     */
    static void assertSimilarSteps(List<String> documented, String actual)
    {
        assertSimilar(documented.stream().flatMap(line -> Stream.of(line, ANY_LINES)).collect(toImmutableList()), actual);
    }

    private static String withoutNumbers(String text)
    {
        return text
                .replaceAll("(/[\\w. -]+)+/", "PATH/")
                .replaceAll("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "ID")
                .replaceAll("\\d[\\d,.]*", "N")
                .replaceAll("[ \\t]+", " ");
    }
}
