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
import static java.nio.file.Files.exists;
import static java.nio.file.Files.list;
import static java.nio.file.Files.readString;
import static java.nio.file.Files.walk;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that each command, statement, and file in the pages is used by a test, as it is printed, or that there is a
 * reason why not. TestDocumentedPages and TestDocumentedStatements run the statements of the other pages.
 */
class TestDocumentedCommands
{
    private static final Path REPOSITORY = Installation.current().repository();
    private static final List<String> PAGES = ImmutableList.of(
            "CONTRIBUTING",
            "README",
            "benchmarks",
            "dbt",
            "docker/README",
            "hdfs",
            "installation",
            "monitoring",
            "operations",
            "placement",
            "s3",
            "security",
            "sizing");
    private static final Pattern BLOCK = Pattern.compile("(?m)(?:^ *<!-- (?<marker>.*) -->\n)?^ *```(?<language>\\w*)\n(?<text>(?s:.*?))^ *```$");
    private static final Set<String> LANGUAGES_OF_COMMANDS = ImmutableSet.of("bash", "properties", "yaml", "json", "dockerfile");
    private static final Pattern COMMAND = Pattern.compile("(?m)^ *(?:\\$ )?(?:bin/albis|curl|docker|helm|hdfs|java|kubectl|mvn|openssl|pip|python3?|rsync|trino|unzip) ");
    private static final Pattern MAVEN = Pattern.compile("\\bmvn -f build/pom.xml (?<arguments>.*)");
    private static final Pattern MODULE = Pattern.compile("-pl :albis-(?<module>[a-z0-9-]+)");
    private static final Pattern TEST = Pattern.compile("-Dtest=(?<test>\\w+)");
    private static final Pattern INLINE_COMMAND = Pattern.compile("`(?:bin/albis docker sizing|chmod|curl|docker|helm|hdfs|htpasswd|java|kubectl|openssl|rsync|trino|umask|unzip|aws|tar|run --rm) [^`\n]+`");
    private static final Set<String> READ_ALL_BLOCKS = ImmutableSet.of("SortedLoad", "TestDocumentedBenchmarks", "TestDocumentedPolicy");
    private static final String REASON = "not run: ";
    // These take minutes or hours. testMavenCommands compares them with the modules and the tests
    private static final String MAVEN_COMMANDS = TestDocumentedCommands.class.getSimpleName();

    /**
     * The class that uses a block, or the reason why none does.
     */
    private static final Map<String, String> TESTS = ImmutableMap.<String, String>builder()
            .put("CONTRIBUTING commands: test", "TestTestCommand")
            .put("CONTRIBUTING output: test", "TestTestCommand")
            .put("CONTRIBUTING commands: recorded answers", MAVEN_COMMANDS)
            .put("CONTRIBUTING commands: both compilers", MAVEN_COMMANDS)
            .put("CONTRIBUTING commands: whole suites", MAVEN_COMMANDS)
            .put("CONTRIBUTING commands: histories", MAVEN_COMMANDS)
            .put("CONTRIBUTING commands: faults of statements", MAVEN_COMMANDS)
            .put("CONTRIBUTING commands: fuzzing", MAVEN_COMMANDS)
            .put("README commands: demo", "TestSourceArchive")
            .put("README output: demo", "TestSourceArchive")
            .put("README commands: test", "TestTestCommand")
            .put("README session: queries", "TestSourceArchive")
            .put("README session: plan", "TestSourceArchive")
            .put("README session: metrics", "TestSourceArchive")
            .put("README session: changes", "TestSourceArchive")
            .put("README session: versions", "TestSourceArchive")
            .put("benchmarks commands: bench", "TestDocumentedBenchmarks")
            .put("benchmarks commands: tpcds", "TestDocumentedBenchmarks")
            .put("benchmarks commands: all", "TestDocumentedBenchmarks")
            .put("benchmarks arguments: server processes", "TestDocumentedBenchmarks")
            .put("benchmarks arguments: few rows", "TestDocumentedBenchmarks")
            .put("benchmarks arguments: thresholds", "TestDocumentedBenchmarks")
            .put("benchmarks arguments: buckets", "TestDocumentedBenchmarks")
            .put("benchmarks arguments: plans", "TestDocumentedBenchmarks")
            .put("benchmarks arguments: first split", "TestDocumentedBenchmarks")
            .put("benchmarks arguments: topn", "TestDocumentedBenchmarks")
            .put("benchmarks arguments: tpch", "TestDocumentedBenchmarks")
            .put("benchmarks arguments: clickbench", "TestDocumentedBenchmarks")
            .put("benchmarks arguments: changes", "TestDocumentedBenchmarks")
            .put("benchmarks arguments: deleted rows", "TestDocumentedBenchmarks")
            .put("benchmarks arguments: commits", "TestDocumentedBenchmarks")
            .put("benchmarks arguments: mixed", "TestDocumentedBenchmarks")
            .put("benchmarks commands: docs", "TestDocumentedBenchmarks")
            .put("benchmarks arguments: concurrency", "TestDocumentedBenchmarks")
            .put("benchmarks arguments: objects", "TestDocumentedBenchmarks")
            .put("benchmarks arguments: slices", "TestDocumentedBenchmarks")
            .put("benchmarks arguments: join", "TestDocumentedBenchmarks")
            .put("benchmarks arguments: cif", "TestDocumentedBenchmarks")
            .put("benchmarks commands: regression check", REASON + "it takes minutes. TestPaperBenchmarks runs a minimum of it")
            .put("benchmarks commands: NameNode and DataNode", REASON + "its ports are fixed. TestingHdfs starts the same program")
            .put("benchmarks arguments: hdfs", "TestDocumentedBenchmarks")
            .put("benchmarks commands: co-location", REASON + "it builds the modules. TestCoLocation starts the same programs")
            .put("benchmarks arguments: co-location", "TestDocumentedBenchmarks")
            .put("benchmarks arguments: queries on HDFS", "TestDocumentedBenchmarks")
            .put("benchmarks commands: S3", "TestDocumentedStorage")
            .put("benchmarks arguments: queries on S3", "TestDocumentedBenchmarks")
            .put("benchmarks arguments: disk", "TestDocumentedBenchmarks")
            .put("benchmarks statements: one row", REASON + "it creates 100 million rows. TestOneRowRequests has one of their row groups")
            .put("benchmarks commands: lookup", "TestDocumentedBenchmarks")
            .put("benchmarks commands: machine", "TestDocumentedBenchmarks")
            .put("benchmarks commands: estimates", MAVEN_COMMANDS)
            .put("benchmarks commands: manifests", MAVEN_COMMANDS)
            .put("benchmarks commands: planning", MAVEN_COMMANDS)
            .put("dbt commands: install", "TestingPython")
            .put("dbt profile: shop", "TestDbt")
            .put("dbt project: settings", "TestDbt")
            .put("dbt model: properties", "TestDbt")
            .put("dbt project: replace", "TestDbt")
            .put("dbt model: merge", "TestDbt")
            .put("dbt model: expire", "TestDbt")
            .put("docker/README commands: up", "TestDocumentedContainers")
            .put("docker/README output: up", "TestDocumentedContainers")
            .put("docker/README commands: tpcds", "TestDocumentedContainers")
            .put("docker/README output: tpcds", "TestDocumentedContainers")
            .put("docker/README session: sql", "TestDocumentedContainers")
            .put("docker/README session: hdfs", "TestDocumentedContainers")
            .put("docker/README session: down", "TestDocumentedContainers")
            .put("docker/README settings: disks", "TestDockerSettings")
            .put("docker/README commands: local", "TestDocumentedContainers")
            .put("docker/README session: local", "TestDocumentedContainers")
            .put("docker/README commands: compose", "TestDocumentedContainers")
            .put("docker/README commands: images", "TestDocumentedContainers")
            .put("docker/README commands: plain compose", "TestDocumentedContainers")
            .put("docker/README commands: test", REASON + "it runs these tests")
            .put("hdfs properties: catalog", "TestDocumentedInstallation")
            .put("hdfs commands: folder of a user", "TestDocumentedInstallation")
            .put("hdfs commands: folder of a group", "TestDocumentedInstallation")
            .put("hdfs commands: access control list", "TestDocumentedInstallation")
            .put("hdfs properties: Kerberos", REASON + "Albis is not tested with Kerberos")
            .put("installation image: trino", "TestDocumentedImage")
            .put("installation commands: build", "TestDocumentedImage")
            .put("installation commands: push", REASON + "it needs a registry")
            .put("installation commands: run", "TestDocumentedImage")
            .put("installation properties: image", "TestDocumentedImage")
            .put("installation values: helm", "TestDocumentedValues")
            .put("installation commands: kubernetes secret", "TestDocumentedValues")
            .put("installation commands: kubernetes secrets of users", "TestDocumentedValues")
            .put("installation values: secured", "TestDocumentedValues")
            .put("installation commands: helm pull", REASON + "it needs Helm and Kubernetes")
            .put("installation commands: pack", "TestMavenOfBuild")
            .put("installation settings: mirror", "TestMavenOfBuild")
            .put("installation commands: helm", REASON + "it needs Kubernetes")
            .put("installation commands: helm upgrade", REASON + "it needs Kubernetes")
            .put("installation commands: copy", "TestDocumentedImage")
            .put("installation commands: offline", "TestOfflineBuild")
            .put("monitoring properties: metrics", "TestMonitoring")
            .put("monitoring commands: metrics", "TestMonitoring")
            .put("monitoring commands: metrics of a secured coordinator", "TestSecuredCluster")
            .put("monitoring job: coordinator", "TestSecuredCluster")
            .put("monitoring job: kubernetes", "TestPrometheus")
            .put("monitoring statements: jmx", REASON + "the connector jmx is not on Maven Central")
            .put("operations commands: install", "DocumentedOperations")
            .put("operations statements: check", "TestDocumentedInstallation")
            .put("operations properties: local", "TestDocumentedInstallation")
            .put("operations properties: hdfs", "TestDocumentedInstallation")
            .put("operations properties: s3", "TestDocumentedInstallation")
            .put("operations commands: sizing", "TestSourceArchive")
            .put("operations statements: sorted load", "SortedLoad")
            .put("operations statements: load by range", "SortedLoad")
            .put("operations statements: explain", "SortedLoad")
            .put("operations commands: import dry run", "TestTableImport")
            .put("operations output: import dry run", "TestTableImport")
            .put("operations commands: import", "TestTableImport")
            .put("operations output: import", "TestTableImport")
            .put("operations script: backup", "TestOperationsScripts")
            .put("operations script: backup on S3", "TestDocumentedBackup")
            .put("operations commands: allow snapshots", "TestDocumentedInstallation")
            .put("operations commands: snapshot", "TestDocumentedInstallation")
            .put("operations commands: restore", "DocumentedOperations")
            .put("operations commands: restore on S3", "TestDocumentedBackup")
            .put("operations commands: restore on HDFS", "TestDocumentedInstallation")
            .put("operations statements: restored", "DocumentedOperations")
            .put("operations commands: upgrade", "DocumentedOperations")
            .put("operations commands: go back", "DocumentedOperations")
            .put("placement property: policy", "TestDocumentedPolicy")
            .put("placement commands: placement", "TestDocumentedContainers")
            .put("s3 properties: catalog", "TestDocumentedInstallation")
            .put("security properties: coordinator", "TestingSecuredCluster")
            .put("security properties: worker", "TestingSecuredCluster")
            .put("security commands: certificate", "TestingCredentials")
            .put("security commands: secret", "TestingSecuredCluster")
            .put("security properties: passwords", "TestDocumentedPasswords")
            .put("security commands: passwords", "TestDocumentedPasswords")
            .put("security properties: access control of the server", "TestingSecuredCluster")
            .put("security rules: server", "TestingSecuredCluster")
            .put("security properties: access control of the catalog", "TestingSecuredCluster")
            .put("security rules: catalog", "TestingSecuredCluster")
            .put("security properties: access control of workers", "TestRulesOfWorkers")
            .put("security rules: workers", "TestRulesOfWorkers")
            .put("security commands: shut down", "TestRulesOfWorkers")
            .put("security policy: s3", "TestS3Policy")
            .put("security commands: hdfs", "TestDocumentedInstallation")
            .put("security properties: secrets", "TestDocumentedInstallation")
            .put("security settings: environment", "TestDocumentedInstallation")
            .put("security commands: start", "TestingSecuredCluster")
            .put("security commands: log in", "TestSecuredCluster")
            .put("security commands: folder", "TestingSecuredCluster")
            .put("security commands: refused", "TestSecuredCluster")
            .put("sizing commands: s3proxy", "TestDocumentedStorage")
            .put("sizing properties: s3proxy", "TestDocumentedInstallation")
            .buildOrThrow();
    private static final Set<String> INLINE_COMMANDS = ImmutableSet.of(
            // bin/albis docker runs this command, and says what is missing
            "`docker compose version`",
            // The name of a tool
            "`hdfs fsck`",
            // TestDocumentedContainers
            "`bin/albis docker sizing --scale tiny`",
            // TestDocumentedContainers
            "`run --rm namenode format`",
            // They remove images that other checkouts may need
            "`docker rmi NAME`",
            "`docker image prune`",
            // What not to do
            "`kubectl scale`",
            "`helm upgrade`",
            // The block before it has this command
            "`helm install`",
            // A setting of the process that runs Trino
            "`umask 077`",
            // It only frees space
            "`hdfs dfs -deleteSnapshot /warehouse monday`",
            // A measurement, which needs an idle machine
            "`java io.albis.table.DurabilityCost <empty folder> 25`");

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
     * Tests that the other pages have statements and output only.
     */
    @Test
    void testOtherPages()
            throws IOException
    {
        int blocks = 0;
        try (Stream<Path> files = list(REPOSITORY.resolve("docs"))) {
            for (Path page : files.filter(file -> file.toString().endsWith(".md")).sorted().toList()) {
                if (PAGES.contains(page.getFileName().toString().replace(".md", ""))) {
                    continue;
                }
                for (MatchResult block : BLOCK.matcher(readString(page)).results().toList()) {
                    if ("script: daily".equals(block.group("marker"))) {
                        assertThat(readString(tests().get("TestMaintenanceScript"))).contains("docs/maintenance.md", block.group("marker"));
                        continue;
                    }
                    assertThat(block.group("language")).as("%s: %s", page, block.group()).isNotIn(LANGUAGES_OF_COMMANDS);
                    assertThat(COMMAND.matcher(block.group("text")).find()).as("%s: %s", page, block.group()).isFalse();
                    blocks++;
                }
            }
        }
        assertThat(blocks).isGreaterThan(20);
    }

    /**
     * Tests that the modules and the tests of Maven commands exist.
     */
    @Test
    void testMavenCommands()
            throws IOException
    {
        Set<String> tests = tests().keySet();
        String modules = readString(REPOSITORY.resolve("build/pom.xml"));
        int commands = 0;
        try (Stream<Path> files = Stream.concat(list(REPOSITORY), list(REPOSITORY.resolve("docs")))) {
            for (Path page : files.filter(file -> file.toString().endsWith(".md")).sorted().toList()) {
                for (MatchResult command : MAVEN.matcher(readString(page)).results().toList()) {
                    commands++;
                    String arguments = command.group("arguments");
                    // The plugin is the module in the root of the repository
                    MODULE.matcher(arguments).results()
                            .map(module -> module.group("module").equals("trino") ? ".." : "../" + module.group("module"))
                            .forEach(folder -> assertThat(modules).as("%s: %s", page, arguments).contains("<module>%s</module>".formatted(folder)));
                    TEST.matcher(arguments).results().forEach(test -> assertThat(tests).as("%s: %s", page, arguments).contains(test.group("test")));
                }
            }
        }
        assertThat(commands).isGreaterThan(8);
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
            Path page = page(block.getKey().substring(0, block.getKey().indexOf(' ')));
            if (!block.getValue().equals(MAVEN_COMMANDS)) {
                String test = readString(tests.get(block.getValue()));
                assertThat(test).as(block.getKey()).contains(REPOSITORY.relativize(page).toString());
                String marker = block.getKey().substring(block.getKey().indexOf(' ') + 1);
                String name = marker.substring(marker.indexOf(": ") + 2);
                // Some tests read all blocks of a kind
                assertThat(READ_ALL_BLOCKS.contains(block.getValue()) || test.contains(marker) || test.contains("\"%s\"".formatted(name))).as("%s reads %s", block.getValue(), block.getKey()).isTrue();
            }
        }
    }

    private static Path page(String name)
    {
        Path page = REPOSITORY.resolve("docs").resolve(name + ".md");
        return exists(page) ? page : REPOSITORY.resolve(name + ".md");
    }

    private static Map<String, Path> tests()
            throws IOException
    {
        ImmutableList.Builder<Path> files = ImmutableList.builder();
        for (String folder : ImmutableList.of("src/test/java", "launcher/src/test/java", "benchmarks/src/test/java", "placement/src/test/java")) {
            try (Stream<Path> found = walk(REPOSITORY.resolve(folder))) {
                files.addAll(found.filter(file -> file.toString().endsWith(".java") && !file.endsWith("package-info.java")).collect(toImmutableList()));
            }
        }
        return files.build().stream().collect(toImmutableMap(file -> file.getFileName().toString().replace(".java", ""), file -> file, (first, _) -> first));
    }
}
