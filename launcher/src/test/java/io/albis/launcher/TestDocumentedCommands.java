package io.albis.launcher;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.albis.launcher.server.Installation;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static java.nio.file.Files.readString;
import static java.nio.file.Files.walk;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that each command, statement, and file in the pages for operators is used by a test, as it is printed, or that
 * there is a reason why not.
 */
class TestDocumentedCommands
{
    private static final Path REPOSITORY = Installation.current().repository();
    private static final List<String> PAGES = ImmutableList.of("installation", "monitoring", "operations", "security");
    private static final Pattern BLOCK = Pattern.compile("(?m)(?:^ *<!-- (?<marker>.*) -->\n)?^ *```(?<language>\\w*)\n(?<text>(?s:.*?))^ *```$");
    private static final Pattern INLINE_COMMAND = Pattern.compile("`(?:curl|docker|helm|hdfs|htpasswd|java|kubectl|openssl|rsync|trino|unzip) [^`\n]+`");
    private static final String REASON = "not run: ";

    /**
     * The class that uses a block, or the reason why none does.
     */
    private static final Map<String, String> TESTS = ImmutableMap.<String, String>builder()
            .put("installation image: trino", "TestDocumentedImage")
            .put("installation commands: build", "TestDocumentedImage")
            .put("installation commands: push", REASON + "it needs a registry")
            .put("installation commands: run", "TestDocumentedImage")
            .put("installation properties: image", "TestDocumentedImage")
            .put("installation values: helm", REASON + "it needs Kubernetes")
            .put("installation commands: helm", REASON + "it needs Kubernetes")
            .put("installation commands: helm upgrade", REASON + "it needs Kubernetes")
            .put("installation commands: copy", "TestDocumentedImage")
            .put("installation commands: offline", "TestBuildCommand")
            .put("monitoring properties: metrics", "TestMonitoring")
            .put("monitoring commands: metrics", "TestMonitoring")
            .put("monitoring statements: jmx", REASON + "the connector jmx is not on Maven Central")
            .put("operations commands: install", "TestDocumentedInstallation")
            .put("operations statements: check", "TestDocumentedInstallation")
            .put("operations properties: local", "TestDocumentedInstallation")
            .put("operations properties: hdfs", "TestDocumentedInstallation")
            .put("operations properties: s3", "TestDocumentedInstallation")
            .put("operations commands: sizing", "TestLauncher")
            .put("operations statements: sorted load", "SortedLoad")
            .put("operations statements: load by range", "SortedLoad")
            .put("operations statements: explain", "SortedLoad")
            .put("operations commands: import dry run", "TestTableImport")
            .put("operations output: import dry run", "TestTableImport")
            .put("operations commands: import", "TestTableImport")
            .put("operations output: import", "TestTableImport")
            .put("operations script: backup", "TestOperationsScripts")
            .put("operations statements: restored", "TestDocumentedInstallation")
            .put("operations commands: upgrade", "TestDocumentedInstallation")
            .put("security properties: coordinator", "TestSecuredCluster")
            .put("security properties: worker", "TestSecuredCluster")
            .put("security commands: secret", "TestSecuredCluster")
            .put("security properties: passwords", REASON + "the plugin for passwords is not on Maven Central")
            .put("security commands: passwords", REASON + "the plugin for passwords is not on Maven Central")
            .put("security properties: access control of the server", "TestSecuredCluster")
            .put("security rules: server", "TestSecuredCluster")
            .put("security properties: access control of the catalog", "TestSecuredCluster")
            .put("security rules: catalog", "TestSecuredCluster")
            .put("security policy: s3", REASON + "it needs Amazon S3")
            .put("security commands: hdfs", "TestDocumentedInstallation")
            .put("security properties: secrets", "TestDocumentedInstallation")
            .put("security commands: refused", "TestSecuredCluster")
            .buildOrThrow();
    private static final Set<String> INLINE_COMMANDS = ImmutableSet.of(
            // The name of a tool
            "`hdfs fsck`",
            // A measurement, which needs an idle machine
            "`java io.albis.table.DurabilityCost <empty folder> 25`",
            // The plugin for passwords is not on Maven Central
            "`trino --server https://coordinator:8443 --user alice --password`");

    @Test
    void testBlocks()
            throws IOException
    {
        ImmutableList.Builder<String> blocks = ImmutableList.builder();
        for (String page : PAGES) {
            for (MatchResult block : BLOCK.matcher(readString(page(page))).results().toList()) {
                assertThat(block.group("marker")).as("%s: the marker of: %s", page, block.group("text")).isNotNull();
                assertThat(block.group("language")).as("%s: the language of: %s", page, block.group("text")).isNotEmpty();
                blocks.add(page + " " + block.group("marker"));
            }
        }
        assertThat(blocks.build()).containsExactlyInAnyOrderElementsOf(TESTS.keySet());
    }

    /**
     * Tests that no command hides in a sentence.
     */
    @Test
    void testSentences()
            throws IOException
    {
        ImmutableList.Builder<String> commands = ImmutableList.builder();
        for (String page : PAGES) {
            INLINE_COMMAND.matcher(readString(page(page))).results().map(MatchResult::group).forEach(commands::add);
        }
        assertThat(commands.build()).containsExactlyInAnyOrderElementsOf(INLINE_COMMANDS);
    }

    @Test
    void testTestsReadTheirBlocks()
            throws IOException
    {
        Map<String, Path> tests = tests();
        for (Map.Entry<String, String> block : TESTS.entrySet()) {
            if (block.getValue().startsWith(REASON)) {
                continue;
            }
            assertThat(tests).containsKey(block.getValue());
            String page = "docs/%s.md".formatted(block.getKey().substring(0, block.getKey().indexOf(' ')));
            assertThat(readString(tests.get(block.getValue()))).as(block.getKey()).contains(page);
        }
    }

    private static Path page(String name)
    {
        return REPOSITORY.resolve("docs").resolve(name + ".md");
    }

    private static Map<String, Path> tests()
            throws IOException
    {
        ImmutableList.Builder<Path> files = ImmutableList.builder();
        for (String folder : ImmutableList.of("src/test/java", "launcher/src/test/java")) {
            try (Stream<Path> found = walk(REPOSITORY.resolve(folder))) {
                files.addAll(found.filter(file -> file.toString().endsWith(".java") && !file.endsWith("package-info.java")).collect(toImmutableList()));
            }
        }
        return files.build().stream().collect(toImmutableMap(file -> file.getFileName().toString().replace(".java", ""), file -> file, (first, _) -> first));
    }
}
