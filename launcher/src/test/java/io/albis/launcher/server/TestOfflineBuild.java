package io.albis.launcher.server;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

import static java.nio.file.Files.copy;
import static java.nio.file.Files.createDirectories;
import static java.nio.file.Files.createSymbolicLink;
import static java.nio.file.Files.exists;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Builds a copy of the sources without downloads, from the local repository that bin/albis test has filled.
 */
@Tag("server")
@Tag("slow")
@Timeout(1800)
final class TestOfflineBuild
{
    @TempDir
    Path home;

    @Test
    void testBuildAndTests()
            throws Exception
    {
        TestSourceArchive.unpack(home.resolve("first/albis"));
        // The local repository is not copied, but linked
        TestingCommand.of("tar", "-czf", "albis-build.tar.gz", "-C", "first", "albis").in(home).run().checkSucceeded();
        Path maven = Path.of(System.getProperty("user.home"), ".m2");
        Path copied = createDirectories(home.resolve("home/.m2"));
        createSymbolicLink(copied.resolve("repository"), maven.resolve("repository"));
        for (String file : new String[] {"settings.xml", "toolchains.xml"}) {
            if (exists(maven.resolve(file))) {
                copy(maven.resolve(file), copied.resolve(file));
            }
        }
        // One test of each of the first tiers, because all would take an hour. The other tiers find none and say so
        String output = DocumentedBlocks.commands(
                        "docs/installation.md",
                        "commands: offline",
                        "MAVEN_ARGS=--offline",
                        "MAVEN_ARGS='--offline -Dtest=TestNames,TestScale -Dsurefire.failIfNoSpecifiedTests=false'")
                .in(home)
                .with("HOME", home.resolve("home").toString())
                .run()
                .output();
        assertThat(output)
                .doesNotContain("The build failed before the tests ran", "Could not resolve", "Cannot access")
                .containsPattern("(?m)^plugin +[1-9][0-9]* +0 ")
                .containsPattern("(?m)^launcher +[1-9][0-9]* +0 ");
    }
}
