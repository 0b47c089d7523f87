package io.albis.format;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import javax.tools.ToolProvider;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The program in docs/java-api.md compiles and prints the documented output.
 */
final class TestDocumentedExample
{
    @TempDir
    Path folder;

    @Test
    void testExample()
            throws Exception
    {
        String page = Files.readString(Path.of("docs/java-api.md"));
        Path source = Files.writeString(folder.resolve("Example.java"), block(page, "java"));
        ByteArrayOutputStream messages = new ByteArrayOutputStream();
        int status = ToolProvider.getSystemJavaCompiler().run(null, messages, messages, "-proc:none", "-d", folder.toString(), "-cp", classPath(), source.toString());
        assertThat(status).as(messages.toString(UTF_8)).isZero();

        ByteArrayOutputStream output = new ByteArrayOutputStream();
        PrintStream standardOutput = System.out;
        try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()}, getClass().getClassLoader())) {
            System.setOut(new PrintStream(output, true, UTF_8));
            loader.loadClass("Example").getMethod("main", String[].class).invoke(null, (Object) new String[] {folder.resolve("rows").toString()});
        }
        finally {
            System.setOut(standardOutput);
        }
        assertThat(output.toString(UTF_8)).isEqualTo(block(page.substring(page.indexOf("It prints:")), ""));
    }

    private static String block(String text, String language)
    {
        Matcher matcher = Pattern.compile("```" + language + "\n(?<block>.*?)```", Pattern.DOTALL).matcher(text);
        assertThat(matcher.find()).isTrue();
        return matcher.group("block");
    }

    // Surefire may pass the class path in the manifest of a jar. In that case, this property contains it.
    private static String classPath()
    {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }
}
