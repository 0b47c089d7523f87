package io.albis.trino.metadata;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.airlift.units.DataSize;
import io.albis.table.HookedFileSystem;
import io.albis.table.HookedFileSystem.Kind;
import io.albis.table.HookedFileSystem.Operation;
import io.albis.trino.config.AlbisConfig;
import io.albis.trino.config.AlbisReadConfig;
import io.albis.trino.config.AlbisSessionProperties;
import io.albis.trino.manifest.ManifestCache;
import io.albis.trino.manifest.ManifestExecutor;
import io.albis.trino.procedure.TransactionMode;
import io.albis.trino.relation.QueryReads;
import io.albis.trino.storage.LocalRoot;
import io.albis.trino.write.CommitStats;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystem;
import io.trino.spi.catalog.CatalogName;
import io.trino.spi.connector.ColumnMetadata;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableMetadata;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.security.TrinoPrincipal;
import io.trino.spi.type.TypeId;
import io.trino.testing.TestingConnectorSession;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.util.Optional;

import static io.airlift.units.DataSize.Unit.MEGABYTE;
import static io.trino.spi.connector.SaveMode.FAIL;
import static io.trino.spi.security.PrincipalType.USER;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.type.InternalTypeManager.TESTING_TYPE_MANAGER;
import static org.assertj.core.api.Assertions.assertThat;

final class TestSchemaOperations
{
    private static final ConnectorSession SESSION = TestingConnectorSession.builder()
            .setPropertyMetadata(new AlbisSessionProperties(new AlbisConfig().setWarehouse("memory:///warehouse"), new AlbisReadConfig()).getSessionProperties())
            .build();

    private final TrinoFileSystem storage = new MemoryFileSystem();

    TestSchemaOperations()
    {
        begin(storage).createSchema(SESSION, "s", ImmutableMap.of(), new TrinoPrincipal(USER, SESSION.getUser()));
        for (String name : ImmutableList.of("a", "b", "c")) {
            begin(storage).createTable(SESSION, new ConnectorTableMetadata(new SchemaTableName("s", name), ImmutableList.of(new ColumnMetadata("id", BIGINT))), FAIL);
        }
    }

    /**
     * Another client drops a table after it was loaded, or drops a damaged table after its damage was detected.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void testCascadeGoesOn(boolean damaged)
            throws IOException
    {
        if (damaged) {
            storage.newOutputFile(Location.of("memory:///warehouse/s/tables/b/00000000000000000001.json")).createOrOverwrite(new byte[1]);
        }
        boolean[] done = new boolean[1];
        TrinoFileSystem hooked = new HookedFileSystem(storage, new HookedFileSystem.Hook()
        {
            @Override
            public void before(Operation operation)
            {
                String folder = damaged ? "/s/tables/b/" : "/s/b-";
                if (!done[0] && operation.kind() == Kind.CREATE_EXCLUSIVE && operation.location().toString().contains(folder)) {
                    done[0] = true;
                    AlbisMetadata other = begin(storage);
                    other.dropTable(SESSION, other.getTableHandle(SESSION, new SchemaTableName("s", "b"), Optional.empty(), Optional.empty()));
                }
            }
        });
        begin(hooked).dropSchema(SESSION, "s", true);
        assertThat(done[0]).isTrue();
        assertThat(begin(storage).listSchemaNames(SESSION)).isEmpty();
    }

    private static AlbisMetadata begin(TrinoFileSystem fileSystem)
    {
        return new AlbisMetadataFactory(
                new CatalogName("albis"),
                new AlbisConfig().setWarehouse("memory:///warehouse"),
                _ -> fileSystem,
                typeId -> TESTING_TYPE_MANAGER.getType(TypeId.of(typeId)),
                new LocalRoot(Optional.empty()),
                new CommitStats(),
                new ManifestCache(DataSize.of(1, MEGABYTE), new ManifestExecutor("test", 2)),
                ListingExecutor.direct(),
                new QueryReads()).create(SESSION, TransactionMode.AUTO_COMMIT);
    }
}
