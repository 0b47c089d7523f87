package io.albis.launcher.server;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.launcher.docker.DockerCondition;
import io.albis.launcher.server.DocumentedSession.Step;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static com.google.common.collect.Iterables.getOnlyElement;
import static java.nio.file.Files.readString;
import static java.util.Locale.ENGLISH;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs the commands of docker/README.md on a cluster with its own name, port, and folders.
 */
@Tag("container")
@ExtendWith(DockerCondition.class)
@Timeout(1800)
final class TestDocumentedContainers
{
    private static final String PAGE = "docker/README.md";
    private static final Path REPOSITORY = Installation.current().repository();
    private static final String PROJECT = "albis-documented-" + ProcessHandle.current().pid();
    private static final Pattern ROW_GROUP = Pattern.compile("(?m)(?<folder>/warehouse/\\S*/rg-[0-9a-f-]+)$");

    @TempDir
    Path home;

    private Map<String, String> environment;

    @BeforeEach
    void setUp()
            throws IOException
    {
        ImmutableMap.Builder<String, String> settings = ImmutableMap.<String, String>builder()
                .put("ALBIS_HOME", home.toString())
                .put("ALBIS_DOCKER_PROJECT", PROJECT)
                .put("ALBIS_PORT", Integer.toString(TestingNode.freeAddress().getPort()))
                .put("ALBIS_TRINO_HEAP", "768m")
                .put("ALBIS_WORKERS", "2")
                .put("ALBIS_LOCAL_WORKERS", "0");
        // bin/albis docker test exports the folders of the user
        for (String node : new String[] {"namenode", "datanode1", "datanode2", "datanode3", "local"}) {
            settings.put("ALBIS_%s_DATA".formatted(node.toUpperCase(ENGLISH)), home.resolve(node).toString());
        }
        environment = settings.buildOrThrow();
    }

    @AfterEach
    void removeContainers()
            throws IOException, InterruptedException
    {
        bash("bin/albis docker down");
        assertThat(run("commands: images", "albis-*", PROJECT + "-*")).contains(PROJECT);
        bash("docker rmi -f %1$s-hadoop %1$s-trino 2>/dev/null || true".formatted(PROJECT));
    }

    @Test
    void testHdfs()
            throws Exception
    {
        DocumentedSession.assertSimilarSteps(
                DocumentedBlocks.text(PAGE, "output: up", "text").lines()
                        // The images of the other tests have the same contents, so this step is done
                        .filter(line -> !line.startsWith("Unpacking the plugin"))
                        .toList(),
                run("commands: up"));
        String queries = run("commands: tpcds", "--scale tiny", "--scale tiny --queries 1,2,97-99");
        DocumentedSession.assertSimilarSteps(DocumentedBlocks.text(PAGE, "output: tpcds", "text").lines().toList(), queries);
        assertThat(queries).contains(" 0 failed");
        Step sql = onlyStep("session: sql");
        DocumentedSession.assertShown(sql.output(), bash(sql.command()));
        Step hdfs = onlyStep("session: hdfs");
        DocumentedSession.assertSimilarSteps(hdfs.output(), bash(hdfs.command()));
        checkPlacement();

        // It would not end
        String compose = run("commands: compose", " --follow", "");
        assertThat(compose).contains("coordinator", "SERVER STARTED");
        assertPlainComposeKeepsContainers();

        Step down = onlyStep("session: down");
        DocumentedSession.assertSimilarSteps(down.output(), bash(down.command()));
        assertThat(containers()).isEmpty();
    }

    /**
     * Runs the command of docs/placement.md in the container of the NameNode.
     */
    private void checkPlacement()
            throws IOException, InterruptedException
    {
        Matcher rowGroup = ROW_GROUP.matcher(bash("bin/albis docker hdfs dfs -ls -R /warehouse/tpcds_tiny"));
        assertThat(rowGroup.find()).isTrue();
        TestingCommand command = DocumentedBlocks.commands(
                "docs/placement.md",
                "commands: placement",
                "hdfs fsck",
                "bin/albis docker hdfs fsck",
                "/warehouse/shop/sales-0b1c.../6e/rg-6f0d...7e",
                rowGroup.group("folder"));
        assertThat(output(command)).contains("DatanodeInfoWithStorage[", "Status: HEALTHY");
    }

    /**
     * Tests that Docker Compose uses the containers of bin/albis if its environment has none of the settings.
     */
    private void assertPlainComposeKeepsContainers()
            throws IOException, InterruptedException
    {
        String before = containers();
        runPlainCompose("up -d");
        assertThat(containers()).isEqualTo(before);
    }

    /**
     * Runs the documented command of Docker Compose, with another last part.
     */
    private void runPlainCompose(String command)
            throws IOException, InterruptedException
    {
        boolean old = bash("docker compose version --short").matches("v?1\\.(?s:.*)");
        run("commands: plain compose",
                ".albis/docker.env",
                home.resolve("settings.env").toString(),
                "docker compose",
                "env -i PATH=\"$PATH\" HOME=\"$HOME\" docker compose",
                "-f docker/compose.yaml",
                old ? "-f .albis/compose.yaml --project-directory docker" : "-f docker/compose.yaml",
                "up -d",
                command);
    }

    /**
     * Tests that Docker Compose creates a file system in the folders that the build of the images has created.
     */
    @Test
    void testFormatWithPlainCompose()
            throws Exception
    {
        assertThat(readString(REPOSITORY.resolve(PAGE))).contains("`run --rm namenode format` instead of `up -d`");
        bash("bin/albis docker build");
        bash("bin/albis docker compose ps");
        runPlainCompose("run --rm namenode format");
        assertThat(home.resolve("namenode/current/VERSION")).exists();
        bash("bin/albis docker compose down");
    }

    @Test
    void testLocalFolder()
            throws Exception
    {
        List<Step> steps = session("session: local");
        assertThat(DocumentedBlocks.text(PAGE, "commands: local", "bash")).isEqualTo(steps.getFirst().command() + "\n");
        for (Step step : steps) {
            DocumentedSession.assertSimilarSteps(step.output(), bash(step.command()));
        }
    }

    /**
     * Tests the two workers that share a folder, and a measurement.
     */
    @Test
    void testWorkersOfLocalFolder()
            throws Exception
    {
        assertThat(readString(REPOSITORY.resolve(PAGE))).contains("`ALBIS_LOCAL_WORKERS=2`", "`bin/albis docker sizing --scale tiny`");
        assertThat(bash("ALBIS_LOCAL_WORKERS=2 bin/albis docker up --local")).contains("Trino is ready with 3 nodes");
        assertThat(bash("bin/albis docker sizing --scale tiny --queries 3,96 --clients 1")).contains("\n| 1 | 2 | 0 | ");
    }

    private static List<Step> session(String marker)
            throws IOException
    {
        return DocumentedSession.parse(DocumentedBlocks.text(PAGE, marker, "text"), "$ ", "> ").steps();
    }

    private static Step onlyStep(String marker)
            throws IOException
    {
        return getOnlyElement(session(marker));
    }

    private String containers()
            throws IOException, InterruptedException
    {
        return bash("docker ps -q --filter label=com.docker.compose.project=%s | sort".formatted(PROJECT));
    }

    private String run(String marker, String... replacements)
            throws IOException, InterruptedException
    {
        return output(DocumentedBlocks.commands(PAGE, marker, replacements));
    }

    private String bash(String command)
            throws IOException, InterruptedException
    {
        return output(TestingCommand.of("bash", "-euo", "pipefail", "-c", command));
    }

    private String output(TestingCommand command)
            throws IOException, InterruptedException
    {
        return new TestingCommand(ImmutableList.copyOf(command.arguments()), REPOSITORY, environment).run().checkSucceeded().output();
    }
}
