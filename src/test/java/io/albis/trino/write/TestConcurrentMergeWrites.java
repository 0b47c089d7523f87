package io.albis.trino.write;

import com.google.common.collect.ImmutableMap;
import io.albis.table.model.IsolationLevel;
import io.albis.trino.metadata.AlbisMetadata;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;

import static io.trino.spi.StandardErrorCode.TRANSACTION_CONFLICT;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Row-level statements that run at the same time.
 */
class TestConcurrentMergeWrites
        extends BaseMergeWritesTest
{
    @ParameterizedTest
    @EnumSource(IsolationLevel.class)
    void testConcurrentUpdatesOfSameRow(IsolationLevel isolationLevel)
            throws IOException
    {
        createTable(ImmutableMap.of("isolation_level", isolationLevel));
        insert(10);
        Statement first = new Statement(true).update(0, 2);
        Statement second = new Statement(true).update(0, 2);
        first.commit();
        assertTrinoExceptionThrownBy(second::commit).hasErrorCode(TRANSACTION_CONFLICT);
        assertLive(0, 0, 1, 3, 4, 5, 6, 7, 8, 9);
    }

    /**
     * The second statement has counted a row that the first one has deleted.
     */
    @ParameterizedTest
    @EnumSource(IsolationLevel.class)
    void testConcurrentDeletes(IsolationLevel isolationLevel)
            throws IOException
    {
        createTable(ImmutableMap.of("isolation_level", isolationLevel));
        insert(10);
        Statement first = new Statement(false).delete(0, 2, 3);
        Statement second = new Statement(false).delete(0, 3, 4);
        Statement otherRow = new Statement(false).delete(0, 5);
        first.commit();
        if (isolationLevel == IsolationLevel.SERIALIZABLE) {
            assertTrinoExceptionThrownBy(second::commit).hasErrorCode(TRANSACTION_CONFLICT);
            otherRow.commit();
            assertLive(0, 0, 1, 4, 6, 7, 8, 9);
        }
        else {
            second.commit();
            otherRow.commit();
            assertLive(0, 0, 1, 6, 7, 8, 9);
        }
    }

    /**
     * A MERGE inserts rows if it finds none to delete. So it depends on the rows of others although it only deletes.
     */
    @Test
    void testMergeThatDeletesAndConcurrentDelete()
            throws IOException
    {
        createTable(ImmutableMap.of());
        insert(10);
        Statement merge = merge().delete(0, 2);
        new Statement(false).delete(0, 5).commit();
        assertTrinoExceptionThrownBy(merge::commit).hasErrorCode(TRANSACTION_CONFLICT);
        dropTable();

        createTable(ImmutableMap.of("isolation_level", IsolationLevel.SNAPSHOT));
        insert(10);
        Statement otherRow = merge().delete(0, 2);
        Statement sameRow = merge().delete(0, 5);
        new Statement(false).delete(0, 5).commit();
        otherRow.commit();
        assertTrinoExceptionThrownBy(sameRow::commit).hasErrorCode(TRANSACTION_CONFLICT);
        assertLive(0, 0, 1, 3, 4, 6, 7, 8, 9);
    }

    /**
     * The update has read the whole table, so it would have updated the added rows too.
     */
    @Test
    void testUpdateAndConcurrentInsert()
            throws IOException
    {
        createTable(ImmutableMap.of());
        insert(10);
        Statement update = new Statement(true).update(0, 2);
        insert(3);
        assertTrinoExceptionThrownBy(update::commit).hasErrorCode(TRANSACTION_CONFLICT);
        dropTable();

        createTable(ImmutableMap.of("isolation_level", IsolationLevel.SNAPSHOT));
        insert(10);
        Statement snapshotUpdate = new Statement(true).update(0, 2);
        insert(3);
        snapshotUpdate.commit();
        assertLive(0, 0, 1, 3, 4, 5, 6, 7, 8, 9);
    }

    /**
     * All rows are updated in place. An UPDATE does not depend on the rows that others have deleted, unlike a MERGE
     * that may insert them. But the DELETE may depend on the UPDATE, because it may have read the updated column.
     */
    @Test
    void testUpdateInPlaceAndConcurrentDelete()
            throws IOException
    {
        createTable(ImmutableMap.of("isolation_level", IsolationLevel.SNAPSHOT));
        insert(5);
        Statement update = update().update(0, 0).update(0, 1).update(0, 2).update(0, 3).update(0, 4);
        Statement merge = new Statement(true).update(0, 0).update(0, 1).update(0, 2).update(0, 3).update(0, 4);
        new Statement(false).delete(0, 1, 3).commit();
        assertTrinoExceptionThrownBy(merge::commit).hasErrorCode(TRANSACTION_CONFLICT);
        update.commit();
        assertThat(files("/deletes/")).hasSize(1);
        assertThat(rowGroups()).hasSize(1);
        assertLive(0, 0, 2, 4);

        // the row that the DELETE has found may have another value
        Statement delete = new Statement(false).delete(0, 2);
        update().update(0, 0).update(0, 2).update(0, 4).commit();
        assertTrinoExceptionThrownBy(delete::commit).hasErrorCode(TRANSACTION_CONFLICT);
        assertLive(0, 0, 2, 4);
        dropTable();

        createTable(ImmutableMap.of());
        insert(5);
        Statement serializable = update().update(0, 0).update(0, 1).update(0, 2).update(0, 3).update(0, 4);
        new Statement(false).delete(0, 1, 3).commit();
        assertTrinoExceptionThrownBy(serializable::commit).hasErrorCode(TRANSACTION_CONFLICT);
        assertLive(0, 0, 2, 4);
        dropTable();

        createTable(ImmutableMap.of("isolation_level", IsolationLevel.SNAPSHOT));
        insert(3);
        Statement snapshotDelete = new Statement(false).delete(0, 2);
        Statement snapshotUpdate = update().update(0, 0).update(0, 1).update(0, 2);
        update().update(0, 0).update(0, 1).update(0, 2).commit();
        assertTrinoExceptionThrownBy(snapshotDelete::commit).hasErrorCode(TRANSACTION_CONFLICT);
        assertTrinoExceptionThrownBy(snapshotUpdate::commit).hasErrorCode(TRANSACTION_CONFLICT);
        assertLive(0, 0, 1, 2);
    }

    /**
     * One statement updates all rows in place, the other one writes a new row. The later one has read the old values.
     */
    @ParameterizedTest
    @EnumSource(IsolationLevel.class)
    void testUpdateInPlaceAndConcurrentNewRow(IsolationLevel isolationLevel)
            throws IOException
    {
        createTable(ImmutableMap.of("isolation_level", isolationLevel));
        insert(5);
        Statement newRow = update().update(0, 2);
        update().update(0, 0).update(0, 1).update(0, 2).update(0, 3).update(0, 4).commit();
        assertThat(rowGroups()).hasSize(1);
        assertTrinoExceptionThrownBy(newRow::commit).hasErrorCode(TRANSACTION_CONFLICT);

        Statement inPlace = update().update(0, 0).update(0, 1).update(0, 2).update(0, 3).update(0, 4);
        update().update(0, 2).commit();
        assertThat(rowGroups()).hasSize(2);
        assertTrinoExceptionThrownBy(inPlace::commit).hasErrorCode(TRANSACTION_CONFLICT);
        assertLive(0, 0, 1, 3, 4);
    }

    @Test
    void testTruncateDuringUpdate()
            throws IOException
    {
        createTable(ImmutableMap.of());
        insert(10);
        Statement update = new Statement(true).update(0, 2);
        AlbisMetadata truncation = begin();
        truncation.truncateTable(session, table(truncation));
        assertTrinoExceptionThrownBy(update::commit).hasErrorCode(TRANSACTION_CONFLICT);
        assertThat(rowGroups()).isEmpty();
    }
}
