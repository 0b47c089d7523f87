package io.albis.trino.write;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Sets;
import io.airlift.slice.Slice;
import io.albis.table.model.IsolationLevel;
import io.albis.trino.handle.AlbisMergeTableHandle;
import io.albis.trino.handle.EarlierDeletes;
import io.albis.trino.metadata.AlbisMetadata;
import io.trino.filesystem.Location;
import io.trino.spi.connector.RetryMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import static io.trino.spi.connector.RetryMode.NO_RETRIES;
import static io.trino.spi.connector.RetryMode.RETRIES_ENABLED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Row-level statements whose tasks fail, are forgotten, or report twice.
 */
class TestMergeWrites
        extends BaseMergeWritesTest
{
    @Test
    void testDeletesAddUp()
            throws IOException
    {
        createTable(ImmutableMap.of());
        insert(10);
        rowGroups();
        insert(5);
        new Statement(false).delete(0, 1, 3).commit();
        new Statement(false).delete(0, 0).delete(1, 4).commit();
        assertLive(0, 2, 4, 5, 6, 7, 8, 9);
        assertLive(1, 0, 1, 2, 3);
        new Statement(true).update(0, 9).insert(3).commit();
        assertLive(0, 2, 4, 5, 6, 7, 8);
        assertLive(2, 0, 1, 2, 3);
        new Statement(false).delete(1, 0, 1, 2, 3).commit();
        assertThat(rowGroups()).hasSize(2);
    }

    @ParameterizedTest
    @EnumSource
    void testFinishedTwice(RetryMode retryMode)
            throws IOException
    {
        createTable(ImmutableMap.of());
        insert(10);
        Statement statement = new Statement(begin(), true, retryMode).update(0, 2).delete(0, 3);
        Collection<Slice> fragments = statement.write();
        statement.finish(fragments);
        statement.finish(fragments);
        if (retryMode == RETRIES_ENABLED) {
            // With retry-policy QUERY, the engine runs all tasks again
            statement.finish(statement.write());
        }
        assertLive(0, 0, 1, 4, 5, 6, 7, 8, 9);
        assertLive(1, 0);
        assertThat(files("/deletes/")).hasSize(1);
        assertThat(files("/data")).hasSize(2);
    }

    @ParameterizedTest
    @EnumSource
    void testFilesOfAbandonedAttempts(RetryMode retryMode)
            throws IOException
    {
        createTable(ImmutableMap.of("isolation_level", IsolationLevel.SNAPSHOT));
        insert(10);
        Statement statement = new Statement(begin(), true, retryMode).update(0, 2);
        Statement other = new Statement(begin(), false, retryMode).delete(0, 7);
        Collection<Slice> fragmentsOfOther = other.write();
        statement.write();
        statement.finish(statement.write());
        assertThat(files("/deletes/")).hasSize(retryMode == NO_RETRIES ? 3 : 2);
        assertThat(files("/data")).hasSize(retryMode == NO_RETRIES ? 3 : 2);
        other.finish(fragmentsOfOther);
        assertLive(0, 0, 1, 3, 4, 5, 6, 8, 9);
        assertLive(1, 0);
    }

    /**
     * The new instances of column groups are in the folders of row groups that other writes have made.
     */
    @ParameterizedTest
    @EnumSource
    void testFilesOfInPlaceUpdates(RetryMode retryMode)
            throws IOException
    {
        createTable(ImmutableMap.of());
        insert(3);
        Statement statement = new Statement(begin(), true, retryMode).update(0, 0).update(0, 1).update(0, 2);
        statement.write();
        statement.finish(statement.write());
        // those of the table, and of an attempt that a query without retries does not have
        assertThat(files("/data")).hasSize(retryMode == NO_RETRIES ? 3 : 2);
        assertThat(rowGroups()).hasSize(1);
        Set<String> files = files("");

        Statement failed = new Statement(begin(), true, retryMode).update(0, 0).update(0, 1).update(0, 2);
        failed.write();
        failed.write();
        assertThat(files("/data")).hasSize(retryMode == NO_RETRIES ? 5 : 4);
        failed.transaction.rollback();
        assertThat(files("")).isEqualTo(files);
    }

    @ParameterizedTest
    @EnumSource
    void testRollback(RetryMode retryMode)
            throws IOException
    {
        createTable(ImmutableMap.of());
        insert(10);
        new Statement(false).delete(0, 1).commit();
        Set<String> files = files("");
        AlbisMetadata transaction = begin();
        new Statement(transaction, true, retryMode).update(0, 2).write();
        assertThat(files("/deletes/")).hasSize(2);
        transaction.rollback();
        assertThat(files("")).isEqualTo(files);
    }

    /**
     * The row groups that may have new column groups are not known if the version has expired in the meantime.
     */
    @Test
    void testRollbackWithoutManifests()
            throws IOException
    {
        createTable(ImmutableMap.of());
        insert(10);
        Set<String> files = files("");
        AlbisMetadata transaction = begin();
        new Statement(transaction, true, NO_RETRIES).update(0, 2).write();
        new Statement(transaction, true, NO_RETRIES).update(0, 2).write();
        assertThat(files("")).hasSizeGreaterThan(files.size());
        Set<String> manifests = files("/manifests/");
        assertThat(manifests).isNotEmpty();
        for (String manifest : manifests) {
            storage.deleteFile(Location.of(manifest));
        }
        transaction.rollback();
        assertThat(files("")).isEqualTo(Sets.difference(files, manifests));
    }

    /**
     * A sink that does not know the earlier deletes must not bring deleted rows back.
     */
    @Test
    void testSinkWithoutEarlierDeletes()
            throws IOException
    {
        createTable(ImmutableMap.of());
        insert(10);
        new Statement(false).delete(0, 1, 2).commit();
        Statement statement = new Statement(false).delete(0, 3, 4, 5);
        Collection<Slice> fragments = statement.write(withEarlierDeletes(statement.handle, Optional.of(EarlierDeletes.NONE)));
        assertThatThrownBy(() -> statement.finish(fragments))
                .hasMessageContaining("had 2 deleted rows, and 3 more were deleted, but its file has 3");
        assertLive(0, 0, 3, 4, 5, 6, 7, 8, 9);
        assertThat(files("/deletes/")).hasSize(2);
        statement.transaction.rollback();
        assertThat(files("/deletes/")).hasSize(1);
    }

    /**
     * A sink reads earlier deletes from the manifests of the version of the statement if they are too many for its
     * handle. Each attempt of a task does.
     */
    @Test
    void testSinkThatReadsEarlierDeletes()
            throws IOException
    {
        createTable(ImmutableMap.of());
        insert(10);
        insert(10);
        new Statement(false).delete(0, 1, 2).commit();
        Statement statement = new Statement(begin(), false, RETRIES_ENABLED).delete(0, 3, 4).delete(1, 5);
        assertThat(statement.handle.earlierDeletes()).isPresent();
        AlbisMergeTableHandle handle = withEarlierDeletes(statement.handle, Optional.empty());
        assertThat(statement.write(handle)).isNotEmpty();
        statement.finish(statement.write(handle));
        assertLive(0, 0, 5, 6, 7, 8, 9);
        assertLive(1, 0, 1, 2, 3, 4, 6, 7, 8, 9);
    }

    private static AlbisMergeTableHandle withEarlierDeletes(AlbisMergeTableHandle handle, Optional<EarlierDeletes> earlierDeletes)
    {
        return new AlbisMergeTableHandle(handle.tableHandle(), handle.target(), earlierDeletes, handle.updates(), handle.kind());
    }

    /**
     * Two sinks that have changed one row group would each lose the deletes of the other.
     */
    @Test
    void testRowGroupInTwoSinks()
            throws IOException
    {
        createTable(ImmutableMap.of());
        insert(10);
        Statement statement = new Statement(false).delete(0, 3);
        List<Slice> fragments = ImmutableList.<Slice>builder().addAll(statement.write()).addAll(statement.write()).build();
        assertThatThrownBy(() -> statement.finish(fragments)).hasMessageContaining("Multiple entries with same key");
        assertLive(0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
        statement.transaction.rollback();
        assertThat(files("/deletes/")).isEmpty();
    }
}
