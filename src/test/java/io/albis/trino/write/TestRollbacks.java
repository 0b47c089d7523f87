package io.albis.trino.write;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.airlift.slice.Slice;
import io.albis.table.HookedFileSystem.Kind;
import io.albis.trino.handle.AlbisWritableTableHandle;
import io.albis.trino.metadata.AlbisMetadata;
import io.trino.filesystem.Location;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorTableMetadata;
import io.trino.spi.connector.RetryMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.util.Collection;
import java.util.Optional;

import static io.trino.spi.connector.RetryMode.NO_RETRIES;
import static io.trino.spi.connector.RetryMode.RETRIES_ENABLED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * The files of attempts that are abandoned or rolled back are deleted, and no others.
 */
final class TestRollbacks
        extends BaseTableWritesTest
{
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
}
