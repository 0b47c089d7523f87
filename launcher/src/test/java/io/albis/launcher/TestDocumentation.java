package io.albis.launcher;

import com.google.common.collect.ImmutableList;
import io.albis.launcher.server.Installation;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static java.util.Locale.ENGLISH;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the links of the documentation are valid and that its lines are short enough to read and compare.
 */
class TestDocumentation
{
    private static final Path REPOSITORY = Installation.current().repository();
    private static final Pattern CODE_BLOCK = Pattern.compile("(?ms)^ *```.*?^ *```$");
    private static final Pattern LINK = Pattern.compile("\\[[^]]*]\\((?<target>[^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (?<text>.*)$");
    // a report repeats its command in one line
    private static final String REPORTED_COMMAND = "- command: ";
    private static final int LINE_LENGTH = 120;

    @Test
    void testLinks()
            throws IOException
    {
        ImmutableList.Builder<String> broken = ImmutableList.builder();
        for (Path page : pages()) {
            for (String target : LINK.matcher(prose(page)).results().map(link -> link.group("target")).collect(toImmutableList())) {
                if (!target.startsWith("https://") && !exists(page, target)) {
                    broken.add(REPOSITORY.relativize(page) + ": " + target);
                }
            }
        }
        assertThat(broken.build()).isEmpty();
    }

    /**
     * Tests the length of prose lines. Table rows may be longer, because they cannot be wrapped, and so may the lines
     * of reports, which a program writes.
     */
    @Test
    void testLineLength()
            throws IOException
    {
        ImmutableList.Builder<String> tooLong = ImmutableList.builder();
        List<Path> files = ImmutableList.<Path>builder().addAll(pages()).addAll(forms()).build();
        for (Path page : files) {
            if (page.startsWith(REPOSITORY.resolve("docs/results"))) {
                continue;
            }
            prose(page).lines()
                    .filter(line -> line.length() > LINE_LENGTH && !line.startsWith("|") && !line.startsWith(REPORTED_COMMAND))
                    .forEach(line -> tooLong.add(REPOSITORY.relativize(page) + ": " + line));
        }
        assertThat(tooLong.build()).isEmpty();
    }

    private static List<Path> pages()
            throws IOException
    {
        ImmutableList.Builder<Path> pages = ImmutableList.builder();
        for (String folder : new String[] {"", "docs", "docs/results", "docker", ".github"}) {
            try (Stream<Path> files = Files.list(REPOSITORY.resolve(folder))) {
                pages.addAll(files.filter(file -> file.toString().endsWith(".md")).sorted().iterator());
            }
        }
        List<Path> found = pages.build();
        assertThat(found).hasSizeGreaterThan(10);
        return found;
    }

    /**
     * Returns the forms of issues and the workflows on GitHub.
     */
    private static List<Path> forms()
            throws IOException
    {
        try (Stream<Path> files = Files.walk(REPOSITORY.resolve(".github"))) {
            List<Path> found = files.filter(file -> file.toString().endsWith(".yml")).sorted().collect(toImmutableList());
            assertThat(found).isNotEmpty();
            return found;
        }
    }

    private static boolean exists(Path page, String target)
            throws IOException
    {
        int anchor = target.indexOf('#');
        String path = anchor < 0 ? target : target.substring(0, anchor);
        Path file = path.isEmpty() ? page : page.resolveSibling(path).normalize();
        return Files.exists(file) && (anchor < 0 || anchors(file).contains(target.substring(anchor + 1)));
    }

    /**
     * Returns the anchors that GitHub generates for headings.
     */
    private static Set<String> anchors(Path page)
            throws IOException
    {
        return HEADING.matcher(prose(page)).results()
                .map((MatchResult heading) -> heading.group("text").toLowerCase(ENGLISH).replaceAll("[^\\w\\- ]", "").replace(' ', '-'))
                .collect(toImmutableSet());
    }

    private static String prose(Path page)
            throws IOException
    {
        return CODE_BLOCK.matcher(Files.readString(page)).replaceAll("");
    }
}
