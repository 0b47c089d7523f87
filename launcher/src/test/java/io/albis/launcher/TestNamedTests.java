package io.albis.launcher;

import com.google.common.collect.ImmutableList;
import io.albis.launcher.server.Installation;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The tests that the documentation names exist. The table of failures says which of them only {@code bin/albis test
 * --all} runs.
 */
final class TestNamedTests
{
    private static final Path REPOSITORY = Installation.current().repository();
    private static final Path FAILURES = REPOSITORY.resolve("docs/operations.md");
    private static final String HEADING = "## Failures and their tests";
    // `TestClass#method`, `TestClass`, or `#method` of the class before it, and the mark behind it
    private static final Pattern NAME = Pattern.compile("`(?<class>Test(?!ing|ed)[A-Za-z0-9]+)?(#(?<method>test[A-Za-z0-9]+))?`(?<mark>\\**)");
    private static final Pattern PARENT = Pattern.compile("\\sclass \\w+(<[^>]*>)?\\s+extends (?<parent>\\w+)");

    private final Map<String, String> sources = sources();

    private record NamedTest(String className, Optional<String> method, String mark)
    {
        @Override
        public String toString()
        {
            return className + method.map(name -> "#" + name).orElse("") + mark;
        }
    }

    @Test
    void testNamedTestsExist()
            throws IOException
    {
        try (Stream<Path> files = Files.list(REPOSITORY.resolve("docs"))) {
            for (Path page : files.filter(file -> file.toString().endsWith(".md")).sorted().toList()) {
                for (NamedTest test : namedTests(Files.readString(page))) {
                    assertThat(sources).as("%s names %s", page.getFileName(), test).containsKey(test.className());
                    test.method().ifPresent(method -> assertThat(declaration(test.className(), method)).as("%s names %s", page.getFileName(), test).isPresent());
                }
            }
        }
    }

    /**
     * A test with one asterisk is slow or needs a server, and a test with two asterisks needs a Docker engine.
     */
    @Test
    void testMarksOfTheTableOfFailures()
            throws IOException
    {
        String page = Files.readString(FAILURES);
        int start = page.indexOf(HEADING);
        assertThat(start).isPositive();
        List<NamedTest> tests = namedTests(page.substring(start));
        assertThat(tests).hasSizeGreaterThan(100);
        for (NamedTest test : tests) {
            assertThat(test.mark()).as(test.toString()).isEqualTo(expectedMark(test));
        }
    }

    private static List<NamedTest> namedTests(String text)
    {
        ImmutableList.Builder<NamedTest> tests = ImmutableList.builder();
        String className = null;
        Matcher matcher = NAME.matcher(text);
        while (matcher.find()) {
            Optional<String> method = Optional.ofNullable(matcher.group("method"));
            if (matcher.group("class") != null) {
                className = matcher.group("class");
            }
            else if (className == null || method.isEmpty()) {
                continue;
            }
            tests.add(new NamedTest(className, method, matcher.group("mark")));
        }
        return tests.build();
    }

    private String expectedMark(NamedTest test)
    {
        StringBuilder annotations = new StringBuilder();
        for (Optional<String> className = Optional.of(test.className()); className.isPresent(); className = parent(className.get())) {
            annotations.append(annotationsBefore(sources.get(className.get()), sources.get(className.get()).indexOf("class " + className.get())));
        }
        test.method().flatMap(method -> declaration(test.className(), method)).ifPresent(annotations::append);
        if (annotations.indexOf("@Tag(\"container\")") >= 0) {
            return "**";
        }
        return annotations.indexOf("@Tag(\"slow\")") >= 0 || annotations.indexOf("@Tag(\"server\")") >= 0 ? "*" : "";
    }

    /**
     * Returns the annotations of a test method, which its class or a class that it extends declares.
     */
    private Optional<String> declaration(String className, String method)
    {
        String source = sources.get(className);
        int position = source.indexOf(" void " + method + "(");
        if (position >= 0) {
            return Optional.of(annotationsBefore(source, position));
        }
        return parent(className).flatMap(parent -> declaration(parent, method));
    }

    private Optional<String> parent(String className)
    {
        Matcher matcher = PARENT.matcher(sources.get(className));
        return matcher.find() ? Optional.of(matcher.group("parent")).filter(sources::containsKey) : Optional.empty();
    }

    /**
     * Returns the lines before a declaration, back to the end of its comment or an empty line.
     */
    private static String annotationsBefore(String source, int position)
    {
        String before = source.substring(0, position);
        int emptyLine = before.lastIndexOf("\n\n");
        int comment = before.lastIndexOf("*/");
        return before.substring(Math.max(0, Math.max(emptyLine, comment)));
    }

    private static Map<String, String> sources()
    {
        try (Stream<Path> files = Files.walk(REPOSITORY)) {
            return files
                    .filter(file -> file.toString().endsWith(".java") && file.toString().contains("/src/test/java/"))
                    .filter(file -> !REPOSITORY.relativize(file).startsWith("target"))
                    .collect(toImmutableMap(file -> file.getFileName().toString().replace(".java", ""), TestNamedTests::read, (first, _) -> first));
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file)
    {
        try {
            return Files.readString(file);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
