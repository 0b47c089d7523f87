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
import io.albis.table.HookedFileSystem.Kind;
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
import io.albis.trino.storage.LocalRoot;
import io.trino.filesystem.FileIterator;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.TrinoFileSystemException;
import io.trino.filesystem.TrinoInputFile;
import io.trino.filesystem.memory.MemoryFileSystem;
import io.trino.plugin.base.TypeDeserializer;
import io.trino.spi.Page;
import io.trino.spi.TrinoException;
import io.trino.spi.block.LongArrayBlock;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
import java.util.stream.LongStream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.util.concurrent.Uninterruptibles.awaitUninterruptibly;
import static io.airlift.units.DataSize.Unit.MEGABYTE;
import static io.albis.trino.error.AlbisErrorCode.ALBIS_FILESYSTEM_ERROR;
import static io.trino.spi.connector.RetryMode.NO_RETRIES;
import static io.trino.spi.connector.RetryMode.RETRIES_ENABLED;
import static io.trino.spi.connector.SaveMode.FAIL;
import static io.trino.spi.security.PrincipalType.USER;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static io.trino.type.InternalTypeManager.TESTING_TYPE_MANAGER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Task attempts that fail, are forgotten, or report twice, as in fault-tolerant execution.
 */
class TestTableWrites
{
    private static final SchemaTableName TABLE = new SchemaTableName("s", "t");
    private static final ConnectorTableMetadata TABLE_METADATA = new ConnectorTableMetadata(TABLE, ImmutableList.of(new ColumnMetadata("id", BIGINT)), ImmutableMap.of());
    private static final AlbisConfig CONFIG = new AlbisConfig().setWarehouse("memory:///warehouse").setAllowedLocations(ImmutableList.of("memory:///elsewhere"));
    private static final JsonCodec<AlbisWritableTableHandle> HANDLE_CODEC = new JsonCodecFactory(new JsonMapperProvider()
            .withJsonDeserializers(Map.of(Type.class, new TypeDeserializer(TESTING_TYPE_MANAGER))))
            .jsonCodec(AlbisWritableTableHandle.class);

    private final ConnectorSession session = TestingConnectorSession.builder()
            .setPropertyMetadata(new AlbisSessionProperties(CONFIG, new AlbisReadConfig()).getSessionProperties())
            .build();
    private final TrinoFileSystem storage = new MemoryFileSystem();
    private volatile Predicate<Operation> failing = _ -> false;
    private final TrinoFileSystem fileSystem = new HookedFileSystem(storage, new HookedFileSystem.Hook()
    {
        @Override
        public void before(Operation operation)
                throws IOException
        {
            if (failing.test(operation)) {
                throw new TrinoFileSystemException("%s of %s fails".formatted(operation.kind(), operation.location().fileName()));
            }
        }
    });
    private final AlbisMetadataFactory transactions = new AlbisMetadataFactory(CONFIG, _ -> fileSystem, typeId -> TESTING_TYPE_MANAGER.getType(TypeId.of(typeId)), new LocalRoot(Optional.empty()), new CommitStats(), new ManifestCache(DataSize.of(1, MEGABYTE), new ManifestExecutor("test", 2)), ListingExecutor.direct());

    TestTableWrites()
    {
        begin().createSchema(session, TABLE.getSchemaName(), ImmutableMap.of(), new TrinoPrincipal(USER, "user"));
    }

    @ParameterizedTest
    @EnumSource
    void testInsertFinishedTwice(RetryMode retryMode)
            throws IOException
    {
        createTable();
        AlbisMetadata transaction = begin();
        AlbisWritableTableHandle handle = beginInsert(transaction, retryMode);
        Collection<Slice> fragments = write(handle, 10);
        finishInsert(transaction, handle, fragments);
        finishInsert(transaction, handle, fragments);
        if (retryMode == RETRIES_ENABLED) {
            // With retry-policy QUERY, the engine runs all tasks again
            finishInsert(transaction, handle, write(handle, 10));
        }
        assertRows(10);
        assertThat(rowGroupFolders()).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void testCreateFinishedTwice(RetryMode retryMode)
            throws IOException
    {
        AlbisMetadata transaction = begin();
        AlbisWritableTableHandle handle = beginCreate(transaction, retryMode);
        Collection<Slice> fragments = write(handle, 10);
        finishCreate(transaction, handle, fragments);
        finishCreate(transaction, handle, fragments);
        if (retryMode == RETRIES_ENABLED) {
            finishCreate(transaction, handle, write(handle, 10));
        }
        assertRows(10);
        assertThat(rowGroupFolders()).hasSize(1);
    }

    @Test
    void testInsertFinishedAfterFailure()
            throws IOException
    {
        createTable();
        AlbisMetadata transaction = begin();
        AlbisWritableTableHandle handle = beginInsert(transaction, RETRIES_ENABLED);
        Collection<Slice> fragments = write(handle, 10);
        assertFinishesAfter(() -> finishInsert(transaction, handle, fragments), ImmutableList.of(
                operation -> operation.kind() == Kind.CREATE && operation.location().path().contains("/manifests/"),
                operation -> operation.kind() == Kind.READ && operation.location().path().contains("/versions/")));
    }

    @Test
    void testCreateFinishedAfterFailure()
            throws IOException
    {
        AlbisMetadata transaction = begin();
        AlbisWritableTableHandle handle = beginCreate(transaction, RETRIES_ENABLED);
        Collection<Slice> fragments = write(handle, 10);
        assertFinishesAfter(() -> finishCreate(transaction, handle, fragments), ImmutableList.of(
                operation -> operation.kind() == Kind.CREATE && operation.location().path().contains("/manifests/"),
                operation -> operation.kind() == Kind.LIST && operation.location().path().contains("/.schema"),
                operation -> operation.kind() == Kind.LIST && operation.location().path().contains("/tables/")));
    }

    /**
     * Asserts that the finish succeeds after failures that occur before anything is committed.
     */
    private void assertFinishesAfter(Runnable finish, List<Predicate<Operation>> failures)
            throws IOException
    {
        for (Predicate<Operation> failure : failures) {
            failing = failure;
            assertThatThrownBy(finish::run)
                    .isInstanceOf(TrinoException.class)
                    .hasMessageStartingWith("Storage failed: ");
        }
        failing = _ -> false;
        finish.run();
        assertRows(10);
        assertThat(rowGroupFolders()).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void testCreateRolledBackAfterFailure(RetryMode retryMode)
            throws IOException
    {
        AlbisMetadata transaction = begin();
        AlbisWritableTableHandle handle = beginCreate(transaction, retryMode);
        failing = operation -> operation.kind() == Kind.CREATE && operation.location().path().contains("/manifests/");
        assertThatThrownBy(() -> finishCreate(transaction, handle, write(handle, 10)))
                .isInstanceOf(TrinoException.class)
                .hasMessageStartingWith("Storage failed: ");
        transaction.rollback();
        assertThat(begin().getTableHandle(session, TABLE, Optional.empty(), Optional.empty())).isNull();
        assertThat(rowGroupFolders()).isEmpty();
    }

    /**
     * If the outcome of a commit is unknown, it is not repeated, and its files are kept.
     */
    @Test
    void testInsertOfUnknownOutcome()
            throws IOException
    {
        createTable();
        AlbisMetadata transaction = begin();
        AlbisWritableTableHandle handle = beginInsert(transaction, RETRIES_ENABLED);
        Collection<Slice> fragments = write(handle, 10);
        Set<String> maybeCommitted = rowGroupFolders();
        failing = operation -> (operation.kind() == Kind.CREATE_EXCLUSIVE || operation.kind() == Kind.READ) && operation.location().fileName().endsWith("2.json");
        for (int attempt = 0; attempt < 2; attempt++) {
            assertThatThrownBy(() -> finishInsert(transaction, handle, fragments))
                    // Otherwise the engine would write all rows again
                    .isInstanceOfSatisfying(TrinoException.class, e -> assertThat(e.getErrorCode().isFatal()).isTrue())
                    .hasMessageContaining("it is unknown whether the file exists")
                    // The cause of the failure
                    .hasMessageContaining("fails");
            failing = _ -> false;
        }
        write(handle, 10);
        transaction.rollback();
        assertRows(0);
        assertThat(rowGroupFolders()).isEqualTo(maybeCommitted);
    }

    /**
     * The manifests that a commit merges are read before any file is put.
     */
    @Test
    void testInterruptedWhileManifestsAreMerged()
            throws IOException
    {
        createTable();
        for (int i = 0; i < 7; i++) {
            insert(10);
        }
        AlbisMetadata transaction = begin();
        AlbisWritableTableHandle handle = beginInsert(transaction, NO_RETRIES);
        Collection<Slice> fragments = write(handle, 10);
        List<String> manifests = manifests();
        Thread committing = Thread.currentThread();
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch answered = new CountDownLatch(1);
        failing = operation -> {
            if (operation.kind() == Kind.READ && operation.location().path().contains("/manifests/")) {
                if (Thread.currentThread() == committing) {
                    awaitUninterruptibly(reading);
                }
                else {
                    committing.interrupt();
                    reading.countDown();
                    awaitUninterruptibly(answered);
                }
            }
            return false;
        };
        try {
            assertTrinoExceptionThrownBy(() -> finishInsert(transaction, handle, fragments)).hasErrorCode(ALBIS_FILESYSTEM_ERROR);
            assertThat(Thread.interrupted()).isTrue();
        }
        finally {
            answered.countDown();
        }
        assertThat(reading.getCount()).isZero();
        failing = _ -> false;
        transaction.rollback();
        assertThat(rowGroupFolders()).hasSize(7);
        assertThat(manifests()).isEqualTo(manifests);
        assertRows(70);
    }

    private List<String> manifests()
            throws IOException
    {
        return files("memory:///").stream()
                .filter(file -> file.contains("/manifests/"))
                .collect(toImmutableList());
    }

    @ParameterizedTest
    @EnumSource
    void testFilesOfAbandonedAttempts(RetryMode retryMode)
            throws IOException
    {
        AlbisMetadata creation = begin();
        AlbisWritableTableHandle created = beginCreate(creation, retryMode);
        write(created, 3);
        finishCreate(creation, created, write(created, 5));
        int abandoned = retryMode == NO_RETRIES ? 1 : 0;
        assertThat(rowGroupFolders()).hasSize(1 + abandoned);

        AlbisMetadata insertion = begin();
        AlbisWritableTableHandle inserted = beginInsert(insertion, retryMode);
        AlbisMetadata other = begin();
        AlbisWritableTableHandle insertedByOther = beginInsert(other, retryMode);
        Collection<Slice> otherFragments = write(insertedByOther, 20);
        write(inserted, 4);
        write(inserted, 10);
        finishInsert(insertion, inserted, ImmutableList.<Slice>builder()
                .addAll(write(inserted, 10))
                .addAll(write(inserted, 11))
                .build());
        assertThat(rowGroupFolders()).hasSize(4 + 3 * abandoned);
        finishInsert(other, insertedByOther, otherFragments);
        assertRows(5 + 10 + 11 + 20);
    }

    @ParameterizedTest
    @EnumSource
    void testRollback(RetryMode retryMode)
            throws IOException
    {
        createTable();
        insert(10);
        AlbisMetadata transaction = begin();
        write(beginInsert(transaction, retryMode), 20);
        AlbisMetadata other = begin();
        AlbisWritableTableHandle insertedByOther = beginInsert(other, retryMode);
        Collection<Slice> fragments = write(insertedByOther, 5);
        transaction.rollback();
        assertThat(rowGroupFolders()).hasSize(2);
        finishInsert(other, insertedByOther, fragments);
        other.rollback();
        assertRows(15);
    }

    /**
     * The engine may abandon a task that is still running.
     */
    @Test
    void testFinishedAfterRollback()
    {
        createTable();
        AlbisMetadata transaction = begin();
        AlbisWritableTableHandle handle = beginInsert(transaction, RETRIES_ENABLED);
        Collection<Slice> fragments = write(handle, 10);
        transaction.rollback();
        assertThatThrownBy(() -> finishInsert(transaction, handle, fragments))
                .isInstanceOf(TrinoException.class)
                .hasMessage("The write into s.t was rolled back");
        assertRows(0);
    }

    @Test
    void testRollbackOfCreateInNamedFolder()
            throws IOException
    {
        Location other = Location.of("memory:///elsewhere/other");
        AlbisMetadata transaction = begin();
        AlbisWritableTableHandle handle = (AlbisWritableTableHandle) transaction.beginCreateTable(
                session,
                new ConnectorTableMetadata(TABLE, TABLE_METADATA.getColumns(), ImmutableMap.of("location", "memory:///elsewhere")),
                Optional.empty(),
                NO_RETRIES,
                false);
        storage.newOutputFile(other).createOrOverwrite(new byte[1]);
        failing = operation -> operation.kind() == Kind.CREATE && operation.location().path().contains("/manifests/");
        assertThatThrownBy(() -> finishCreate(transaction, handle, write(handle, 10)))
                .isInstanceOf(TrinoException.class)
                .hasMessageStartingWith("Storage failed: ");
        transaction.rollback();
        assertThat(files("memory:///elsewhere/")).containsExactly(other.toString());
    }

    private AlbisMetadata begin()
    {
        return transactions.create(session);
    }

    private void createTable()
    {
        begin().createTable(session, TABLE_METADATA, FAIL);
    }

    private void insert(int rows)
    {
        AlbisMetadata transaction = begin();
        AlbisWritableTableHandle handle = beginInsert(transaction, NO_RETRIES);
        finishInsert(transaction, handle, write(handle, rows));
    }

    private AlbisWritableTableHandle beginCreate(AlbisMetadata transaction, RetryMode retryMode)
    {
        return (AlbisWritableTableHandle) transaction.beginCreateTable(session, TABLE_METADATA, Optional.empty(), retryMode, false);
    }

    private AlbisWritableTableHandle beginInsert(AlbisMetadata transaction, RetryMode retryMode)
    {
        return (AlbisWritableTableHandle) transaction.beginInsert(
                session,
                transaction.getTableHandle(session, TABLE, Optional.empty(), Optional.empty()),
                ImmutableList.of(),
                retryMode);
    }

    private void finishCreate(AlbisMetadata transaction, AlbisWritableTableHandle handle, Collection<Slice> fragments)
    {
        transaction.finishCreateTable(session, handle, fragments, ImmutableList.of());
    }

    private void finishInsert(AlbisMetadata transaction, AlbisWritableTableHandle handle, Collection<Slice> fragments)
    {
        transaction.finishInsert(session, handle, ImmutableList.of(), fragments, ImmutableList.of());
    }

    /**
     * Runs one attempt of a task that writes rows.
     */
    private Collection<Slice> write(AlbisWritableTableHandle handle, int rows)
    {
        // The handle as a worker receives it
        AlbisWritableTableHandle received = HANDLE_CODEC.fromJson(HANDLE_CODEC.toJson(handle));
        assertThat(received).isEqualTo(handle);
        ConnectorPageSink sink = new AlbisPageSinkProvider(_ -> fileSystem, new WriteStats()).createPageSink(
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
    private void assertRows(long expected)
    {
        AlbisMetadata transaction = begin();
        AlbisTableHandle table = (AlbisTableHandle) transaction.getTableHandle(session, TABLE, Optional.empty(), Optional.empty());
        long rows = 0;
        for (RowGroup rowGroup : transaction.rowGroups(table, TupleDomain.all()).rowGroups()) {
            rows += rowGroup.rows();
            for (ColumnGroupInstance columnGroup : rowGroup.columnGroups()) {
                assertThat(storage.newInputFile(rowGroup.dataFile(Location.of(table.folder()), columnGroup))).matches(TestTableWrites::exists);
                assertThat(storage.newInputFile(rowGroup.metadataFile(Location.of(table.folder()), columnGroup))).matches(TestTableWrites::exists);
            }
        }
        assertThat(rows).isEqualTo(expected);
    }

    private static boolean exists(TrinoInputFile file)
    {
        try {
            return file.exists();
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Set<String> rowGroupFolders()
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

    private List<String> files(String folder)
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
