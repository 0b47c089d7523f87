package io.albis.trino;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.airlift.log.Level;
import io.airlift.log.Logger;
import io.airlift.log.Logging;
import io.albis.format.schema.AlbisLayout;
import io.trino.Session;
import io.trino.plugin.memory.MemoryPlugin;
import io.trino.plugin.tpcds.TpcdsPlugin;
import io.trino.plugin.tpch.TpchPlugin;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.QueryRunner;
import io.trino.tpch.TpchTable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

import static io.airlift.testing.Closeables.closeAllSuppress;
import static io.trino.plugin.tpch.TpchMetadata.TINY_SCHEMA_NAME;
import static io.trino.testing.QueryAssertions.copyTpchTables;
import static io.trino.testing.TestingSession.testSessionBuilder;
import static java.util.Objects.requireNonNull;

/**
 * Runs Trino servers in this process, with a catalog {@code albis} in a temporary folder.
 */
public final class AlbisQueryRunner
{
    public static final String CATALOG = "albis";
    public static final String SCHEMA = "tpch";

    private AlbisQueryRunner() {}

    public static Builder builder()
    {
        return new Builder();
    }

    /**
     * Returns the builder for the test suites of Trino's connectors.
     *
     * @param layout layout of the tables that do not name one
     */
    public static Builder connectorTestBuilder(AlbisLayout layout)
    {
        return builder()
                // The test suites require three nodes
                .setWorkerCount(2)
                .addAlbisProperty("albis.default-layout", layout.name());
    }

    /**
     * Returns the folder of the warehouse.
     */
    public static Path warehouse(DistributedQueryRunner queryRunner)
    {
        return queryRunner.getCoordinator().getBaseDataDir().resolve("albis").resolve("warehouse");
    }

    public static Map<String, String> catalogProperties(Path folder)
    {
        try {
            Files.createDirectories(folder);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return ImmutableMap.of(
                "albis.warehouse", "local:///warehouse",
                "fs.local.enabled", "true",
                "local.location", folder.toString());
    }

    public static class Builder
            extends DistributedQueryRunner.Builder<Builder>
    {
        private final Map<String, String> albisProperties = new HashMap<>();
        private List<TpchTable<?>> initialTables = ImmutableList.of();
        private Optional<Function<TpchTable<?>, String>> tableProperties = Optional.empty();

        private Builder()
        {
            super(testSessionBuilder()
                    .setCatalog(CATALOG)
                    .setSchema(SCHEMA)
                    .build());
            // One worker besides the coordinator reveals differences between nodes, and more workers would add nothing
            setWorkerCount(1);
        }

        public Builder addAlbisProperty(String name, String value)
        {
            albisProperties.put(name, value);
            return this;
        }

        public Builder addAlbisProperties(Map<String, String> properties)
        {
            albisProperties.putAll(properties);
            return this;
        }

        public Builder setInitialTables(List<TpchTable<?>> initialTables)
        {
            this.initialTables = ImmutableList.copyOf(requireNonNull(initialTables, "initialTables is null"));
            return this;
        }

        /**
         * Sets the properties of each initial table, as in the WITH clause.
         */
        public Builder setTableProperties(Function<TpchTable<?>, String> tableProperties)
        {
            this.tableProperties = Optional.of(tableProperties);
            return this;
        }

        @Override
        public DistributedQueryRunner build()
                throws Exception
        {
            DistributedQueryRunner queryRunner = super.build();
            try {
                queryRunner.installPlugin(new TpchPlugin());
                queryRunner.createCatalog("tpch", "tpch", ImmutableMap.of());
                queryRunner.installPlugin(new TpcdsPlugin());
                queryRunner.createCatalog("tpcds", "tpcds", ImmutableMap.of());
                queryRunner.installPlugin(new MemoryPlugin());
                queryRunner.createCatalog("memory", "memory", ImmutableMap.of());

                queryRunner.installPlugin(new AlbisPlugin());
                queryRunner.createCatalog(CATALOG, AlbisConnectorFactory.CONNECTOR_NAME, ImmutableMap.<String, String>builder()
                        .putAll(catalogProperties(queryRunner.getCoordinator().getBaseDataDir().resolve("albis")))
                        .putAll(albisProperties)
                        .buildKeepingLast());
                queryRunner.execute("CREATE SCHEMA " + CATALOG + "." + SCHEMA);
                copyTables(queryRunner);
                return queryRunner;
            }
            catch (Throwable e) {
                closeAllSuppress(e, queryRunner);
                throw e;
            }
        }

        private void copyTables(QueryRunner queryRunner)
        {
            if (tableProperties.isEmpty()) {
                copyTpchTables(queryRunner, "tpch", TINY_SCHEMA_NAME, initialTables);
                return;
            }
            for (TpchTable<?> table : initialTables) {
                queryRunner.execute("CREATE TABLE %1$s WITH (%2$s) AS SELECT * FROM tpch.tiny.%1$s".formatted(table.getTableName(), tableProperties.get().apply(table)));
            }
        }
    }

    /**
     * Starts a server at http://localhost:8080 for manual experiments.
     */
    public static void main(String[] args)
            throws Exception
    {
        Logging logging = Logging.initialize();
        logging.setLevel("io.albis", Level.DEBUG);
        DistributedQueryRunner queryRunner = builder()
                .addCoordinatorProperty("http-server.http.port", "8080")
                .setInitialTables(TpchTable.getTables())
                .build();
        Session session = queryRunner.getDefaultSession();
        Logger.get(AlbisQueryRunner.class).info("Server is at %s, catalog %s, schema %s", queryRunner.getCoordinator().getBaseUrl(), session.getCatalog().orElseThrow(), session.getSchema().orElseThrow());
    }
}
