package io.albis.trino.write;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.airlift.json.JsonCodec;
import io.airlift.json.JsonCodecFactory;
import io.airlift.json.JsonMapperProvider;
import io.airlift.slice.Slice;
import io.airlift.units.DataSize;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.albis.table.HookedFileSystem;
import io.albis.table.HookedFileSystem.Operation;
import io.albis.trino.config.AlbisConfig;
import io.albis.trino.config.AlbisReadConfig;
import io.albis.trino.config.AlbisSessionProperties;
import io.albis.trino.handle.AlbisTableHandle;
import io.albis.trino.handle.AlbisTransactionHandle;
import io.albis.trino.handle.AlbisWritableTableHandle;
import io.albis.trino.manifest.ManifestCache;
import io.albis.trino.manifest.ManifestExecutor;
import io.albis.trino.metadata.AlbisMetadata;
import io.albis.trino.metadata.AlbisMetadataFactory;
import io.albis.trino.metadata.ListingExecutor;
import io.albis.trino.procedure.TransactionMode;
import io.albis.trino.relation.QueryReads;
import io.albis.trino.sink.AlbisPageSinkProvider;
import io.albis.trino.sink.WriteStats;
import io.albis.trino.storage.LocalRoot;
import io.trino.filesystem.FileIterator;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.TrinoFileSystemException;
import io.trino.filesystem.TrinoInputFile;
import io.trino.filesystem.memory.MemoryFileSystem;
import io.trino.plugin.base.TypeDeserializer;
import io.trino.spi.Page;
import io.trino.spi.PageSorter;
import io.trino.spi.block.LongArrayBlock;
import io.trino.spi.catalog.CatalogName;
import io.trino.spi.connector.ColumnMetadata;
import io.trino.spi.connector.ConnectorInsertTableHandle;
import io.trino.spi.connector.ConnectorPageSink;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableMetadata;
import io.trino.spi.connector.RetryMode;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.security.TrinoPrincipal;
import io.trino.spi.type.Type;
import io.trino.spi.type.TypeId;
import io.trino.testing.TestingConnectorSession;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.LongStream;

import static io.airlift.units.DataSize.Unit.MEGABYTE;
import static io.trino.spi.connector.RetryMode.NO_RETRIES;
import static io.trino.spi.connector.SaveMode.FAIL;
import static io.trino.spi.security.PrincipalType.USER;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.type.InternalTypeManager.TESTING_TYPE_MANAGER;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs the steps of a write as the engine does, on storage that can fail.
 */
abstract class BaseTableWritesTest
{
    static final SchemaTableName TABLE = new SchemaTableName("s", "t");
    static final ConnectorTableMetadata TABLE_METADATA = new ConnectorTableMetadata(TABLE, ImmutableList.of(new ColumnMetadata("id", BIGINT)), ImmutableMap.of());
    static final PageSorter UNSORTED = (_, _, _, _, _) -> {
        throw new AssertionError("the table is not sorted");
    };
    private static final AlbisConfig CONFIG = new AlbisConfig().setWarehouse("memory:///warehouse").setAllowedLocations(ImmutableList.of("memory:///elsewhere"));
    private static final JsonCodec<AlbisWritableTableHandle> HANDLE_CODEC = new JsonCodecFactory(new JsonMapperProvider()
            .withJsonDeserializers(Map.of(Type.class, new TypeDeserializer(TESTING_TYPE_MANAGER))))
            .jsonCodec(AlbisWritableTableHandle.class);

    final ConnectorSession session = TestingConnectorSession.builder()
            .setPropertyMetadata(new AlbisSessionProperties(CONFIG, new AlbisReadConfig()).getSessionProperties())
            .build();
    final TrinoFileSystem storage = new MemoryFileSystem();
    volatile Predicate<Operation> failing = _ -> false;
    // Operations that take effect before they fail
    volatile Predicate<Operation> failingAfter = _ -> false;
    final TrinoFileSystem fileSystem = new HookedFileSystem(storage, new HookedFileSystem.Hook()
    {
        @Override
        public void before(Operation operation)
                throws IOException
        {
            if (failing.test(operation)) {
                throw new TrinoFileSystemException("%s of %s fails".formatted(operation.kind(), operation.location().fileName()));
            }
        }

        @Override
        public void after(Operation operation)
                throws IOException
        {
            if (failingAfter.test(operation)) {
                throw new TrinoFileSystemException("Response to %s of %s is lost".formatted(operation.kind(), operation.location().fileName()));
            }
        }
    });
    private final QueryReads queryReads = new QueryReads();
    private final AlbisMetadataFactory transactions = createTransactions("albis");
    private final AlbisMetadataFactory otherTransactions = createTransactions("other");

    BaseTableWritesTest()
    {
        begin().createSchema(session, TABLE.getSchemaName(), ImmutableMap.of(), new TrinoPrincipal(USER, "user"));
    }

    private AlbisMetadataFactory createTransactions(String catalogName)
    {
        return new AlbisMetadataFactory(new CatalogName(catalogName), CONFIG, _ -> fileSystem, typeId -> TESTING_TYPE_MANAGER.getType(TypeId.of(typeId)), new LocalRoot(Optional.empty()), new CommitStats(), new ManifestCache(DataSize.of(1, MEGABYTE), new ManifestExecutor("test", 2)), ListingExecutor.direct(), queryReads);
    }

    AlbisMetadata begin()
    {
        return transactions.create(session, TransactionMode.AUTO_COMMIT);
    }

    /**
     * Begins a transaction of the same statement in another catalog with the same warehouse.
     */
    AlbisMetadata beginInOtherCatalog()
    {
        return otherTransactions.create(session, TransactionMode.AUTO_COMMIT);
    }

    void createTable()
    {
        begin().createTable(session, TABLE_METADATA, FAIL);
    }

    void insert(int rows)
    {
        AlbisMetadata transaction = begin();
        AlbisWritableTableHandle handle = beginInsert(transaction, NO_RETRIES);
        finishInsert(transaction, handle, write(handle, rows));
    }

    AlbisWritableTableHandle beginCreate(AlbisMetadata transaction, RetryMode retryMode)
    {
        return (AlbisWritableTableHandle) transaction.beginCreateTable(session, TABLE_METADATA, Optional.empty(), retryMode, false);
    }

    AlbisWritableTableHandle beginInsert(AlbisMetadata transaction, RetryMode retryMode)
    {
        return (AlbisWritableTableHandle) transaction.beginInsert(
                session,
                transaction.getTableHandle(session, TABLE, Optional.empty(), Optional.empty()),
                ImmutableList.of(),
                retryMode);
    }

    void finishCreate(AlbisMetadata transaction, AlbisWritableTableHandle handle, Collection<Slice> fragments)
    {
        transaction.finishCreateTable(session, handle, fragments, ImmutableList.of());
    }

    void finishInsert(AlbisMetadata transaction, AlbisWritableTableHandle handle, Collection<Slice> fragments)
    {
        transaction.finishInsert(session, handle, ImmutableList.of(), fragments, ImmutableList.of());
    }

    /**
     * Runs one attempt of a task that writes rows.
     */
    Collection<Slice> write(AlbisWritableTableHandle handle, int rows)
    {
        // The handle as a worker receives it
        AlbisWritableTableHandle received = HANDLE_CODEC.fromJson(HANDLE_CODEC.toJson(handle));
        assertThat(received).isEqualTo(handle);
        ConnectorPageSink sink = new AlbisPageSinkProvider(_ -> fileSystem, new WriteStats(), (_, _) -> {
            throw new AssertionError("a load does not read the table");
        }, UNSORTED).createPageSink(
                new AlbisTransactionHandle(handle.tableId()),
                session,
                (ConnectorInsertTableHandle) received,
                Optional.empty(),
                () -> 1);
        sink.appendPage(new Page(new LongArrayBlock(rows, Optional.empty(), LongStream.range(0, rows).toArray())));
        return sink.finish().join();
    }

    /**
     * Asserts the number of rows, and that all their files exist.
     */
    void assertRows(long expected)
    {
        assertRows(TABLE, expected);
    }

    void assertRows(SchemaTableName name, long expected)
    {
        AlbisMetadata transaction = begin();
        AlbisTableHandle table = (AlbisTableHandle) transaction.getTableHandle(session, name, Optional.empty(), Optional.empty());
        long rows = 0;
        for (RowGroup rowGroup : transaction.rowGroups(table, TupleDomain.all()).rowGroups()) {
            rows += rowGroup.rows();
            for (ColumnGroupInstance columnGroup : rowGroup.columnGroups()) {
                assertThat(storage.newInputFile(rowGroup.dataFile(Location.of(table.folder()), columnGroup))).matches(BaseTableWritesTest::exists);
                assertThat(storage.newInputFile(rowGroup.metadataFile(Location.of(table.folder()), columnGroup))).matches(BaseTableWritesTest::exists);
            }
        }
        assertThat(rows).isEqualTo(expected);
    }

    static boolean exists(TrinoInputFile file)
    {
        try {
            return file.exists();
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Set<String> rowGroupFolders()
            throws IOException
    {
        Set<String> folders = new TreeSet<>();
        for (String file : files("memory:///")) {
            int start = file.indexOf("/rg-");
            if (start >= 0) {
                folders.add(file.substring(start + 1, file.indexOf('/', start + 1)));
            }
        }
        return folders;
    }

    List<String> files(String folder)
            throws IOException
    {
        ImmutableList.Builder<String> files = ImmutableList.builder();
        FileIterator iterator = storage.listFiles(Location.of(folder));
        while (iterator.hasNext()) {
            files.add(iterator.next().location().toString());
        }
        return files.build();
    }
}
