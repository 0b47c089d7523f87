package io.albis.trino.metadata;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.util.concurrent.Uninterruptibles;
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
import io.trino.filesystem.FileIterator;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystem;
import io.trino.spi.TrinoException;
import io.trino.spi.catalog.CatalogName;
import io.trino.spi.connector.ColumnMetadata;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.ConnectorTableMetadata;
import io.trino.spi.connector.RelationColumnsMetadata;
import io.trino.spi.connector.RelationCommentMetadata;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.security.TrinoPrincipal;
import io.trino.spi.type.TypeId;
import io.trino.testing.TestingConnectorSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.Streams.stream;
import static io.airlift.units.DataSize.Unit.MEGABYTE;
import static io.albis.trino.error.AlbisErrorCode.ALBIS_FILESYSTEM_ERROR;
import static io.trino.spi.connector.SaveMode.FAIL;
import static io.trino.spi.security.PrincipalType.USER;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static io.trino.type.InternalTypeManager.TESTING_TYPE_MANAGER;
import static java.util.concurrent.Executors.newCachedThreadPool;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Listings and DROP when the storage of one table fails, with each kind of exception, temporarily or permanently.
 */
class TestListingFaults
{
    private static final AlbisConfig CONFIG = new AlbisConfig().setWarehouse("memory:///warehouse");
    private static final SchemaTableName BROKEN = new SchemaTableName("s", "broken");
    private static final int PARALLELISM = 4;

    private interface Fault
    {
        void before(Operation operation)
                throws IOException;
    }

    private final ConnectorSession session = TestingConnectorSession.builder()
            .setPropertyMetadata(new AlbisSessionProperties(CONFIG, new AlbisReadConfig()).getSessionProperties())
            .build();
    private final TrinoFileSystem storage = new MemoryFileSystem();
    private volatile Fault fault = _ -> {};
    private final TrinoFileSystem fileSystem = new HookedFileSystem(storage, new HookedFileSystem.Hook()
    {
        @Override
        public void before(Operation operation)
                throws IOException
        {
            fault.before(operation);
        }
    });
    private final ExecutorService threads = newCachedThreadPool();
    private final AlbisMetadataFactory transactions = new AlbisMetadataFactory(
            new CatalogName("albis"),
            CONFIG,
            _ -> fileSystem,
            typeId -> TESTING_TYPE_MANAGER.getType(TypeId.of(typeId)),
            new LocalRoot(Optional.empty()),
            new CommitStats(),
            new ManifestCache(DataSize.of(1, MEGABYTE), new ManifestExecutor("test", 2)),
            new ListingExecutor(threads, PARALLELISM),
            new QueryReads());

    @AfterEach
    void tearDown()
    {
        threads.shutdownNow();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void testListings(boolean unchecked)
    {
        createTables("first", "broken", "last");
        fault = brokenTable(unchecked);
        assertThat(listColumns(Optional.of("s"))).containsExactlyInAnyOrder("first", "last");
        assertThat(listColumns(Optional.empty())).containsExactlyInAnyOrder("first", "last");
        Iterator<RelationCommentMetadata> comments = begin().streamRelationComments(session, Optional.of("s"), UnaryOperator.identity());
        assertThat(stream(comments).map(comment -> comment.name().getTableName())).containsExactlyInAnyOrder("first", "last");
        assertThat(begin().listTables(session, Optional.empty())).hasSize(3);
    }

    @Test
    void testSchemaThatCannotBeListed()
    {
        createTables("first");
        begin().createSchema(session, "closed", ImmutableMap.of(), new TrinoPrincipal(USER, session.getUser()));
        fault = operation -> {
            if (operation.kind() == Kind.LIST && operation.location().path().contains("closed")) {
                throw new IOException("permission denied");
            }
        };
        assertThat(begin().listTables(session, Optional.empty())).containsExactly(new SchemaTableName("s", "first"));
        assertThat(listColumns(Optional.empty())).containsExactly("first");
        assertTrinoExceptionThrownBy(() -> begin().listTables(session, Optional.of("closed"))).hasErrorCode(ALBIS_FILESYSTEM_ERROR);
    }

    /**
     * An interrupted listing must not be mistaken for the listing of a warehouse with fewer schemas.
     */
    @Test
    void testCanceledWhileSchemasAreListed()
    {
        createTables("first");
        begin().createSchema(session, "closed", ImmutableMap.of(), new TrinoPrincipal(USER, session.getUser()));
        List<IOException> failures = ImmutableList.of(
                new ClosedByInterruptException(),
                new InterruptedIOException("interrupted"),
                new IOException(new InterruptedException()));
        for (IOException failure : failures) {
            fault = listingOfClosed(() -> failure);
            assertTrinoExceptionThrownBy(() -> begin().listSchemaNames(session)).hasErrorCode(ALBIS_FILESYSTEM_ERROR);
            assertTrinoExceptionThrownBy(() -> begin().listTables(session, Optional.empty())).hasErrorCode(ALBIS_FILESYSTEM_ERROR);
        }
        fault = listingOfClosed(() -> {
            Thread.currentThread().interrupt();
            return new IOException("the connection was closed");
        });
        assertTrinoExceptionThrownBy(() -> begin().listSchemaNames(session)).hasErrorCode(ALBIS_FILESYSTEM_ERROR);
        assertThat(Thread.interrupted()).isTrue();

        // This is not an interrupt, although it is a subclass of InterruptedIOException
        fault = listingOfClosed(() -> new SocketTimeoutException("timed out"));
        assertThat(begin().listSchemaNames(session)).containsExactly("s");
    }

    private static Fault listingOfClosed(Supplier<IOException> failure)
    {
        return operation -> {
            if (operation.kind() == Kind.LIST && operation.location().path().contains("closed")) {
                throw failure.get();
            }
        };
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void testDrop(boolean unchecked)
            throws IOException
    {
        createTables("first", "broken", "last");
        int versions = versions();
        fault = brokenTable(unchecked);
        AlbisMetadata metadata = begin();
        ConnectorTableHandle handle = metadata.getTableHandle(session, BROKEN, Optional.empty(), Optional.empty());
        assertTrinoExceptionThrownBy(() -> metadata.getTableMetadata(session, handle))
                .hasErrorCode(ALBIS_FILESYSTEM_ERROR)
                .hasMessageContaining("the storage of this table fails");
        metadata.dropTable(session, handle);
        assertThat(begin().listTables(session, Optional.of("s"))).extracting(SchemaTableName::getTableName).containsExactlyInAnyOrder("first", "last");
        assertThat(begin().getTableHandle(session, BROKEN, Optional.empty(), Optional.empty())).isNull();
        assertThat(versions()).as("versions, of which none was added").isEqualTo(versions);
        fault = _ -> {};
        assertThat(begin().getTableHandle(session, BROKEN, Optional.empty(), Optional.empty())).isNull();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void testDropAfterPassingFailure(boolean unchecked)
            throws IOException
    {
        createTables("first", "broken", "last");
        int versions = versions();
        fault = brokenTable(unchecked);
        AlbisMetadata metadata = begin();
        ConnectorTableHandle handle = metadata.getTableHandle(session, BROKEN, Optional.empty(), Optional.empty());
        fault = _ -> {};
        metadata.dropTable(session, handle);
        assertThat(begin().listTables(session, Optional.of("s"))).hasSize(2);
        // Like any DROP, it records in the table that the table has no name
        assertThat(versions()).isEqualTo(versions + 1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void testDropSchemaCascade(boolean unchecked)
    {
        createTables("first", "broken", "last");
        fault = brokenTable(unchecked);
        begin().dropSchema(session, "s", true);
        assertThat(begin().listSchemaNames(session)).isEmpty();
    }

    /**
     * It is unknown whether the table exists, so CREATE TABLE IF NOT EXISTS must not report success.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void testStorageThatAnswersNothing(boolean unchecked)
    {
        createTables("first");
        fault = _ -> fail(unchecked);
        for (String table : List.of("first", "none")) {
            assertTrinoExceptionThrownBy(() -> begin().getTableHandle(session, new SchemaTableName("s", table), Optional.empty(), Optional.empty()))
                    .hasErrorCode(ALBIS_FILESYSTEM_ERROR);
        }
    }

    @Test
    void testNoTableWhereOnlyLookingFails()
    {
        createTables("first");
        fault = operation -> {
            if (operation.kind() == Kind.LIST) {
                fail(false);
            }
        };
        assertTrinoExceptionThrownBy(() -> begin().getTableHandle(session, new SchemaTableName("s", "none"), Optional.empty(), Optional.empty()))
                .hasErrorCode(ALBIS_FILESYSTEM_ERROR);
    }

    /**
     * The first reads of several tables wait for each other, so a listing that loads one table at a time would never
     * finish.
     */
    @Test
    void testTablesAreLoadedTogether()
    {
        String[] names = new String[20];
        for (int i = 0; i < names.length; i++) {
            names[i] = "t" + i;
        }
        createTables(names);
        CountDownLatch together = new CountDownLatch(PARALLELISM + 1);
        fault = operation -> {
            if (operation.kind() == Kind.READ) {
                together.countDown();
                if (!Uninterruptibles.awaitUninterruptibly(together, 60, SECONDS)) {
                    throw new IOException("nobody else reads");
                }
            }
        };
        assertThat(listColumns(Optional.of("s"))).containsExactlyInAnyOrder(names);
        assertThat(together.getCount()).isZero();
    }

    // The exceptions that channels and clients throw in an interrupted thread
    static List<IOException> interruptions()
    {
        return ImmutableList.of(new ClosedByInterruptException(), new InterruptedIOException("interrupted"));
    }

    @ParameterizedTest
    @MethodSource("interruptions")
    void testCanceled(IOException failure)
    {
        createTables("first", "broken", "last");
        fault = operation -> {
            if (operation.kind() == Kind.READ) {
                throw failure;
            }
        };
        assertThatThrownBy(() -> listColumns(Optional.of("s"))).isInstanceOf(TrinoException.class);
    }

    @Test
    void testTimeout()
    {
        createTables("first", "broken", "last");
        fault = operation -> {
            if (operation.kind() == Kind.READ && operation.location().path().contains("/broken-")) {
                throw new SocketTimeoutException("timed out");
            }
        };
        assertThat(listColumns(Optional.of("s"))).containsExactlyInAnyOrder("first", "last");
    }

    private static Fault brokenTable(boolean unchecked)
    {
        return operation -> {
            if (operation.kind() == Kind.READ && operation.location().path().contains("/broken-")) {
                fail(unchecked);
            }
        };
    }

    private static void fail(boolean unchecked)
            throws IOException
    {
        if (unchecked) {
            throw new IllegalStateException("the storage of this table fails");
        }
        throw new IOException("the storage of this table fails");
    }

    private AlbisMetadata begin()
    {
        return transactions.create(session, TransactionMode.AUTO_COMMIT);
    }

    private void createTables(String... names)
    {
        begin().createSchema(session, "s", ImmutableMap.of(), new TrinoPrincipal(USER, session.getUser()));
        for (String name : names) {
            begin().createTable(session, new ConnectorTableMetadata(new SchemaTableName("s", name), ImmutableList.of(new ColumnMetadata("id", BIGINT)), ImmutableMap.of()), FAIL);
        }
    }

    private List<String> listColumns(Optional<String> schema)
    {
        Iterator<RelationColumnsMetadata> columns = begin().streamRelationColumns(session, schema, Set::copyOf);
        return stream(columns)
                .map(relation -> relation.name().getTableName())
                .collect(toImmutableList());
    }

    private int versions()
            throws IOException
    {
        int count = 0;
        FileIterator files = storage.listFiles(Location.of("memory:///warehouse"));
        while (files.hasNext()) {
            Location location = files.next().location();
            if (location.parentDirectory().fileName().equals("versions") && location.fileName().endsWith(".json")) {
                count++;
            }
        }
        return count;
    }
}
