package io.albis.launcher;

import com.google.common.collect.ImmutableList;
import io.albis.launcher.TestingCheckout.Result;
import io.albis.launcher.server.RequiredCommand;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;

import static java.nio.file.Files.createDirectories;
import static java.nio.file.Files.createFile;
import static java.nio.file.Files.createSymbolicLink;
import static java.nio.file.Files.exists;
import static java.nio.file.Files.readAllLines;
import static java.nio.file.Files.setLastModifiedTime;
import static java.nio.file.Files.setPosixFilePermissions;
import static java.nio.file.Files.writeString;
import static java.nio.file.attribute.PosixFilePermissions.fromString;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

/**
 * Tests how bin/albis builds before it runs a command. The command is a server, which is a script here.
 */
@Timeout(value = 120, threadMode = SEPARATE_THREAD)
class TestBuildCommand
{
    private static final String WAIT = "touch started; until [ -f go ]; do sleep 0.1; done";

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
    void testBuildsOnlyAfterChanges()
            throws IOException, InterruptedException
    {
        assertThat(checkout.run("server").output()).contains("Building the plugin and the Trino server: done").contains("io.albis.launcher.Launcher server");
        assertThat(checkout.run("server").output()).doesNotContain("Building");
        assertThat(builds()).isEqualTo(1);
        changeSources();
        assertThat(checkout.run("server").output()).contains("Building");
        assertThat(builds()).isEqualTo(2);
    }

    @Test
    void testJavaThatFails()
            throws IOException, InterruptedException
    {
        checkout.writeCommand("java", "echo 'Unable to locate a Java Runtime' >&2; exit 1");
        createSymbolicLink(createDirectories(directory.resolve("home/.jdks")).resolve("jdk"), directory.resolve("jdk"));
        ProcessBuilder command = checkout.command("server");
        command.environment().keySet().removeIf(name -> name.startsWith("JAVA_HOME") || name.equals("JDK_25"));
        command.environment().put("HOME", directory.resolve("home").toString());
        assertThat(TestingCheckout.run(command).output()).contains("done in").doesNotContain("there is none");
    }

    /**
     * The benchmarks are built together with the plugin that they measure.
     */
    @Test
    void testBench()
            throws IOException, InterruptedException
    {
        checkout.writeMaven("echo \"$*\" >maven-arguments; mkdir -p benchmarks/target; echo classes >benchmarks/target/class-path; touch benchmarks/target/albis-benchmarks.jar");
        assertThat(checkout.run("server").exitCode()).isEqualTo(0);
        Result result = checkout.run("bench", "tpch", "topn", "--quick");
        assertThat(result.output())
                .contains("Building the plugin and the benchmarks: done")
                .contains("io.albis.benchmarks.Benchmarks all --resume --quick --pieces tpch,topn --data %1$s/.albis/bench/data --output %1$s/.albis/bench/quick.md".formatted(checkout.resolve("")));
        assertThat(readAllLines(checkout.resolve("maven-arguments")).getFirst()).contains(" package -pl :albis-trino,:albis-benchmarks ");
        assertThat(checkout.run("bench", "--list").output()).doesNotContain("Building").contains("-cp classes:", "io.albis.benchmarks.Benchmarks list");
        assertThat(checkout.run("bench").output()).contains("io.albis.benchmarks.Benchmarks all --resume --data ");
        changeSources("pom.xml");
        assertThat(checkout.run("bench").output()).contains("Building the plugin and the benchmarks: done");
    }

    @Test
    void testBuildBesideRunningBenchmark()
            throws IOException, InterruptedException
    {
        checkout.writeMaven("mkdir -p benchmarks/target; echo classes >benchmarks/target/class-path; touch benchmarks/target/albis-benchmarks.jar");
        checkout.writeJdkCommand("java", "cd %s; %s".formatted("\"$(dirname \"$0\")\"", WAIT));
        Process benchmark = checkout.command("bench").start();
        while (!exists(directory.resolve("jdk/bin/started"))) {
            Thread.sleep(50);
        }
        Result result = checkout.run("test");
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.output()).contains("A benchmark of this checkout is running, and a build would replace its files. Stop it or wait, and try again.");
        createFile(directory.resolve("jdk/bin/go"));
        assertThat(TestingCheckout.result(benchmark).exitCode()).isEqualTo(0);
    }

    @Test
    void testWaitsForAnotherBuild()
            throws IOException, InterruptedException
    {
        checkout.writeMaven(WAIT);
        Process first = checkout.command("server").start();
        awaitFile("started");
        Process second = checkout.command("server").start();
        assertThat(second.inputReader().readLine()).isEqualTo("Waiting for another build ...");
        createFile(checkout.resolve("go"));
        assertThat(TestingCheckout.result(first).exitCode()).isEqualTo(0);
        assertThat(TestingCheckout.result(second).exitCode()).isEqualTo(0);
        assertThat(builds()).isEqualTo(1);
    }

    /**
     * Two commands wait for a build that dies. One of them builds, and the other one uses its build.
     */
    @Test
    void testTwoWaitForBuildThatWasKilled()
            throws IOException, InterruptedException
    {
        checkout.writeMaven(WAIT);
        Process first = checkout.command("server").start();
        awaitFile("started");
        Process second = checkout.command("server").start();
        Process third = checkout.command("server").start();
        for (Process waiting : new Process[] {second, third}) {
            assertThat(waiting.inputReader().readLine()).isEqualTo("Waiting for another build ...");
        }
        checkout.writeMaven("");
        kill(first);
        assertThat(TestingCheckout.result(second).exitCode()).isEqualTo(0);
        assertThat(TestingCheckout.result(third).exitCode()).isEqualTo(0);
        assertThat(builds()).isEqualTo(2);
    }

    @Test
    void testBuildThatWasKilled()
            throws IOException, InterruptedException
    {
        checkout.writeMaven(WAIT);
        Process first = checkout.command("server").start();
        awaitFile("started");
        kill(first);
        checkout.writeMaven("");
        Result second = checkout.run("server");
        assertThat(second.output()).contains("Building");
        assertThat(second.exitCode()).isEqualTo(0);
    }

    /**
     * macOS has no flock, and perl locks the files.
     */
    @RequiredCommand(value = "command -v perl", reason = "there is no perl on the PATH")
    @Test
    void testLockWithoutFlock()
            throws IOException, InterruptedException
    {
        Path functions = directory.resolve("functions");
        writeString(functions, "command() { [ \"$*\" != '-v flock' ] && builtin command \"$@\"; }\nflock() { return 2; }\n");
        checkout.writeMaven(WAIT);
        ProcessBuilder command = checkout.command("server");
        command.environment().put("BASH_ENV", functions.toString());
        Process first = command.start();
        awaitFile("started");
        Process second = command.start();
        assertThat(second.inputReader().readLine()).isEqualTo("Waiting for another build ...");
        createFile(checkout.resolve("go"));
        assertThat(TestingCheckout.result(first).exitCode()).isEqualTo(0);
        assertThat(TestingCheckout.result(second).exitCode()).isEqualTo(0);
        assertThat(builds()).isEqualTo(1);
    }

    /**
     * A lock of an earlier version, which named a process, could stay behind. Another process may have its number now.
     */
    @Test
    void testLockThatStayedBehind()
            throws IOException, InterruptedException
    {
        writeString(createDirectories(checkout.resolve(".albis/build.lock")).resolve("pid"), Long.toString(ProcessHandle.current().pid()));
        assertThat(checkout.run("server").exitCode()).isEqualTo(0);
    }

    @Test
    void testFolderThatCannotBeWritten()
            throws IOException, InterruptedException
    {
        createDirectories(checkout.resolve(".albis/build-lock"));
        Result result = checkout.run("server");
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.output()).contains("build-lock: Is a directory").contains("bin/albis has to write to %s".formatted(checkout.resolve(".albis")));
    }

    /**
     * Tests a second user in the checkout of the first one, with and without files of an earlier build.
     */
    @RequiredCommand(value = "setpriv --reuid=65534 --clear-groups true", reason = "only root can become another user")
    @Test
    void testCheckoutOfAnotherUser()
            throws IOException, InterruptedException
    {
        setPosixFilePermissions(directory, fromString("rwxr-xr-x"));
        assertOtherUserIsRefused();
        assertThat(checkout.run("server").exitCode()).isEqualTo(0);
        assertOtherUserIsRefused();
        assertThat(checkout.run("server").output()).doesNotContain("Building");
    }

    private void assertOtherUserIsRefused()
            throws IOException, InterruptedException
    {
        ProcessBuilder command = checkout.command("server");
        command.command(ImmutableList.<String>builder().add("setpriv", "--reuid=65534", "--clear-groups").addAll(command.command()).build());
        Result result = TestingCheckout.run(command);
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.output()).contains("bin/albis has to write to %s.".formatted(checkout.resolve(".albis")));
    }

    @Test
    void testBuildBesideRunningServer()
            throws IOException, InterruptedException
    {
        checkout.writeJdkCommand("java", "cd %s; %s".formatted("\"$(dirname \"$0\")\"", WAIT));
        Process server = checkout.command("server").start();
        while (!exists(directory.resolve("jdk/bin/started"))) {
            Thread.sleep(50);
        }
        changeSources();
        for (String command : new String[] {"demo", "test"}) {
            Result result = checkout.run(command);
            assertThat(result.exitCode()).as(command).isEqualTo(1);
            assertThat(result.output()).as(command).contains("A server of this checkout is running, and a build would remove its files. Stop it and try again.");
        }
        assertThat(exists(checkout.resolve("launcher/target/server/launcher/albis-launcher.jar"))).isTrue();
        createFile(directory.resolve("jdk/bin/go"));
        assertThat(TestingCheckout.result(server).exitCode()).isEqualTo(0);
        assertThat(checkout.run("server").output()).contains("Building");
    }

    @Test
    void testBuildThatWasInterrupted()
            throws IOException, InterruptedException
    {
        assertThat(checkout.run("server").exitCode()).isEqualTo(0);
        // Builds everything again, although no source has changed
        checkout.writeMaven(WAIT);
        Process test = checkout.command("test").start();
        awaitFile("started");
        kill(test);
        checkout.writeMaven("");
        assertThat(checkout.run("server").output()).contains("Building the plugin and the Trino server: done");
    }

    @Test
    void testTwoZips()
            throws IOException, InterruptedException
    {
        assertThat(checkout.run("server").exitCode()).isEqualTo(0);
        createFile(checkout.resolve("target/albis-trino-2.zip"));
        assertThat(checkout.run("server").output()).contains("Building the plugin: done");
        assertThat(exists(checkout.resolve("target/albis-trino-1.zip"))).isTrue();
        assertThat(exists(checkout.resolve("target/albis-trino-2.zip"))).isFalse();
    }

    @Test
    void testWithoutHome()
            throws IOException, InterruptedException
    {
        ProcessBuilder command = checkout.command("server");
        command.environment().remove("HOME");
        Result result = TestingCheckout.run(command);
        assertThat(result.output()).contains("Building").doesNotContain("unbound variable");
        assertThat(result.exitCode()).isEqualTo(0);
    }

    @Test
    void testEmptyHome()
            throws IOException, InterruptedException
    {
        checkout.writeMaven("echo \"$HOME\" >home-of-maven");
        ProcessBuilder command = checkout.command("server");
        command.environment().put("HOME", "");
        Result result = TestingCheckout.run(command);
        assertThat(result.exitCode()).as(result.output()).isEqualTo(0);
        assertThat(readAllLines(checkout.resolve("home-of-maven")).getFirst()).startsWith("/");
    }

    /**
     * A user of a container who is not in the list of users has no home, or one that cannot be written.
     */
    @Test
    void testHomeThatDoesNotExist()
            throws IOException, InterruptedException
    {
        ProcessBuilder command = checkout.command("server");
        Path home = directory.resolve("nowhere");
        command.environment().put("HOME", home.toString());
        assertThat(TestingCheckout.run(command)).isEqualTo(new Result(1, "Set HOME to a folder that bin/albis can write to. It is '%s'.\n".formatted(home)));
        assertThat(exists(checkout.resolve("maven-runs"))).isFalse();
    }

    @Test
    void testRelativeAlbisHome()
            throws IOException, InterruptedException
    {
        ProcessBuilder command = checkout.command("server").directory(directory.toFile());
        command.environment().put("ALBIS_HOME", "some data");
        assertThat(TestingCheckout.run(command).output()).contains("-Dalbis.home=%s/some data ".formatted(directory.toRealPath()));
    }

    @Test
    void testSudo()
            throws IOException, InterruptedException
    {
        checkout.writeCommand("id", "echo 0");
        ProcessBuilder command = checkout.command("server");
        command.environment().put("SUDO_UID", "1000");
        command.environment().put("SUDO_USER", "me");
        Result result = TestingCheckout.run(command);
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.output()).startsWith("Run bin/albis without sudo.").contains("sudo usermod -aG docker me");
        assertThat(exists(checkout.resolve(".albis"))).isFalse();

        ProcessBuilder root = checkout.command("server");
        root.environment().remove("SUDO_UID");
        assertThat(TestingCheckout.run(root).exitCode()).isEqualTo(0);
    }

    private static void kill(Process process)
            throws InterruptedException
    {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().waitFor();
    }

    /**
     * Unpacks another version over this one. Its files have the times of its commits.
     */
    @Test
    void testBuildsAfterArchiveWasUnpacked()
            throws IOException, InterruptedException
    {
        checkout.run("server");
        Path source = checkout.resolve("launcher/pom.xml");
        writeString(source, "");
        setLastModifiedTime(source, FileTime.from(Instant.now().minusSeconds(3600)));
        assertThat(checkout.run("server").output()).contains("Building");
        assertThat(checkout.run("server").output()).doesNotContain("Building");
        assertThat(builds()).isEqualTo(2);
    }

    private void changeSources()
            throws IOException
    {
        changeSources("launcher/pom.xml");
    }

    private void changeSources(String file)
            throws IOException
    {
        Path source = checkout.resolve(file);
        writeString(source, "");
        setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(2)));
    }

    private int builds()
            throws IOException
    {
        return readAllLines(checkout.resolve("maven-runs")).size();
    }

    private void awaitFile(String name)
            throws InterruptedException
    {
        while (!exists(checkout.resolve(name))) {
            Thread.sleep(50);
        }
    }
}
