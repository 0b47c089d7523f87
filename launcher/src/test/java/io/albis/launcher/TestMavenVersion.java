package io.albis.launcher;

import io.albis.launcher.TestingCheckout.Result;
import io.albis.launcher.server.RequiredCommand;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;

import static java.nio.file.Files.createDirectories;
import static java.nio.file.Files.exists;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that a real Maven 4 fetches the Maven that the build needs. TestBuildCommand has scripts instead.
 */
@Tag("slow")
@RequiredCommand(
        value = "cd /tmp && mvn -B org.apache.maven.plugins:maven-dependency-plugin:3.6.1:get -Dartifact=org.apache.maven:apache-maven:4.0.0-rc-4:tar.gz:bin",
        reason = "Maven 4 cannot be downloaded")
@Timeout(600)
class TestMavenVersion
{
    private static final String VERSION = "4.0.0-rc-4";
    private static final String UNPACK =
            """
            cd "$1"
            mvn -B org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy -DoutputDirectory="$1" \\
                -Dartifact=org.apache.maven:apache-maven:$2:tar.gz:bin
            tar -xzf apache-maven-$2-bin.tar.gz
            """;

    @TempDir
    Path directory;

    @Test
    void testMaven4()
            throws IOException, InterruptedException
    {
        Path folder = createDirectories(directory.resolve("maven"));
        Result unpacked = TestingCheckout.run(new ProcessBuilder("bash", "-euc", UNPACK, "bash", folder.toString(), VERSION).redirectErrorStream(true));
        assertThat(unpacked.exitCode()).as(unpacked.output()).isEqualTo(0);

        TestingCheckout checkout = TestingCheckout.create(directory.resolve("checkout"));
        checkout.writeCommand("mvn", "exec '%s' \"$@\"".formatted(folder.resolve("apache-maven-%s/bin/mvn".formatted(VERSION))));
        ProcessBuilder command = checkout.command("server");
        command.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Result result = TestingCheckout.run(command);
        assertThat(result.output()).contains("Fetching Maven 3.9.14, because the build needs it or a newer Maven 3, and mvn is %s: done".formatted(VERSION));
        assertThat(exists(checkout.resolve(".albis/maven/apache-maven-3.9.14/bin/mvn"))).isTrue();
        // The checkout has no sources, so the build begins and fails
        assertThat(result.output()).contains("Building the plugin and the Trino server", ": failed.");
        assertThat(result.exitCode()).isEqualTo(1);
    }
}
