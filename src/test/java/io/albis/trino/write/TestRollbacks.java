package io.albis.trino.write;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.airlift.slice.Slice;
import io.albis.table.HookedFileSystem.Kind;
import io.albis.table.Warehouse;
import io.albis.trino.handle.AlbisWritableTableHandle;
import io.albis.trino.metadata.AlbisMetadata;
import io.trino.filesystem.Location;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorTableMetadata;
import io.trino.spi.connector.RetryMode;
import io.trino.spi.connector.SchemaTableName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;

import static io.albis.table.TableFixtures.assertRefused;
import static io.albis.table.TableFixtures.warehouse;
import static io.albis.table.model.TableException.Reason.INVALID_DEFINITION;
import static io.albis.trino.error.AlbisErrorCode.ALBIS_COMMIT_ERROR;
import static io.trino.spi.StandardErrorCode.ALREADY_EXISTS;
import static io.trino.spi.StandardErrorCode.TRANSACTION_CONFLICT;
import static io.trino.spi.connector.RetryMode.NO_RETRIES;
import static io.trino.spi.connector.RetryMode.RETRIES_ENABLED;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * The files of attempts that are abandoned or rolled back are deleted, and no others.
 */
final class TestRollbacks
        extends BaseTableWritesTest
{
    private static final SchemaTableName RESCUED = new SchemaTableName("s", "rescued");

    private final Warehouse other = warehouse(storage);

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

    /**
     * The statement seems to have died, so others register its table before its name exists.
     */
    @ParameterizedTest
    @EnumSource
    void testTableIsRegisteredBeforeTheNameIsTaken(RetryMode retryMode)
    {
        AlbisMetadata transaction = begin();
        AlbisWritableTableHandle handle = beginCreate(transaction, retryMode);
        Collection<Slice> fragments = write(handle, 10);
        failing = operation -> {
            if (operation.kind() == Kind.CREATE_EXCLUSIVE && operation.location().path().contains("/tables/t/")) {
                failing = _ -> false;
                rescue(handle);
                createTable();
            }
            return false;
        };
        assertTrinoExceptionThrownBy(() -> finishCreate(transaction, handle, fragments)).hasErrorCode(ALREADY_EXISTS);
        transaction.rollback();
        assertRows(RESCUED, 10);
        assertRows(0);
    }

    @ParameterizedTest
    @EnumSource
    void testTableIsRegisteredBeforeTheStorageFails(RetryMode retryMode)
    {
        AlbisMetadata transaction = begin();
        AlbisWritableTableHandle handle = beginCreate(transaction, retryMode);
        Collection<Slice> fragments = write(handle, 10);
        failToClaim(transaction, handle, fragments, () -> rescue(handle));
        if (retryMode == RETRIES_ENABLED) {
            assertTrinoExceptionThrownBy(() -> finishCreate(transaction, handle, fragments)).hasErrorCode(TRANSACTION_CONFLICT);
            assertTrinoExceptionThrownBy(() -> finishCreate(transaction, handle, write(handle, 10))).hasErrorCode(TRANSACTION_CONFLICT);
        }
        transaction.rollback();
        assertRows(RESCUED, 10);
        assertThat(begin().getTableHandle(session, TABLE, Optional.empty(), Optional.empty())).isNull();
    }

    /**
     * Nobody can register a table whose row groups were removed, and vacuum frees the rest.
     */
    @ParameterizedTest
    @EnumSource
    void testTableIsRegisteredAfterTheRollback(RetryMode retryMode)
            throws IOException
    {
        AlbisMetadata transaction = begin();
        AlbisWritableTableHandle handle = beginCreate(transaction, retryMode);
        failToClaim(transaction, handle, write(handle, 10), () -> {});
        transaction.rollback();
        assertThat(rowGroupFolders()).isEmpty();
        assertRefused(INVALID_DEFINITION, () -> rescue(handle));
        assertThat(other.maintenance().vacuum(Optional.empty(), Instant.now().plusSeconds(10)).freed()).hasSize(1);
    }

    /**
     * The version without a name cannot be put, so the table may be registered.
     */
    @ParameterizedTest
    @EnumSource
    void testTableIsRegisteredAfterTheRollbackFails(RetryMode retryMode)
    {
        AlbisMetadata transaction = begin();
        AlbisWritableTableHandle handle = beginCreate(transaction, retryMode);
        failToClaim(transaction, handle, write(handle, 10), () -> {});
        failing = operation -> operation.location().path().endsWith("/versions/00000000000000000002.json");
        transaction.rollback();
        failing = _ -> false;
        rescue(handle);
        assertRows(RESCUED, 10);
    }

    /**
     * The version without a name was put, but the storage fails before anybody knows.
     */
    @Test
    void testOutcomeOfTheRollbackIsUnknown()
            throws IOException
    {
        AlbisMetadata transaction = begin();
        AlbisWritableTableHandle handle = beginCreate(transaction, NO_RETRIES);
        failToClaim(transaction, handle, write(handle, 10), () -> {});
        Location second = Location.of(handle.folder()).appendPath("versions/00000000000000000002.json");
        failingAfter = operation -> operation.kind() == Kind.CREATE_EXCLUSIVE && operation.location().equals(second);
        failing = operation -> operation.location().equals(second) && exists(storage.newInputFile(second));
        transaction.rollback();
        failing = _ -> false;
        failingAfter = _ -> false;
        assertThat(rowGroupFolders()).hasSize(1);
        assertRefused(INVALID_DEFINITION, () -> rescue(handle));
        other.maintenance().vacuum(Optional.empty(), Instant.now().plusSeconds(10));
        assertThat(rowGroupFolders()).isEmpty();
    }

    /**
     * The version of the first attempt may still be the newest one.
     */
    @Test
    void testSecondAttemptHasAnUnknownOutcome()
    {
        AlbisMetadata transaction = begin();
        AlbisWritableTableHandle handle = beginCreate(transaction, RETRIES_ENABLED);
        failToClaim(transaction, handle, write(handle, 10), () -> {});
        Collection<Slice> second = write(handle, 20);
        failing = operation -> (operation.kind() == Kind.CREATE_EXCLUSIVE || operation.kind() == Kind.READ) && operation.location().path().endsWith("/versions/00000000000000000002.json");
        assertTrinoExceptionThrownBy(() -> finishCreate(transaction, handle, second)).hasErrorCode(ALBIS_COMMIT_ERROR);
        failing = _ -> false;
        transaction.rollback();
        rescue(handle);
        assertRows(RESCUED, 10);
    }

    /**
     * Finishes a write, which puts its version. Its storage then fails before its name is put.
     */
    private void failToClaim(AlbisMetadata transaction, AlbisWritableTableHandle handle, Collection<Slice> fragments, Runnable others)
    {
        failing = operation -> {
            Location version = Location.of(handle.folder()).appendPath("versions/00000000000000000001.json");
            if (operation.kind() == Kind.LIST && operation.location().path().contains("/tables/t") && exists(storage.newInputFile(version))) {
                failing = _ -> false;
                others.run();
                return true;
            }
            return false;
        };
        assertTrinoExceptionThrownBy(() -> finishCreate(transaction, handle, fragments)).hasMessageStartingWith("Storage failed: ");
    }

    private void rescue(AlbisWritableTableHandle handle)
    {
        other.maintenance().registerTable(RESCUED.getSchemaName(), RESCUED.getTableName(), handle.folder());
    }
}
