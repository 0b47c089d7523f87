package io.albis.launcher;

import io.albis.launcher.TestingCheckout.Result;
import io.albis.launcher.server.RequiredCommand;
import io.albis.launcher.server.TestingTerminal;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

import static java.nio.file.Files.createFile;
import static java.nio.file.Files.exists;
import static java.nio.file.Files.readString;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

/**
 * Tests Ctrl-C in each phase of bin/albis: the command ends, everything that it has started ends, too, and the next
 * command works. A terminal sends the signal to all processes of the command.
 */
@RequiredCommand(value = "command -v perl", reason = "perl makes a group of processes, and it is not on the PATH")
@Timeout(value = 120, threadMode = SEPARATE_THREAD)
class TestInterruption
{
    @TempDir
    Path directory;

    private TestingCheckout checkout;

    @BeforeEach
    void createCheckout()
            throws IOException
    {
        checkout = TestingCheckout.create(directory);
        checkout.writeJdkCommand("jar", "mkdir -p albis-trino-1 && touch albis-trino-1/albis.jar");
        writeDocker("");
    }

    @Test
    void testWaitingForAnotherBuild()
            throws IOException, InterruptedException
    {
        checkout.writeMaven("touch started; until [ -f go ]; do sleep 0.1; done");
        Process first = checkout.command("server").start();
        awaitFile(checkout.resolve("started"));
        Process second = start("server");
        assertThat(second.inputReader().readLine()).isEqualTo("Waiting for another build ...");
        interrupt(second);
        createFile(checkout.resolve("go"));
        assertThat(TestingCheckout.result(first).exitCode()).isEqualTo(0);
    }

    @Test
    void testDownloadOfMaven()
            throws IOException, InterruptedException
    {
        checkout.writeCommand("mvn",
                """
                case $* in
                    *' -v') echo 'Apache Maven 3.6.3' ;;
                    *) %s ;;
                esac
                """.formatted(stall()));
        assertInterrupted("server");
        assertThat(checkout.resolve(".albis/maven")).isEmptyDirectory();
    }

    @ParameterizedTest
    @ValueSource(strings = {"server", "demo", "tpcds --scale tiny", "sizing --scale tiny", "import --from a.b.c --to d.e.f", "bench", "test", "docker up", "docker build", "docker test"})
    void testBuild(String command)
            throws IOException, InterruptedException
    {
        checkout.writeMaven(stall());
        assertInterrupted(command.split(" "));
        checkout.writeMaven("");
        Result result = checkout.run("server");
        assertThat(result.output()).contains("Building the plugin and the Trino server");
        assertThat(result.exitCode()).isEqualTo(0);
    }

    @Test
    void testTests()
            throws IOException, InterruptedException
    {
        // The first run builds, and the next ones run tests
        checkout.writeMaven("if [ -f built ]; then %s; fi; touch built".formatted(stall()));
        assertInterrupted("test");
    }

    /**
     * These tests run in the background, while those of the other tiers run one after the other.
     */
    @Test
    void testTestsOfPlacement()
            throws IOException, InterruptedException
    {
        checkout.writeMaven("case $* in *' :albis-placement '*) %s ;; esac".formatted(stall()));
        assertInterrupted("test");
    }

    @ParameterizedTest
    @ValueSource(strings = {"build", "run --rm", "up -d", "ps -a"})
    void testContainers(String call)
            throws IOException, InterruptedException
    {
        writeDocker(call);
        assertInterrupted("docker", "up");
        TestingTerminal.awaitNoProcess(checkout.resolve("bin"));
        writeDocker("");
        assertThat(checkout.run("docker", "up").output()).contains("Waiting until they are healthy: done");
    }

    /**
     * Only Ctrl-C reaches all processes. A scheduler ends the one that it has started.
     */
    @ParameterizedTest
    @ValueSource(strings = {"build", "run --rm", "up -d"})
    void testTermination(String call)
            throws IOException, InterruptedException
    {
        writeDocker(call);
        Process process = checkout.command("docker", "up").start();
        awaitFile(stalled());
        process.toHandle().destroy();
        assertThat(TestingCheckout.result(process).exitCode()).isEqualTo(143);
        assertStalledHasEnded();
    }

    @Test
    void testDockerDown()
            throws IOException, InterruptedException
    {
        writeDocker("down");
        assertInterrupted("docker", "down");
    }

    @Test
    void testUnpacking()
            throws IOException, InterruptedException
    {
        checkout.writeJdkCommand("jar", stall());
        assertInterrupted("docker", "build");
        checkout.writeJdkCommand("jar", "mkdir -p albis-trino-1 && touch albis-trino-1/albis.jar");
        assertThat(checkout.run("docker", "build").output()).contains("Unpacking the plugin: done");
    }

    @Test
    void testServer()
            throws IOException, InterruptedException
    {
        checkout.writeJdkCommand("java", "trap 'exit 130' INT; touch '%s'; while :; do sleep 0.1; done".formatted(stalled()));
        Process server = start("server");
        awaitFile(stalled());
        interrupt(server);
        checkout.writeJdkCommand("java", "echo \"java $*\"");
        assertThat(checkout.run("server").exitCode()).isEqualTo(0);
    }

    private void assertInterrupted(String... arguments)
            throws IOException, InterruptedException
    {
        Process process = start(arguments);
        awaitFile(stalled());
        interrupt(process);
        assertStalledHasEnded();
    }

    private void assertStalledHasEnded()
            throws IOException, InterruptedException
    {
        long stalled = Long.parseLong(readString(stalled()).strip());
        Optional<ProcessHandle> remaining = ProcessHandle.of(stalled);
        for (int i = 0; i < 100 && remaining.isPresent() && remaining.orElseThrow().isAlive(); i++) {
            Thread.sleep(50);
        }
        boolean alive = remaining.isPresent() && remaining.orElseThrow().isAlive();
        remaining.ifPresent(ProcessHandle::destroyForcibly);
        assertThat(alive).as("a process that the command has started is still running").isFalse();
    }

    private Process start(String... arguments)
            throws IOException
    {
        return TestingTerminal.start(checkout.command(arguments));
    }

    private static void interrupt(Process process)
            throws IOException, InterruptedException
    {
        TestingTerminal.interrupt(process);
        Result result = TestingCheckout.result(process);
        assertThat(result.exitCode()).as(result.output()).isEqualTo(TestingTerminal.INTERRUPTED);
    }

    /**
     * Returns a script that writes the number of its process and does nothing more.
     */
    private String stall()
    {
        return "echo $$ >'%1$s.new'; mv '%1$s.new' '%1$s'; exec sleep 600".formatted(stalled());
    }

    private Path stalled()
    {
        return directory.resolve("stalled");
    }

    /**
     * Writes a Docker that stalls at a call of Docker Compose, or while bin/albis waits for healthy containers.
     */
    private void writeDocker(String stalling)
            throws IOException
    {
        checkout.writeCommand("docker",
                """
                case $* in
                    'version '* | 'compose version' | 'compose version --short' | 'ps -q '* | 'ps --filter publish='*) ;;
                    'ps -aq '*) echo 1 ;;
                    'ps -a '*)
                        [ 'ps -a' != '%1$s' ] || { %2$s; }
                        echo 'coordinator albis-coordinator-1: Up 1 minute (healthy)'
                        ;;
                    'inspect '*) echo /data ;;
                    'compose '*' %1$s'*) [ -z '%1$s' ] || { %2$s; } ;;
                    'compose '*) ;;
                    *) exit 1 ;;
                esac
                """.formatted(stalling, stall()));
    }

    private static void awaitFile(Path file)
            throws InterruptedException
    {
        while (!exists(file)) {
            Thread.sleep(50);
        }
    }
}
