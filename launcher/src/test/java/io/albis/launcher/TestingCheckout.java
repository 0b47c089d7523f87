package io.albis.launcher;

import com.google.common.collect.ImmutableList;
import io.albis.launcher.server.Installation;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.Files.copy;
import static java.nio.file.Files.createDirectories;
import static java.nio.file.Files.writeString;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A copy of the scripts of this checkout, in a folder with spaces. Scripts that a test writes replace Maven, Docker,
 * and the JDK.
 */
final class TestingCheckout
{
    private static final int LIMIT_SECONDS = 120;

    private final Path root;
    private final Path commands;
    private final Path jdk;

    private TestingCheckout(Path root, Path commands, Path jdk)
    {
        this.root = requireNonNull(root, "root is null");
        this.commands = requireNonNull(commands, "commands is null");
        this.jdk = requireNonNull(jdk, "jdk is null");
    }

    static TestingCheckout create(Path directory)
            throws IOException
    {
        Path repository = Installation.current().repository();
        Path root = createDirectories(directory).toRealPath().resolve("a folder with spaces");
        for (String file : ImmutableList.of("bin/albis", "build/build.sh", "build/test.sh", "build/airbase/pom.xml", "docker/commands.sh", "docker/settings.sh", "docker/images.sh", "docker/compose.yaml")) {
            createDirectories(root.resolve(file).getParent());
            copy(repository.resolve(file), root.resolve(file));
        }
        for (String file : ImmutableList.of("etc/jvm.config", "etc/log.properties", "etc/catalog/tpcds.properties", "etc/catalog/tpch.properties")) {
            createDirectories(root.resolve(file).getParent());
            writeString(root.resolve(file), "");
        }
        // Another program of this machine may use the default
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            writeString(root.resolve("docker/.env"), "ALBIS_PORT=%s\n".formatted(free.getLocalPort()));
        }
        Path jdk = directory.resolve("jdk");
        writeString(createDirectories(jdk).resolve("release"), "JAVA_VERSION=\"25.0.1\"\n");
        TestingCheckout checkout = new TestingCheckout(root, directory.resolve("commands"), jdk);
        checkout.writeJdkCommand("javac", "");
        checkout.writeJdkCommand("java", "echo \"java $*\"");
        checkout.writeCommand("java", "");
        checkout.writeMaven("");
        return checkout;
    }

    Path resolve(String path)
    {
        return root.resolve(path);
    }

    /**
     * Replaces a command on the PATH by a script.
     */
    void writeCommand(String name, String script)
            throws IOException
    {
        writeScript(commands.resolve(name), script);
    }

    void writeJdkCommand(String name, String script)
            throws IOException
    {
        writeScript(jdk.resolve("bin").resolve(name), script);
    }

    /**
     * Replaces Maven by a script that creates what a build creates, counts its runs, and then does something else.
     */
    void writeMaven(String script)
            throws IOException
    {
        writeCommand("mvn",
                """
                case $* in
                    *' -v')
                        echo 'Apache Maven 3.99.0'
                        exit
                        ;;
                esac
                echo run >>maven-runs
                mkdir -p target launcher/target/server/{launcher,lib,plugin/tpcds,plugin/tpch} hdfs-fixture/target/lib
                touch target/albis-trino-1.zip launcher/target/server/launcher/albis-launcher.jar
                """ + script);
    }

    private static void writeScript(Path file, String script)
            throws IOException
    {
        writeString(createDirectories(file.getParent()).resolve(file.getFileName()), "#!/usr/bin/env bash\n" + script + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    /**
     * Returns a process that runs bin/albis.
     */
    ProcessBuilder command(String... arguments)
    {
        ProcessBuilder builder = new ProcessBuilder(ImmutableList.<String>builder().add("bash", root.resolve("bin/albis").toString()).add(arguments).build())
                .redirectErrorStream(true);
        builder.environment().put("PATH", commands + ":" + System.getenv("PATH"));
        builder.environment().put("JAVA_HOME", jdk.toString());
        return builder;
    }

    Result run(String... arguments)
            throws IOException, InterruptedException
    {
        return run(command(arguments));
    }

    static Result run(ProcessBuilder command)
            throws IOException, InterruptedException
    {
        Process process = command.start();
        process.getOutputStream().close();
        return result(process);
    }

    static Result result(Process process)
            throws IOException, InterruptedException
    {
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor(LIMIT_SECONDS, SECONDS)).isTrue();
        return new Result(process.exitValue(), output);
    }

    record Result(int exitCode, String output) {}
}
