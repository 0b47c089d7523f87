package io.albis.trino.history;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import com.google.inject.Key;
import com.google.inject.Module;
import io.albis.trino.StoragePlugin;
import io.trino.connector.CatalogPruneTask;
import io.trino.metadata.CatalogManager;
import io.trino.spi.catalog.CatalogName;
import io.trino.testing.DistributedQueryRunner;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

import static io.albis.trino.history.EmbeddedServer.WITHOUT_SPANS;
import static io.trino.testing.TestingSession.testSessionBuilder;
import static java.nio.file.Files.createDirectories;
import static java.util.Objects.requireNonNull;

/**
 * A server in this process whose kills are simulated, because starting a process takes seconds. A kill ends all
 * accesses of the catalog to storage in the middle of what it does ({@link Lifetime}). The statements that run then
 * fail, and their clients take this as a broken connection. Another catalog of the same name takes the place of the
 * first one. It has caches, file systems, and threads of its own, and the engine keeps nothing of a catalog that was
 * dropped.
 * <p>
 * This is what the catalogs of a process share, and why it does not matter here:
 * <ul>
 * <li>The plugin keeps what each running statement reads ({@link io.albis.trino.relation.QueryReads}), by the id of the
 * statement, until its transaction ends. No statement continues in another catalog.
 * <li>Whether the vector instructions of this machine are fast, and the id of the build, are the same in each process.
 * <li>The JVM has the JMX beans of the first catalog of a name. Nothing reads them.
 * <li>The client of HDFS is the same for all catalogs, and so is that of S3 here. They remember connections, and
 * nothing of the content of files.
 * </ul>
 * Only real processes ({@link ServerProcess}) show what a kill does to the rest of a server: the engine forgets its
 * statements, connections break in the middle of a request or a response, a request may still arrive after the process
 * has ended, and a client of HDFS no longer renews the leases of the files that it has not closed. Here, such a file
 * stays open, with the lease of the client that all catalogs share. The NameNode neither recovers its lease nor the
 * last block of it.
 */
final class SimulatedServer
        implements HistoryServer
{
    private static final CatalogName CATALOG = new CatalogName("albis");

    private final String name;
    private final HistoryStorage storage;
    private final Map<String, String> properties;
    private final DistributedQueryRunner queryRunner;
    // That of the present catalog comes last
    private final List<Lifetime> lifetimes = new ArrayList<>();
    private volatile Optional<Connection> connection = Optional.empty();

    /**
     * @param catalog properties of the catalog, of which those of the file system have no effect
     */
    SimulatedServer(String name, Path folder, HistoryStorage storage, Map<String, String> catalog)
            throws Exception
    {
        this.name = requireNonNull(name, "name is null");
        this.storage = requireNonNull(storage, "storage is null");
        this.properties = ImmutableMap.copyOf(Maps.filterKeys(catalog, property -> property.startsWith("albis.") || property.matches("fs\\..*\\.enabled|local\\.location")));
        queryRunner = DistributedQueryRunner.builder(testSessionBuilder().build())
                .setWorkerCount(0)
                .addExtraProperties(WITHOUT_SPANS)
                .setBaseDataDir(Optional.of(createDirectories(folder)))
                .build();
        queryRunner.installPlugin(new StoragePlugin(this::bindStorage));
    }

    private Module bindStorage()
    {
        Lifetime lifetime = lifetimes.getLast();
        Module gated = storage.gated(lifetime);
        return binder -> {
            binder.install(gated);
            // Not as an instance, whose methods would not be called at the end
            binder.bind(Lifetime.class).toProvider(() -> lifetime).asEagerSingleton();
        };
    }

    @Override
    public String name()
    {
        return name;
    }

    @Override
    public Optional<Connection> connect()
    {
        return connection;
    }

    @Override
    public synchronized void start()
    {
        Lifetime lifetime = new Lifetime();
        lifetimes.add(lifetime);
        queryRunner.createCatalog(CATALOG.toString(), "albis", ImmutableMap.<String, String>builder()
                .putAll(properties)
                .put(StoragePlugin.NUMBER, String.valueOf(lifetimes.size()))
                .buildOrThrow());
        connection = Optional.of(new Connection(queryRunner.getCoordinator().getBaseUrl(), lifetime::hasEnded));
    }

    @Override
    public boolean canBeKilled()
    {
        return true;
    }

    @Override
    public void awaitKill(Random random)
            throws InterruptedException
    {
        present().awaitChanges(random);
    }

    /**
     * Returns the accesses to storage until the next kill.
     */
    synchronized Lifetime present()
    {
        return lifetimes.getLast();
    }

    @Override
    public synchronized void killAndRestart(Random random)
    {
        connection = Optional.empty();
        try {
            lifetimes.getLast().end(random);
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        queryRunner.getCoordinator().getInstance(Key.get(CatalogManager.class)).dropCatalog(CATALOG, false);
        start();
    }

    /**
     * Returns how many of the catalogs that were killed still have threads and caches.
     */
    synchronized long unreleased()
    {
        // The engine does this every few seconds
        queryRunner.getCoordinator().getInstance(Key.get(CatalogPruneTask.class)).pruneCatalogs();
        return lifetimes.stream().limit(lifetimes.size() - 1).filter(lifetime -> !lifetime.isReleased()).count();
    }

    @Override
    public void close()
    {
        queryRunner.close();
    }
}
