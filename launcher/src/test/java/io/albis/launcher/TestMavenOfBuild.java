package io.albis.launcher;

import com.sun.net.httpserver.HttpServer;
import io.albis.launcher.TestingCheckout.Result;
import io.albis.launcher.server.DocumentedBlocks;
import io.albis.launcher.server.RequiredCommand;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.DirectoryStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.nio.file.Files.copy;
import static java.nio.file.Files.createDirectories;
import static java.nio.file.Files.createFile;
import static java.nio.file.Files.delete;
import static java.nio.file.Files.exists;
import static java.nio.file.Files.move;
import static java.nio.file.Files.newDirectoryStream;
import static java.nio.file.Files.readAllLines;
import static java.nio.file.Files.writeString;
import static java.nio.file.StandardCopyOption.COPY_ATTRIBUTES;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

/**
 * Tests which Maven bin/albis uses, and how it fetches the right one.
 */
@Timeout(value = 120, threadMode = SEPARATE_THREAD)
class TestMavenOfBuild
{
    private static final String PAGE = "docs/installation.md";

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
    void testOtherMaven()
            throws IOException, InterruptedException
    {
        for (String version : new String[] {"3.6.3", "4.0.0-rc-5"}) {
            writeOtherMaven(version, "");
            Result result = checkout.run("server");
            assertThat(result.output()).contains("Fetching Maven 3.9.14, because the build needs it or a newer Maven 3, and mvn is %s: done".formatted(version));
            assertThat(result.exitCode()).isEqualTo(0);
            assertThat(builds()).isEqualTo(1);
            assertThat(downloads()).isEqualTo(0);

            assertThat(checkout.run("test").output()).doesNotContain("Fetching");
            delete(checkout.resolve("target/.albis-built"));
            delete(checkout.resolve("maven-runs"));
            delete(checkout.resolve(".albis/maven/apache-maven-3.9.14/bin/mvn"));
        }
    }

    @Test
    void testDownloadThatWasInterrupted()
            throws IOException, InterruptedException
    {
        writeOtherMaven("3.6.3", "touch ../../../started; exec sleep 600");
        Process build = checkout.command("server").start();
        awaitFile("started");
        assertThat(downloads()).isEqualTo(1);
        build.destroy();
        assertThat(build.waitFor()).isEqualTo(143);
        assertThat(downloads()).isEqualTo(0);
    }

    /**
     * Nothing cleans up after such a command.
     */
    @Test
    void testDownloadThatWasKilled()
            throws IOException, InterruptedException
    {
        writeOtherMaven("3.6.3", "touch ../../../started; exec sleep 600");
        Process build = checkout.command("server").start();
        awaitFile("started");
        kill(build);
        assertThat(downloads()).isEqualTo(1);
        writeOtherMaven("3.6.3", "");
        assertThat(checkout.run("server").exitCode()).isEqualTo(0);
        assertThat(downloads()).isEqualTo(0);
    }

    /**
     * Tests the documented commands for a machine without access to the internet, one after the other: they pack the
     * checkout with its Maven, unpack it, and run the tests offline. TestOfflineBuild runs a real Maven.
     */
    @Test
    void testBuildOnAnotherMachine()
            throws IOException, InterruptedException
    {
        writeOtherMaven("3.6.3", "");
        Path home = createDirectories(directory.resolve("home"));
        createFile(createDirectories(home.resolve(".m2/repository")).resolve("library.jar"));
        // The tests of this checkout are a script, which runs none
        Result packed = run(home, checkout.resolve(""), DocumentedBlocks.text(PAGE, "commands: pack", "bash").replace("bin/albis test\n", "bin/albis test || true\n"));
        assertThat(packed.exitCode()).as(packed.output()).isEqualTo(0);
        assertThat(packed.output()).contains("Fetching Maven");

        Path other = createDirectories(directory.resolve("other"));
        move(directory.resolve("albis-build.tar.gz"), other.resolve("albis-build.tar.gz"));
        // The script that replaces Maven on the other machine cannot fetch anything
        checkout.writeCommand("mvn", "[[ $* = *' -v' ]] && echo 'Apache Maven 3.6.3'");
        String commands = DocumentedBlocks.text(PAGE, "commands: offline", "bash");
        assertThat(commands).contains("\"$HOME/albis\"", "bin/albis test\n");
        Result built = run(
                other,
                other,
                commands.replace("$HOME/albis", "$HOME/a folder with spaces").replace("bin/albis test\n", "bin/albis test || true; cat maven-arguments\n"));
        assertThat(built.exitCode()).as(built.output()).isEqualTo(0);
        assertThat(built.output()).doesNotContain("Fetching Maven").endsWith("\n--offline\n");
        assertThat(exists(other.resolve(".m2/repository/library.jar"))).isTrue();
        assertThat(exists(other.resolve("a folder with spaces/maven-runs"))).isTrue();
    }

    private Result run(Path home, Path folder, String commands)
            throws IOException, InterruptedException
    {
        ProcessBuilder command = checkout.command("test").directory(folder.toFile());
        command.environment().put("HOME", home.toString());
        command.command("bash", "-euo", "pipefail", "-c", commands);
        return TestingCheckout.run(command);
    }

    /**
     * Tests that Maven asks the documented mirror for everything.
     */
    @RequiredCommand(value = "mvn -v", reason = "there is no mvn on the PATH")
    @Test
    void testMirror()
            throws IOException, InterruptedException
    {
        Set<String> requests = ConcurrentHashMap.newKeySet();
        HttpServer mirror = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        mirror.createContext("/", exchange -> {
            requests.add(exchange.getRequestURI().getPath());
            exchange.sendResponseHeaders(404, -1);
            exchange.close();
        });
        mirror.start();
        try {
            String settings = DocumentedBlocks.text(PAGE, "settings: mirror", "xml");
            String documented = "https://maven.example.com";
            assertThat(settings).contains(documented + "/central");
            Path file = writeString(directory.resolve("settings.xml"), settings.replace(documented, "http://127.0.0.1:" + mirror.getAddress().getPort()));
            ProcessBuilder maven = new ProcessBuilder("mvn", "-B", "-s", file.toString(), "-Dmaven.repo.local=" + directory.resolve("repository"), "help:help")
                    .directory(directory.toFile())
                    .redirectErrorStream(true);
            maven.environment().remove("MAVEN_ARGS");
            Result result = TestingCheckout.run(maven);
            assertThat(result.exitCode()).as(result.output()).isEqualTo(1);
            assertThat(requests).isNotEmpty().allMatch(path -> path.startsWith("/central/org/"));
        }
        finally {
            mirror.stop(0);
        }
    }

    @Test
    void testMavenThatFails()
            throws IOException, InterruptedException
    {
        checkout.writeCommand("mvn", "exit 1");
        Result result = checkout.run("server");
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.output()).contains("mvn does not work: ").contains("mvn -v prints no version.");
    }

    /**
     * Writes a Maven that the build does not accept, and that downloads one that it does.
     */
    private void writeOtherMaven(String version, String script)
            throws IOException
    {
        checkout.writeMaven("echo \"${MAVEN_ARGS-}\" >>maven-arguments");
        Path accepted = directory.resolve("accepted");
        copy(directory.resolve("commands/mvn"), accepted, REPLACE_EXISTING, COPY_ATTRIBUTES);
        checkout.writeCommand("mvn",
                """
                case $* in
                    *' -v') echo 'Apache Maven %s (0123456789)' ;;
                    *':copy '*)
                        %s
                        mkdir -p apache-maven-3.9.14/bin
                        cp '%s' apache-maven-3.9.14/bin/mvn
                        tar -czf apache-maven-3.9.14-bin.tar.gz apache-maven-3.9.14
                        rm -rf apache-maven-3.9.14
                        ;;
                    *) exit 1 ;;
                esac
                """.formatted(version, script, accepted));
    }

    /**
     * Ends the command before its descendants, because it would clean up after a descendant that ends.
     */
    private static void kill(Process process)
            throws InterruptedException
    {
        List<ProcessHandle> descendants = process.descendants().collect(toImmutableList());
        process.destroyForcibly().waitFor();
        descendants.forEach(ProcessHandle::destroyForcibly);
    }

    private int builds()
            throws IOException
    {
        return readAllLines(checkout.resolve("maven-runs")).size();
    }

    private int downloads()
            throws IOException
    {
        int count = 0;
        try (DirectoryStream<Path> files = newDirectoryStream(checkout.resolve(".albis/maven"), "download.*")) {
            for (Path _ : files) {
                count++;
            }
        }
        return count;
    }

    private void awaitFile(String name)
            throws InterruptedException
    {
        while (!exists(checkout.resolve(name))) {
            Thread.sleep(50);
        }
    }
}
