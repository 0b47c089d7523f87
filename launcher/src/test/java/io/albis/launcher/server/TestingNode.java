package io.albis.launcher.server;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static com.google.common.base.Preconditions.checkState;
import static java.nio.file.Files.createDirectories;
import static java.nio.file.Files.readString;
import static java.nio.file.Files.writeString;
import static java.util.Objects.requireNonNull;

/**
 * A Trino server process, coordinator or worker, with little memory and otherwise the options of a regular server. It
 * ends with this process.
 */
final class TestingNode
        implements AutoCloseable
{
    private static final Duration LIMIT = Duration.ofMinutes(10);

    private final String name;
    private final URI uri;
    private final Path log;
    private final Process process;

    private TestingNode(String name, URI uri, Path log, Process process)
    {
        this.name = requireNonNull(name, "name is null");
        this.uri = requireNonNull(uri, "uri is null");
        this.log = requireNonNull(log, "log is null");
        this.process = requireNonNull(process, "process is null");
    }

    /**
     * Unpacks the plugin's zip of a repository, for the nodes of this directory.
     */
    static Installation install(Path repository, Path home)
            throws IOException
    {
        Installation installation = new Installation(repository, Installation.current().server(), home);
        createDirectories(installation.runtime());
        PluginDirectory.write(installation);
        return installation;
    }

    /**
     * Returns the properties of an Albis catalog on the local file system.
     *
     * @param home parent of the folder that contains the tables
     */
    static Map<String, String> localCatalog(Path home)
            throws IOException
    {
        return ImmutableMap.of(
                "connector.name", "albis",
                "albis.warehouse", "local:///warehouse",
                "fs.local.enabled", "true",
                "local.location", createDirectories(home.resolve("local")).toString());
    }

    /**
     * Starts a node.
     *
     * @param installation installation whose plugin directory has been written; each node has a separate directory in
     *         its home
     * @param properties contents of config.properties, in addition to the properties that all nodes have
     * @param catalogs properties by catalog name
     */
    static TestingNode launch(Installation installation, String name, URI uri, Map<String, String> properties, Map<String, Map<String, String>> catalogs)
            throws IOException
    {
        return launch(installation, name, uri, properties, catalogs, ImmutableMap.of());
    }

    /**
     * Starts a node whose properties may refer to variables of its environment.
     */
    static TestingNode launch(
            Installation installation,
            String name,
            URI uri,
            Map<String, String> properties,
            Map<String, Map<String, String>> catalogs,
            Map<String, String> environment)
            throws IOException
    {
        Path folder = createDirectories(installation.home().resolve(name));
        Path catalogFolder = createDirectories(folder.resolve("etc/catalog"));
        for (Map.Entry<String, Map<String, String>> catalog : catalogs.entrySet()) {
            writeString(catalogFolder.resolve(catalog.getKey() + ".properties"), text(catalog.getValue()));
        }
        writeString(folder.resolve("etc/config.properties"), text(ImmutableMap.<String, String>builder()
                .put("http-server.http.port", Integer.toString(uri.getPort()))
                .put("plugin.dir", installation.runtime().resolve("plugin").toString())
                .put("discovery.uri", uri.toString())
                .put("node.environment", "test")
                .put("node.id", name)
                .put("node.internal-address", "127.0.0.1")
                .put("node.bind-ip", "127.0.0.1")
                .putAll(catalogs.isEmpty() ? ImmutableMap.of() : ImmutableMap.of("catalog.config-dir", catalogFolder.toString()))
                .putAll(properties)
                .buildKeepingLast()));
        Path log = folder.resolve("server.log");
        ProcessBuilder builder = new ProcessBuilder(command(installation, folder))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().putAll(environment);
        return new TestingNode(name, uri, log, builder.start());
    }

    /**
     * Starts a single server, whose catalogs are created with CREATE CATALOG.
     */
    static TestingNode launchWithoutCatalogs(Installation installation, String name)
            throws IOException
    {
        return launch(
                installation,
                name,
                freeAddress(),
                ImmutableMap.of(
                        "coordinator", "true",
                        "node-scheduler.include-coordinator", "true",
                        "catalog.management", "dynamic",
                        "catalog.store", "memory"),
                ImmutableMap.of());
    }

    private static List<String> command(Installation installation, Path folder)
            throws IOException
    {
        ImmutableList.Builder<String> command = ImmutableList.builder();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ServerConfiguration.jvmOptions(readString(installation.configuration().resolve("jvm.config"))).stream()
                .filter(option -> !option.startsWith("-XX:MaxRAMPercentage"))
                .forEach(command::add);
        // Several of these servers share a few cores for a short time
        command.add("-Xmx768m", "-XX:TieredStopAtLevel=1");
        // This property cannot be set in config.properties
        command.add("-Dnode.data-dir=" + folder.resolve("var"));
        command.add("-Dconfig=" + folder.resolve("etc/config.properties"));
        command.add("-D" + TrinoServer.LAUNCHER_PID_PROPERTY + "=" + ProcessHandle.current().pid());
        command.add("-cp", installation.server().resolve("lib/*") + File.pathSeparator + installation.server().resolve("launcher/albis-launcher.jar"));
        command.add(TrinoServer.class.getName());
        return command.build();
    }

    private static String text(Map<String, String> properties)
    {
        return new PropertiesText("").with(properties).text();
    }

    static URI freeAddress()
            throws IOException
    {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return URI.create("http://127.0.0.1:" + socket.getLocalPort());
        }
    }

    String name()
    {
        return name;
    }

    boolean isAlive()
    {
        return process.isAlive();
    }

    long pid()
    {
        return process.pid();
    }

    TestingClient client()
    {
        return new TestingClient(uri);
    }

    TestingNode awaitReady()
            throws InterruptedException
    {
        try (ServerProbe probe = new ServerProbe(uri)) {
            await(() -> {
                checkState(process.isAlive(), "%s has ended: %s", name, log());
                try {
                    return probe.isReady();
                }
                catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new IllegalStateException(e);
                }
            }, "ready");
        }
        return this;
    }

    void await(BooleanSupplier condition, String what)
            throws InterruptedException
    {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            checkState(System.nanoTime() < deadline, "%s was not %s within %s: %s", name, what, LIMIT, log());
            Thread.sleep(50);
        }
    }

    /**
     * Returns the build of the plugin, as the server has logged it for a catalog.
     */
    String build(String catalog)
            throws IOException
    {
        Matcher build = Pattern.compile("Catalog %s has the Albis plugin of build (?<id>\\w+)".formatted(catalog)).matcher(readString(log));
        checkState(build.find(), "%s has not logged its build: %s", name, log());
        return build.group("id");
    }

    private String log()
    {
        try {
            return LogExcerpt.of(readString(log));
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Kills the process like {@code kill -9}.
     */
    void kill()
            throws InterruptedException
    {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close()
            throws InterruptedException
    {
        // The test deletes the directory of the node anyway, so an orderly shutdown has no benefit
        kill();
    }
}
