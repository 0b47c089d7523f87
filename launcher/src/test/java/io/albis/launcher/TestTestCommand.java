package io.albis.launcher;

import io.albis.launcher.server.DocumentedBlocks;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests how bin/albis test summarizes the output of Maven. A script that prints such output replaces Maven.
 */
class TestTestCommand
{
    private static final String PASSED = "[INFO] Tests run: 12, Failures: 0, Errors: 0, Skipped: 2";

    @TempDir
    Path directory;

    private TestingCheckout checkout;

    @BeforeEach
    void createCheckout()
            throws IOException
    {
        checkout = TestingCheckout.create(directory);
    }

    @Test
    void testAllPassed()
            throws IOException, InterruptedException
    {
        Result result = test("", "echo '%s'".formatted(PASSED));
        assertThat(result.summary()).isEqualTo(
                """
                tier                      run  failed  skipped  minutes
                style and build             -       -        -
                plugin                     12       0        2
                launcher                   12       0        2
                server                     12       0        2
                placement                  12       0        2
                examples                   12       0        2
                everything
                """);
        assertThat(result.exitCode()).isEqualTo(0);
    }

    @Test
    void testDocumentedSummary()
            throws IOException, InterruptedException
    {
        for (String page : new String[] {"README.md", "CONTRIBUTING.md"}) {
            assertThat(DocumentedBlocks.text(page, "commands: test", "bash")).as(page).isEqualTo("bin/albis test\n");
        }
        assertThat(tiers(DocumentedBlocks.text("CONTRIBUTING.md", "output: test", "text")))
                .isEqualTo(tiers(test("", "echo '%s'".formatted(PASSED)).summary()));
    }

    /**
     * Returns the first column of a summary.
     */
    private static List<String> tiers(String summary)
    {
        return summary.lines().map(line -> line.replaceFirst(" {2}.*", "")).toList();
    }

    @Test
    void testStyleError()
            throws IOException, InterruptedException
    {
        Result result = test(
                """
                echo '[ERROR] src/main/java/io/albis/format/AlbisBatch.java:[61,9] (coding) MatchXpath: Name the type instead of var'
                echo '[ERROR] Failed to execute goal org.apache.maven.plugins:maven-checkstyle-plugin:3.6.0:check (checkstyle) on project albis-trino: You have 1 Checkstyle violation. -> [Help 1]'
                echo '[WARNING]   /a folder/launcher/src/main/java/io/albis/launcher/Progress.java'
                echo '[ERROR] Failed to execute goal io.airlift:airstyle-maven-plugin:9:check (airstyle) on project albis-launcher: Found 1 file(s) that need formatting. -> [Help 1]'
                exit 1""",
                "echo '%s'".formatted(PASSED));
        assertThat(result.summary())
                .contains(
                        """
                        The build failed before the tests ran: albis-trino: checkstyle: You have 1 Checkstyle violation.
                        albis-launcher: airstyle: Found 1 file(s) that need formatting.
                        /a folder/launcher/src/main/java/io/albis/launcher/Progress.java
                        src/main/java/io/albis/format/AlbisBatch.java:[61,9] (coding) MatchXpath: Name the type instead of var
                        """)
                .doesNotContain("plugin ", " failed\n");
        assertThat(result.output()).doesNotContain("Tests run");
        assertThat(result.exitCode()).isEqualTo(1);
    }

    @Test
    void testCompileError()
            throws IOException, InterruptedException
    {
        Result result = test(
                """
                echo '[ERROR] /a folder/src/main/java/io/albis/format/AlbisBatch.java:[5,9] cannot find symbol'
                echo '[ERROR] Failed to execute goal org.apache.maven.plugins:maven-compiler-plugin:3.15.0:compile (default-compile) on project albis-benchmarks: Compilation failure'
                exit 1""",
                "echo '%s'".formatted(PASSED));
        assertThat(result.summary())
                .contains("The build failed before the tests ran: albis-benchmarks: compiler: Compilation failure\n")
                .contains("AlbisBatch.java:[5,9] cannot find symbol");
        assertThat(result.exitCode()).isEqualTo(1);
    }

    @Test
    void testUnknownError()
            throws IOException, InterruptedException
    {
        Result result = test("exit 3", "echo '%s'".formatted(PASSED));
        assertThat(result.summary()).contains("The build failed before the tests ran: Maven ended with exit code 3\n");
        assertThat(result.exitCode()).isEqualTo(1);
    }

    @Test
    void testFailureHidesNothing()
            throws IOException, InterruptedException
    {
        Result result = test("",
                """
                case $* in
                    *'surefire:test@default-test'*:albis-trino* | *:albis-trino*'surefire:test@default-test'*)
                        echo '[ERROR] Tests run: 12, Failures: 1, Errors: 2, Skipped: 0'
                        exit 1
                        ;;
                    *server-test*)
                        echo '[INFO] Tests run: 4, Failures: 0, Errors: 0, Skipped: 0'
                        echo '[ERROR] Failed to execute goal org.apache.maven.plugins:maven-surefire-plugin:3.5.6:test (server-test) on project albis-launcher: There was a timeout in the fork'
                        exit 1
                        ;;
                    *:albis-placement*)
                        echo '[ERROR] Failed to execute goal org.apache.maven.plugins:maven-surefire-plugin:3.5.6:test (default-test) on project albis-placement: The forked VM terminated without saying goodbye'
                        exit 1
                        ;;
                    *:albis-examples*) echo '[INFO] Tests run: 0, Failures: 0, Errors: 0, Skipped: 0' ;;
                    *) echo '%s' ;;
                esac""".formatted(PASSED));
        assertThat(result.summary()).startsWith(
                        """
                        tier                      run  failed  skipped  minutes
                        style and build             -       -        -
                        plugin                     12       3        0
                        launcher                   12       0        2
                        server                      4       0        0
                        placement                   -       -        -
                        examples                    0       0        0
                        everything
                        """)
                .contains("3 tests of plugin failed. ")
                .contains("The tests of server ended with an error: albis-launcher: surefire: There was a timeout in the fork. ")
                .contains("The tests of placement did not run: albis-placement: surefire: The forked VM terminated without saying goodbye. ")
                .contains("The tests of examples did not run: Maven found none. ")
                .doesNotContain("tests of launcher");
        assertThat(result.exitCode()).isEqualTo(1);
    }

    @Test
    void testSkippedTestSaysWhy()
            throws IOException, InterruptedException
    {
        Result result = test("",
                """
                case $* in
                    *server-test*)
                        echo 'TestDbt is skipped: there is no Python'
                        echo 'TestSecuredCluster#testPrometheus is skipped: there is no prometheus'
                        echo '[WARNING] Tests run: 4, Failures: 0, Errors: 0, Skipped: 2'
                        ;;
                    *) echo '%s' ;;
                esac""".formatted(PASSED));
        assertThat(result.summary())
                .contains("server                      4       0        2\n")
                .endsWith("\n\nTestDbt is skipped: there is no Python.\nTestSecuredCluster#testPrometheus is skipped: there is no prometheus.\n");
        assertThat(result.exitCode()).isEqualTo(0);
    }

    /**
     * The tests of the server wait here for those of the placement, which would otherwise come later.
     */
    @Test
    void testPlacementRunsBesideServer()
            throws IOException, InterruptedException
    {
        Result result = test("",
                """
                case $* in
                    *server-test*)
                        for attempt in {1..600}; do
                            [ ! -f placed ] || break
                            sleep 0.1
                        done
                        cat placed
                        ;;
                    *:albis-placement*)
                        echo 'Output of the placement tier'
                        echo '[INFO] Tests run: 9, Failures: 0, Errors: 0, Skipped: 0'
                        echo '[INFO] Tests run: 7, Failures: 0, Errors: 0, Skipped: 0' >unfinished
                        mv unfinished placed
                        ;;
                    *) echo '%s' ;;
                esac""".formatted(PASSED));
        assertThat(result.summary()).isEqualTo(
                """
                tier                      run  failed  skipped  minutes
                style and build             -       -        -
                plugin                     12       0        2
                launcher                   12       0        2
                server                      7       0        0
                placement                   9       0        0
                examples                   12       0        2
                everything
                """);
        assertThat(result.output()).containsOnlyOnce("Output of the placement tier");
        assertThat(result.exitCode()).isEqualTo(0);
    }

    /**
     * Runs the command with a fake Maven that behaves differently for the build and for each tier of tests.
     */
    private Result test(String build, String tier)
            throws IOException, InterruptedException
    {
        checkout.writeCommand("mvn",
                """
                case $* in
                    *' -v'*)
                        echo 'Apache Maven 3.99.0'
                        ;;
                    *' verify '*)
                        mkdir -p target launcher/target hdfs-fixture/target
                        %s
                        ;;
                    *)
                        %s
                        ;;
                esac
                """.formatted(build, tier));
        return new Result(checkout.run("test"));
    }

    private record Result(TestingCheckout.Result result)
    {
        int exitCode()
        {
            return result.exitCode();
        }

        String output()
        {
            return result.output();
        }

        String summary()
        {
            assertThat(output()).contains("\ntier ");
            // Removes the minutes, which depend on the machine
            return output().substring(output().indexOf("\ntier ") + 1).replaceAll("(?m) +[0-9]+[.][0-9]$", "");
        }
    }
}
