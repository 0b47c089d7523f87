package io.albis.launcher.server;

import com.google.common.collect.ImmutableMap;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.sql.SQLException;
import java.util.Map;

import static java.nio.file.Files.copy;
import static java.nio.file.Files.writeString;
import static java.nio.file.StandardCopyOption.COPY_ATTRIBUTES;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static java.util.Objects.requireNonNull;

/**
 * A coordinator and a worker with the properties, the rules, and the commands of docs/security.md. Each of them has a
 * folder of its own in place of /etc/trino. Users authenticate with JWT instead of passwords, because Trino's plugin
 * for passwords is not on Maven Central.
 */
final class TestingSecuredCluster
        implements AutoCloseable
{
    private static final String PAGE = "docs/security.md";
    private static final String CONFIGURATION = "/etc/trino";
    private static final String COORDINATOR = "coordinator";
    private static final String WORKER = "worker";

    private final Path home;
    private final Installation installation;
    private final URI http;
    private final URI https;
    private final TestingCredentials credentials;
    private TestingNode coordinator;
    private TestingNode worker;

    private TestingSecuredCluster(Path home, Installation installation, URI http, URI https)
            throws IOException, InterruptedException, GeneralSecurityException
    {
        this.home = requireNonNull(home, "home is null");
        this.installation = requireNonNull(installation, "installation is null");
        this.http = requireNonNull(http, "http is null");
        this.https = requireNonNull(https, "https is null");
        credentials = TestingCredentials.create(createConfiguration(COORDINATOR));
        DocumentedBlocks.commands(PAGE, "commands: secret", CONFIGURATION, configuration(COORDINATOR).toString()).run().checkSucceeded();
    }

    /**
     * Installs the zip with the documented commands, and starts the nodes.
     */
    static TestingSecuredCluster start(Path home)
            throws Exception
    {
        TestingSecuredCluster cluster = new TestingSecuredCluster(
                home,
                DocumentedOperations.install(home, PluginZip.DEFAULT.file()),
                TestingNode.freeAddress(),
                URI.create("https://127.0.0.1:" + TestingNode.freeAddress().getPort()));
        cluster.startNodes();
        return cluster;
    }

    void startNodes()
            throws IOException, InterruptedException, SQLException
    {
        Path accessControl = configuration(COORDINATOR).resolve("access-control.properties");
        writeString(accessControl, DocumentedBlocks.text(PAGE, "properties: access control of the server", "properties")
                .replace(CONFIGURATION, configuration(COORDINATOR).toString()));
        writeString(configuration(COORDINATOR).resolve("rules.json"), DocumentedBlocks.text(PAGE, "rules: server", "json"));
        writeRulesOfCatalog(COORDINATOR);
        coordinator = TestingNode.launch(
                installation,
                COORDINATOR,
                http,
                ImmutableMap.<String, String>builder()
                        .putAll(properties(COORDINATOR, https.getPort()))
                        .put("access-control.config-files", accessControl.toString())
                        .put("http-server.authentication.type", "JWT")
                        .put("http-server.authentication.jwt.key-file", credentials.tokenKey().toString())
                        .buildKeepingLast(),
                ImmutableMap.of("albis", catalog(COORDINATOR)),
                environment(COORDINATOR));

        createConfiguration(WORKER);
        copy(configuration(COORDINATOR).resolve("trino.env"), configuration(WORKER).resolve("trino.env"), COPY_ATTRIBUTES, REPLACE_EXISTING);
        writeRulesOfCatalog(WORKER);
        worker = launchWorker(WORKER);
        coordinator.awaitReady();
        worker.awaitReady();
        while (!query("alice", "SELECT count(*) FROM system.runtime.nodes WHERE state = 'active'").equals("2")) {
            Thread.sleep(200);
        }
    }

    /**
     * Starts a worker with what is in its folder.
     */
    TestingNode launchWorker(String name)
            throws IOException, InterruptedException
    {
        return TestingNode.launch(
                installation,
                name,
                TestingNode.freeAddress(),
                properties(WORKER, TestingNode.freeAddress().getPort()),
                ImmutableMap.of("albis", catalog(name)),
                environment(name));
    }

    /**
     * Creates the folder of a node that has none.
     */
    Path createConfiguration(String node)
            throws IOException, InterruptedException
    {
        DocumentedBlocks.commands(PAGE, "commands: folder", "-o trino -g trino", "-o \"$(id -u)\" -g \"$(id -g)\"", CONFIGURATION, configuration(node).toString())
                .run()
                .checkSucceeded();
        return configuration(node);
    }

    Path configuration(String node)
    {
        return home.resolve(node + "-configuration");
    }

    void writeRulesOfCatalog(String node)
            throws IOException
    {
        writeString(configuration(node).resolve("albis-rules.json"), DocumentedBlocks.text(PAGE, "rules: catalog", "json"));
    }

    /**
     * Returns the documented properties, with the ports and the folder of this machine.
     */
    private Map<String, String> properties(String role, int port)
            throws IOException
    {
        ImmutableMap.Builder<String, String> properties = ImmutableMap.<String, String>builder();
        DocumentedBlocks.properties(PAGE, "properties: " + role)
                .forEach((name, value) -> properties.put(name, value.replace(CONFIGURATION, configuration(role).toString())));
        return properties
                .putAll(DocumentedBlocks.properties("docs/monitoring.md", "properties: metrics"))
                .put("http-server.https.port", Integer.toString(port))
                .put("discovery.uri", https.toString())
                .buildKeepingLast();
    }

    private Map<String, String> catalog(String node)
            throws IOException
    {
        ImmutableMap.Builder<String, String> properties = ImmutableMap.builder();
        properties.putAll(TestingNode.localCatalog(home));
        DocumentedBlocks.properties(PAGE, "properties: access control of the catalog")
                .forEach((name, value) -> properties.put(name, value.replace(CONFIGURATION, configuration(node).toString())));
        return properties.buildOrThrow();
    }

    /**
     * Returns the environment that Trino gets from the documented commands that start it.
     */
    private Map<String, String> environment(String node)
            throws IOException, InterruptedException
    {
        String variable = "TRINO_SHARED_SECRET";
        String secret = DocumentedBlocks.commands(
                        PAGE,
                        "commands: start",
                        "bin/launcher start --etc-dir " + CONFIGURATION,
                        "printenv " + variable,
                        CONFIGURATION,
                        configuration(node).toString())
                .run()
                .checkSucceeded()
                .output();
        return ImmutableMap.of(variable, secret.strip());
    }

    /**
     * Replaces the plugin on all nodes, which have to be stopped.
     */
    void upgrade(Path zip)
            throws IOException, InterruptedException
    {
        DocumentedOperations.upgrade(installation, zip);
    }

    /**
     * Replaces the plugin of all nodes by the one before the upgrade. They have to be stopped.
     */
    void goBack()
            throws IOException, InterruptedException
    {
        DocumentedOperations.goBack(installation);
    }

    TestingNode coordinator()
    {
        return coordinator;
    }

    TestingNode worker()
    {
        return worker;
    }

    TestingCredentials credentials()
    {
        return credentials;
    }

    URI http()
    {
        return http;
    }

    URI https()
    {
        return https;
    }

    /**
     * Runs a statement and returns the first column of its only row, or an empty text if it has no rows.
     */
    String query(String user, String sql)
            throws SQLException
    {
        return credentials.query(https, user, sql);
    }

    @Override
    public void close()
            throws InterruptedException
    {
        if (worker != null) {
            worker.close();
        }
        if (coordinator != null) {
            coordinator.close();
        }
    }
}
