package io.albis.trino.history;

import com.google.common.collect.ImmutableMap;
import io.albis.trino.AlbisPlugin;
import io.trino.testing.DistributedQueryRunner;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

import static io.trino.testing.TestingSession.testSessionBuilder;
import static java.nio.file.Files.createDirectories;

/**
 * A server in this process, which cannot be killed.
 */
final class EmbeddedServer
        implements HistoryServer
{
    /**
     * Properties of a server that keeps no spans. {@link DistributedQueryRunner} keeps those of all statements until it
     * runs one itself, and here all statements arrive by HTTP.
     */
    static final Map<String, String> WITHOUT_SPANS = ImmutableMap.of("otel.tracing.sampling-ratio", "0");

    private final DistributedQueryRunner queryRunner;

    /**
     * @param catalog properties of the catalog
     */
    EmbeddedServer(Path folder, Map<String, String> catalog)
            throws Exception
    {
        queryRunner = DistributedQueryRunner.builder(testSessionBuilder().build())
                .setWorkerCount(0)
                .addExtraProperties(WITHOUT_SPANS)
                .setBaseDataDir(Optional.of(createDirectories(folder)))
                .build();
        queryRunner.installPlugin(new AlbisPlugin());
        queryRunner.createCatalog("albis", "albis", catalog);
    }

    @Override
    public String name()
    {
        return "embedded";
    }

    @Override
    public Optional<Connection> connect()
    {
        return Optional.of(new Connection(queryRunner.getCoordinator().getBaseUrl(), () -> false));
    }

    @Override
    public void start()
    {
        // The constructor has started it
    }

    @Override
    public boolean canBeKilled()
    {
        return false;
    }

    @Override
    public void killAndRestart(Random random)
    {
        throw new UnsupportedOperationException("The server is in the process of the test");
    }

    @Override
    public void close()
    {
        queryRunner.close();
    }
}
