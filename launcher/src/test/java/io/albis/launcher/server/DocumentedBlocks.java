package io.albis.launcher.server;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.nio.file.Files.readString;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Reads marked code blocks of the documentation, so that tests use exactly what users read.
 */
public final class DocumentedBlocks
{
    private DocumentedBlocks() {}

    public static String text(String page, String marker, String language)
            throws IOException
    {
        String text = readString(Installation.current().repository().resolve(page));
        // A block in a list is indented
        Matcher block = Pattern.compile("(?ms)^(?<indentation> *)<!-- %s -->\n *```%s\n(?<text>.*?)^ *```$".formatted(Pattern.quote(marker), language)).matcher(text);
        assertThat(block.find()).as("%s: %s", page, marker).isTrue();
        String found = block.group("text").replaceAll("(?m)^" + block.group("indentation"), "");
        assertThat(block.find()).as("another block in %s: %s", page, marker).isFalse();
        return found;
    }

    static Map<String, String> properties(String page, String marker)
            throws IOException
    {
        return new PropertiesText(text(page, marker, "properties")).properties();
    }

    static List<String> statements(String page, String marker)
            throws IOException
    {
        return Pattern.compile(";\n").splitAsStream(text(page, marker, "sql")).map(String::strip).collect(toImmutableList());
    }

    /**
     * Returns a command that runs a block of commands with bash, which ends at the first error.
     *
     * @param replacements pairs of a text of the block, such as a folder or an address, and the text that a test uses
     *         instead
     */
    static TestingCommand commands(String page, String marker, String... replacements)
            throws IOException
    {
        String commands = text(page, marker, "bash");
        for (int i = 0; i < replacements.length; i += 2) {
            assertThat(commands).contains(replacements[i]);
            commands = commands.replace(replacements[i], replacements[i + 1]);
        }
        return TestingCommand.of("bash", "-euo", "pipefail", "-c", commands);
    }
}
