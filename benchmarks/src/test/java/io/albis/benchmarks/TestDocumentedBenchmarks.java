package io.albis.benchmarks;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.format.jmh.MachineBenchmark;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.annotations.Param;
import picocli.CommandLine.ParseResult;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the benchmarks accept the arguments in docs/benchmarks.md. They take hours, so no test runs them as
 * printed.
 */
class TestDocumentedBenchmarks
{
    // The build runs the tests in the directory benchmarks/
    private static final Path REPOSITORY = Files.exists(Path.of("docs")) ? Path.of("") : Path.of("..");
    private static final Pattern BLOCK = Pattern.compile("(?m)^```(?:bash|text)\n(?<text>(?s:.*?))^```$");
    private static final Pattern BENCHMARK = Pattern.compile("(?m)io\\.albis\\.benchmarks\\.Benchmarks (?<arguments>.*)$");
    private static final Pattern SCRIPT = Pattern.compile("(?m)^bin/albis bench (?<names>[^-\n].*)$");
    private static final Pattern JMH = Pattern.compile("(?m)org\\.openjdk\\.jmh\\.Main (?<benchmark>\\w+) .*$");
    private static final Pattern JMH_PARAMETER = Pattern.compile(" -p (?<name>\\w+)=(?<values>\\S+)");
    private static final Pattern OPTIONS = Pattern.compile("java @(?<file>\\S+)");
    private static final Pattern NOT_MEASURED = Pattern.compile("(?m)^No report has figures of (?<names>(?s:.*?))\\.$");
    private static final Pattern NAME = Pattern.compile("`(?<name>[^`]+)`");
    private static final Splitter ARGUMENTS = Splitter.on(' ').omitEmptyStrings();

    @Test
    void testArguments()
            throws IOException
    {
        List<MatchResult> benchmarks = find(BENCHMARK);
        assertThat(benchmarks).hasSizeGreaterThan(10);
        for (MatchResult benchmark : benchmarks) {
            List<String> arguments = ARGUMENTS.splitToList(benchmark.group("arguments"));
            ParseResult result = Benchmarks.commandLine().parseArgs(arguments.toArray(String[]::new));
            assertThat(result.hasSubcommand()).as(arguments.toString()).isTrue();
            assertThat(result.subcommand().commandSpec().name()).isEqualTo(arguments.getFirst());
        }
    }

    /**
     * Tests that the names that are given to bin/albis bench are those of benchmarks.
     */
    @Test
    void testNames()
            throws IOException
    {
        List<MatchResult> scripts = find(SCRIPT);
        assertThat(scripts).isNotEmpty();
        for (MatchResult script : scripts) {
            ParseResult result = Benchmarks.commandLine().parseArgs("all", "--pieces", script.group("names").replace(' ', ','), "--data", "data", "--output", "report.md");
            assertThat(result.subcommand().matchedOption("--pieces").stringValues()).as(script.group()).isNotEmpty();
        }
    }

    /**
     * Tests that the page names exactly those benchmarks that have no report.
     */
    @Test
    void testBenchmarksWithoutReport()
            throws IOException
    {
        List<String> reports;
        try (Stream<Path> files = Files.list(REPOSITORY.resolve("docs/results"))) {
            reports = files.map(file -> file.getFileName().toString())
                    .filter(file -> file.endsWith(".json"))
                    .map(file -> file.replace(".json", ""))
                    .toList();
        }
        List<String> missing = Stream.concat(Arrays.stream(Piece.values()).map(Piece::toString), Piece.ALONE.keySet().stream())
                .filter(name -> reports.stream().noneMatch(report -> report.equals(name) || report.startsWith(name + "-")))
                .toList();
        Matcher list = NOT_MEASURED.matcher(Files.readString(REPOSITORY.resolve("docs/benchmarks.md")));
        assertThat(list.find()).isTrue();
        assertThat(NAME.matcher(list.group("names")).results().map(name -> name.group("name"))).containsExactlyInAnyOrderElementsOf(missing);
    }

    @Test
    void testOptionsOfTheVirtualMachine()
            throws IOException
    {
        assertThat(find(OPTIONS)).isNotEmpty().allSatisfy(options -> assertThat(REPOSITORY.resolve(options.group("file"))).isRegularFile());
    }

    @Test
    void testMachineBenchmark()
            throws IOException, ReflectiveOperationException
    {
        List<MatchResult> benchmarks = find(JMH);
        assertThat(benchmarks).hasSize(1);
        assertThat(benchmarks.getFirst().group("benchmark")).isEqualTo(MachineBenchmark.class.getSimpleName());
        List<MatchResult> parameters = JMH_PARAMETER.matcher(benchmarks.getFirst().group()).results().toList();
        assertThat(parameters).hasSize(2);
        for (MatchResult parameter : parameters) {
            Field field = MachineBenchmark.class.getField(parameter.group("name"));
            assertThat(field.isAnnotationPresent(Param.class)).as(field.toString()).isTrue();
            if (field.getType().isEnum()) {
                List<String> constants = ImmutableList.copyOf(field.getType().getEnumConstants()).stream().map(Object::toString).toList();
                assertThat(constants).containsAll(Splitter.on(',').split(parameter.group("values")));
            }
        }
    }

    /**
     * Finds a pattern in the commands of the page, whose lines end with a backslash if they continue.
     */
    private static List<MatchResult> find(Pattern pattern)
            throws IOException
    {
        String page = Files.readString(REPOSITORY.resolve("docs/benchmarks.md"));
        return BLOCK.matcher(page).results()
                .map(block -> block.group("text").replaceAll("\\\\\n *", ""))
                .flatMap(text -> pattern.matcher(text).results())
                .toList();
    }
}
