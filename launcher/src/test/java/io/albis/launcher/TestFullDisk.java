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
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

import static java.nio.file.Files.createDirectories;
import static java.nio.file.Files.newOutputStream;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

/**
 * Tests bin/albis on a disk that is full: a file system in memory, which only the processes of the test see.
 */
@RequiredCommand(value = "unshare -rm mount -t tmpfs -o size=64k tmpfs /tmp", reason = "this machine does not allow users to mount file systems")
@Timeout(value = 120, threadMode = SEPARATE_THREAD)
class TestFullDisk
{
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
    void testBuild()
            throws IOException, InterruptedException
    {
        checkout.writeMaven("echo 'A line of the log'");
        createDirectories(checkout.resolve(".albis"));
        Result result = runOnFullDisk(checkout.resolve(".albis"), "server");
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.output())
                .contains("Building the plugin and the Trino server: failed.")
                .contains("The disk of %s is full. Free some space, and run the command again.".formatted(checkout.resolve(".albis")));

        assertThat(checkout.run("server").output()).contains("Building the plugin and the Trino server: done");
    }

    @Test
    void testProductsOfBuild()
            throws IOException, InterruptedException
    {
        checkout.writeMaven("echo 'the zip' >target/albis-trino-1.zip");
        createDirectories(checkout.resolve("target"));
        Result result = runOnFullDisk(checkout.resolve("target"), "server");
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.output()).contains("The disk of %s is full.".formatted(checkout.resolve("target")));

        assertThat(checkout.run("server").output()).contains("Building the plugin and the Trino server: done");
    }

    @Test
    void testBuildOfTests()
            throws IOException, InterruptedException
    {
        checkout.writeMaven("echo 'A line of the log'");
        createDirectories(checkout.resolve(".albis"));
        Result result = runOnFullDisk(checkout.resolve(".albis"), "test");
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.output())
                .contains("The build failed before the tests ran: The disk of %s is full. Free some space, and run the command again.\n".formatted(checkout.resolve(".albis")));
    }

    @Test
    void testTests()
            throws IOException, InterruptedException
    {
        checkout.writeMaven("case $* in *' verify '*) ;; *) echo 'A line of the log' ;; esac");
        createDirectories(checkout.resolve(".albis"));
        Result result = runOnFullDisk(checkout.resolve(".albis"), "test");
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.output())
                .contains("The tests of plugin did not run: The disk of %s is full. Free some space, and run the command again. See ".formatted(checkout.resolve(".albis")));
    }

    @Test
    void testServer()
            throws IOException, InterruptedException
    {
        Path home = createDirectories(directory.resolve("data"));
        Path zip = createDirectories(directory.resolve("repository/target")).resolve("albis-trino-1.zip");
        try (ZipOutputStream output = new ZipOutputStream(newOutputStream(zip))) {
            output.putNextEntry(new ZipEntry("albis-trino-1/albis.jar"));
            output.write(new byte[100_000]);
        }
        ProcessBuilder builder = new ProcessBuilder(onFullDisk(
                home,
                "exec '%s' -XX:TieredStopAtLevel=1 -Dalbis.repository='%s' -Dalbis.home='%s' -cp '%s' io.albis.launcher.Launcher server".formatted(
                        Path.of(System.getProperty("java.home"), "bin", "java"),
                        directory.resolve("repository"),
                        home,
                        System.getProperty("java.class.path"))))
                .redirectErrorStream(true);
        Result result = TestingCheckout.run(builder);
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.output()).contains("The disk of %s, or that of temporary files, is full: ".formatted(home)).doesNotContain("\tat ");
    }

    @Test
    void testFailureForAnotherReason()
            throws IOException, InterruptedException
    {
        checkout.writeMaven("exit 1");
        Result result = checkout.run("server");
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.output()).contains("Building the plugin and the Trino server: failed.").doesNotContain("is full");
    }

    /**
     * Runs a command while the disk of a folder is full.
     */
    private Result runOnFullDisk(Path folder, String command)
            throws IOException, InterruptedException
    {
        ProcessBuilder builder = checkout.command(command);
        builder.command(onFullDisk(folder, "exec bash '%s' %s".formatted(checkout.resolve("bin/albis"), command)));
        builder.environment().remove("SUDO_UID");
        return TestingCheckout.run(builder);
    }

    private static List<String> onFullDisk(Path folder, String command)
    {
        String script =
                """
                mount -t tmpfs -o size=64k tmpfs '%1$s'
                cat /dev/zero >'%1$s/filling' 2>/dev/null
                %2$s
                """.formatted(folder, command);
        return ImmutableList.of("unshare", "-rm", "bash", "-c", script);
    }
}
