package io.albis.trino.history;

import com.google.common.collect.ImmutableList;
import jakarta.annotation.Nullable;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Random;

import static com.google.common.base.Preconditions.checkState;
import static java.lang.ProcessBuilder.Redirect.appendTo;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

/**
 * A server in a process of its own, which can be killed. It ends when this process ends.
 */
final class ServerProcess
        implements HistoryServer
{
    private static final String READY = "ready ";
    private static final String FOLDER = "folder";

    private final String name;
    private final Path folder;
    private final Map<String, String> catalog;
    private volatile Optional<URI> uri = Optional.empty();
    @Nullable
    private Process process;
    private int starts;

    ServerProcess(String name, Path folder, Map<String, String> catalog)
    {
        this.name = requireNonNull(name, "name is null");
        this.folder = requireNonNull(folder, "folder is null");
        this.catalog = new HashMap<>(catalog);
    }

    @Override
    public String name()
    {
        return name;
    }

    @Override
    public Optional<Connection> connect()
    {
        // A connection to a process that is killed breaks
        return uri.map(address -> new Connection(address, () -> false));
    }

    @Override
    public boolean canBeKilled()
    {
        return true;
    }

    @Override
    public synchronized void killAndRestart(Random random)
    {
        kill();
        start();
    }

    @Override
    public synchronized void start()
    {
        starts++;
        Path log = folder.resolve("log");
        try {
            Properties properties = new Properties();
            properties.putAll(catalog);
            properties.put(FOLDER, Files.createDirectories(folder.resolve("start-" + starts)).toString());
            Path file = folder.resolve("server.properties");
            try (Writer writer = Files.newBufferedWriter(file)) {
                properties.store(writer, null);
            }
            process = new ProcessBuilder(command(file))
                    .directory(folder.toFile())
                    .redirectError(appendTo(log.toFile()))
                    .start();
            BufferedReader output = process.inputReader(UTF_8);
            String line = output.readLine();
            checkState(line != null && line.startsWith(READY), "%s said %s, see %s", name, line, log);
            uri = Optional.of(URI.create(line.substring(READY.length())));
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> command(Path properties)
    {
        return ImmutableList.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-Xmx640m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:+ExitOnOutOfMemoryError",
                "--add-modules=jdk.incubator.vector",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                ServerMain.class.getName(),
                properties.toString());
    }

    private synchronized void kill()
    {
        if (process != null) {
            // Clients may still use the address, and find that nobody answers
            process.toHandle().destroyForcibly();
            process.onExit().join();
            uri = Optional.empty();
        }
    }

    @Override
    public synchronized void close()
    {
        kill();
    }

    static final class ServerMain
    {
        private ServerMain() {}

        public static void main(String[] arguments)
                throws Exception
        {
            // Trino redirects the output of the process to its log
            PrintStream output = System.out;
            Properties properties = new Properties();
            try (Reader reader = Files.newBufferedReader(Path.of(arguments[0]))) {
                properties.load(reader);
            }
            Path folder = Path.of((String) properties.remove(FOLDER));
            Map<String, String> catalog = new HashMap<>();
            properties.stringPropertyNames().forEach(name -> catalog.put(name, properties.getProperty(name)));
            EmbeddedServer server = new EmbeddedServer(folder, catalog);
            output.println(READY + server.uri().orElseThrow());
            output.flush();
            // Until the process that has started this one ends
            System.in.transferTo(OutputStream.nullOutputStream());
            Runtime.getRuntime().halt(0);
        }
    }
}
