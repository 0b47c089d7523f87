package io.albis.examples;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.Files.readString;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the example runs with the plugin's jar, and that docs/java-api.md contains the program and its output.
 */
final class TestExample
{
    @TempDir
    Path folder;

    @Test
    void testOutput()
            throws IOException
    {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        PrintStream standardOutput = System.out;
        try {
            System.setOut(new PrintStream(output, true, UTF_8));
            Example.main(new String[] {folder.resolve("rows").toString()});
        }
        finally {
            System.setOut(standardOutput);
        }
        String page = page();
        assertThat(output.toString(UTF_8)).isEqualTo(block(page.substring(page.indexOf("It prints:")), ""));
    }

    @Test
    void testDocumentedProgram()
            throws IOException
    {
        String source = readString(Path.of("src/main/java/io/albis/examples/Example.java"));
        assertThat("package io.albis.examples;\n\n" + block(page(), "java")).isEqualTo(source);
    }

    private static String page()
            throws IOException
    {
        return readString(Path.of("../docs/java-api.md"));
    }

    private static String block(String text, String language)
    {
        Matcher matcher = Pattern.compile("```" + language + "\n(?<block>.*?)```", Pattern.DOTALL).matcher(text);
        assertThat(matcher.find()).isTrue();
        return matcher.group("block");
    }
}
