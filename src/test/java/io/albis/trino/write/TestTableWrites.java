package io.albis.trino.write;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.Slice;
import io.albis.table.HookedFileSystem.Kind;
import io.albis.table.HookedFileSystem.Operation;
import io.albis.table.maintenance.LostTable;
import io.albis.trino.handle.AlbisTableHandle;
import io.albis.trino.handle.AlbisWritableTableHandle;
import io.albis.trino.metadata.AlbisMetadata;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.ConnectorTableVersion;
import io.trino.spi.connector.RetryMode;
import io.trino.spi.predicate.TupleDomain;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.util.concurrent.Uninterruptibles.awaitUninterruptibly;
import static io.airlift.slice.Slices.utf8Slice;
import static io.albis.table.TableFixtures.warehouse;
import static io.albis.trino.error.AlbisErrorCode.ALBIS_FILESYSTEM_ERROR;
import static io.trino.spi.StandardErrorCode.TRANSACTION_CONFLICT;
import static io.trino.spi.connector.PointerType.TARGET_ID;
import static io.trino.spi.connector.PointerType.TEMPORAL;
import static io.trino.spi.connector.RetryMode.NO_RETRIES;
import static io.trino.spi.connector.RetryMode.RETRIES_ENABLED;
import static io.trino.spi.connector.SaveMode.IGNORE;
import static io.trino.spi.connector.SaveMode.REPLACE;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.DateTimeEncoding.packDateTimeWithZone;
import static io.trino.spi.type.TimeZoneKey.UTC_KEY;
import static io.trino.spi.type.TimestampWithTimeZoneType.TIMESTAMP_TZ_MILLIS;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Task attempts that fail or report twice, as in fault-tolerant execution.
 */
class TestTableWrites
        extends BaseTableWritesTest
{
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

    /**
     * An INSERT reads its table at a version that it names. Only a number always names the same version.
     */
    @Test
    void testInsertReadsNamedVersion()
    {
        createTable();
        insert(3);
        long future = Instant.now().plus(Duration.ofHours(1)).toEpochMilli();
        assertTrinoExceptionThrownBy(() -> insertWhileOthersInsert(new ConnectorTableVersion(TARGET_ID, VARCHAR, utf8Slice("main")))).hasErrorCode(TRANSACTION_CONFLICT);
        assertTrinoExceptionThrownBy(() -> insertWhileOthersInsert(new ConnectorTableVersion(TEMPORAL, TIMESTAMP_TZ_MILLIS, packDateTimeWithZone(future, UTC_KEY)))).hasErrorCode(TRANSACTION_CONFLICT);
        assertRows(5);
        insertWhileOthersInsert(new ConnectorTableVersion(TARGET_ID, BIGINT, 4L));
        insertWhileOthersInsert(new ConnectorTableVersion(TARGET_ID, BIGINT, 1L));
        assertRows(5 + 2 * (1 + 10));
    }

    /**
     * Another transaction creates the table after CREATE OR REPLACE TABLE has not found it.
     */
    @Test
    void testReplaceBesideCreate()
    {
        AlbisMetadata transaction = begin();
        assertThat(transaction.getTableHandle(session, TABLE, Optional.empty(), Optional.empty())).isNull();
        createTable();
        insert(3);
        transaction.createTable(session, TABLE_METADATA, REPLACE);
        assertRows(0);
    }

    @Test
    void testReplaceWithRowsBesideCreate()
    {
        AlbisMetadata transaction = begin();
        AlbisWritableTableHandle handle = (AlbisWritableTableHandle) transaction.beginCreateTable(session, TABLE_METADATA, Optional.empty(), NO_RETRIES, true);
        Collection<Slice> fragments = write(handle, 10);
        createTable();
        insert(3);
        assertTrinoExceptionThrownBy(() -> finishCreate(transaction, handle, fragments))
                .hasErrorCode(TRANSACTION_CONFLICT)
                .hasMessage("Another transaction has created the table 's.t' after this statement began. Retry the statement, which then replaces the table");
        assertRows(3);
    }

    /**
     * Another transaction commits while a statement is planned that reads its target in another catalog.
     */
    @Test
    void testReadsOfOtherVersion()
            throws IOException
    {
        createTable();
        AlbisMetadata inserting = begin();
        AlbisWritableTableHandle insert = beginInsert(inserting, NO_RETRIES);
        AlbisMetadata replacing = begin();
        AlbisWritableTableHandle replacement = (AlbisWritableTableHandle) replacing.beginCreateTable(session, TABLE_METADATA, Optional.empty(), NO_RETRIES, true);
        insert(3);
        Set<String> folders = rowGroupFolders();
        AlbisMetadata reading = beginInOtherCatalog();
        reading.rowGroups((AlbisTableHandle) reading.getTableHandle(session, TABLE, Optional.empty(), Optional.empty()), TupleDomain.all());

        Collection<Slice> inserted = write(insert, 10);
        assertTrinoExceptionThrownBy(() -> finishInsert(inserting, insert, inserted)).hasErrorCode(TRANSACTION_CONFLICT);
        Collection<Slice> replaced = write(replacement, 10);
        assertTrinoExceptionThrownBy(() -> finishCreate(replacing, replacement, replaced)).hasErrorCode(TRANSACTION_CONFLICT);
        inserting.rollback();
        replacing.rollback();
        assertThat(rowGroupFolders()).isEqualTo(folders);
        assertRows(3);
    }

    private void insertWhileOthersInsert(ConnectorTableVersion source)
    {
        AlbisMetadata transaction = begin();
        AlbisWritableTableHandle handle = beginInsert(transaction, NO_RETRIES);
        ConnectorTableHandle sourceHandle = transaction.getTableHandle(session, TABLE, Optional.empty(), Optional.of(source));
        Collection<Slice> fragments = write(handle, 10);
        insert(1);
        transaction.finishInsert(session, handle, ImmutableList.of(sourceHandle), fragments, ImmutableList.of());
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

    @Test
    void testCreateEmptyTableFails()
    {
        failing = operation -> operation.kind() == Kind.LIST && operation.location().path().contains("/tables/");
        assertTrinoExceptionThrownBy(this::createTable).hasErrorCode(ALBIS_FILESYSTEM_ERROR);
        failing = _ -> false;
        assertThat(warehouse(storage).maintenance().findLostTables(Optional.empty())).isEmpty();
        createTable();
        assertRows(0);
    }

    /**
     * Vacuum can free the table of a CREATE TABLE that has found another one with the name at the end.
     */
    @Test
    void testConcurrentCreateIfNotExists()
    {
        AtomicBoolean stalled = new AtomicBoolean();
        failing = operation -> {
            if (operation.kind() == Kind.CREATE_EXCLUSIVE && operation.location().path().contains("/tables/t/") && stalled.compareAndSet(false, true)) {
                createTable();
                insert(3);
            }
            return false;
        };
        begin().createTable(session, TABLE_METADATA, IGNORE);
        assertThat(stalled).isTrue();
        assertRows(3);
        assertThat(warehouse(storage).maintenance().findLostTables(Optional.empty())).extracting(LostTable::state).containsExactly(LostTable.State.DROPPED);
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
}
