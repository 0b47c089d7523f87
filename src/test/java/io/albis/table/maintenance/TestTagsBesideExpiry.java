package io.albis.table.maintenance;

import com.google.common.collect.ImmutableMap;
import io.albis.table.HookedFileSystem;
import io.albis.table.HookedFileSystem.Hook;
import io.albis.table.HookedFileSystem.Kind;
import io.albis.table.HookedFileSystem.Operation;
import io.albis.table.Warehouse;
import io.albis.table.alter.Change.CreateTag;
import io.albis.table.model.TableException;
import io.albis.table.model.TableVersion;
import io.albis.table.version.AlbisTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;

import static io.albis.table.TableFixtures.warehouse;
import static io.albis.table.maintenance.MaintainedTable.stall;
import static io.albis.table.model.TableException.Reason.VERSION_NOT_FOUND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tags, rollbacks, and expiries happen at the same time, wherever one of the clients stalls. No tag or rollback names a
 * version that has expired.
 */
class TestTagsBesideExpiry
        extends BaseExpiryTest
{
    // The table before the clients of a contest act
    private AlbisTable base;

    @Test
    @Timeout(300)
    void testTagBesideExpiry()
            throws IOException
    {
        checkContest(
                stalling -> createTag(stalling, 2),
                others -> {
                    append(others);
                    expire(others, 1);
                },
                this::checkTag);
    }

    @Test
    @Timeout(300)
    void testExpiryBesideTag()
            throws IOException
    {
        checkExpiryBeside(
                others -> {
                    createTag(others, 2);
                    append(others);
                },
                this::checkTag);
    }

    private void checkTag(boolean tagged)
    {
        TableVersion newest = table.newest();
        assertThat(newest.tags().containsKey(TAG)).isEqualTo(tagged);
        assertThat(newest.isExpired(2)).isEqualTo(!tagged);
        if (tagged) {
            assertThat(table.at(2).rowGroups()).hasSize(2);
        }
    }

    @Test
    @Timeout(300)
    void testRollbackBesideExpiry()
            throws IOException
    {
        checkContest(
                stalling -> stalling.rollback(load(), 2),
                others -> {
                    others.alter(table.created(), new CreateTag("other", OptionalLong.empty()));
                    expire(others, 1);
                },
                restored -> assertThat(load().rowGroups()).hasSize(restored ? 2 : 1));
    }

    /**
     * The rollback began before the version expired. The file of the version may still exist after other files of it
     * were deleted.
     */
    @Test
    @Timeout(300)
    void testExpiryBesideRollback()
            throws IOException
    {
        checkExpiryBeside(
                others -> others.rollback(base, 2),
                restored -> assertThat(load().rowGroups()).hasSize(restored ? 2 : 1));
    }

    private interface Check
    {
        void check(boolean succeeded)
                throws IOException;
    }

    private interface Action
    {
        void run(Warehouse client);
    }

    /**
     * Runs an expiry once for each of its operations, before which it stalls while others act. What the others do
     * succeeds or fails because version 2 has expired, and each happens.
     */
    private void checkExpiryBeside(Action others, Check check)
            throws IOException
    {
        AtomicBoolean refused = new AtomicBoolean();
        checkContest(
                stalling -> {
                    refused.set(false);
                    expire(stalling, 1);
                    if (refused.get()) {
                        throw new TableException(VERSION_NOT_FOUND, "refused");
                    }
                },
                client -> {
                    try {
                        others.run(client);
                    }
                    catch (TableException e) {
                        refused.set(true);
                    }
                },
                check);
    }

    /**
     * Runs an action once for each of its operations, before which it stalls while others act. It succeeds or fails
     * because version 2 has expired, and each happens.
     */
    private void checkContest(Action action, Action others, Check check)
            throws IOException
    {
        int successes = 0;
        int failures = 0;
        AtomicBoolean reached = new AtomicBoolean(true);
        for (int position = 0; reached.get(); position++) {
            reached.set(false);
            recreate();
            append();
            warehouse.truncate(load());
            append();
            base = load();
            Warehouse other = warehouse;
            Warehouse stalling = warehouse(new HookedFileSystem(fileSystem, stall(position, () -> {
                reached.set(true);
                others.run(other);
            })));
            boolean succeeded = true;
            try {
                action.run(stalling);
            }
            catch (TableException e) {
                assertThat(e.reason()).isEqualTo(VERSION_NOT_FOUND);
                succeeded = false;
            }
            if (reached.get()) {
                check.check(succeeded);
                if (succeeded) {
                    successes++;
                }
                else {
                    failures++;
                }
            }
            table.checkReadable(ImmutableMap.of());
            expire(warehouse, 1);
            table.checkReadable(ImmutableMap.of());
            table.checkNoGarbage();
        }
        assertThat(successes).isPositive();
        assertThat(failures).isPositive();
    }

    @Test
    @Timeout(300)
    void testDropTagBesideExpiry()
            throws IOException
    {
        for (boolean expiryStalls : List.of(true, false)) {
            AtomicBoolean reached = new AtomicBoolean(true);
            for (int position = 0; reached.get(); position++) {
                reached.set(false);
                recreate();
                append();
                warehouse.truncate(load());
                append();
                createTag(warehouse, 2);
                expire(warehouse, 1);
                Warehouse other = warehouse;
                Warehouse stalling = warehouse(new HookedFileSystem(fileSystem, stall(position, () -> {
                    reached.set(true);
                    if (expiryStalls) {
                        dropTag(other);
                    }
                    append(other);
                    expire(other, 1);
                })));
                if (expiryStalls) {
                    expire(stalling, 1);
                    if (!reached.get()) {
                        dropTag(warehouse);
                    }
                }
                else {
                    dropTag(stalling);
                }
                table.checkReadable(ImmutableMap.of());
                expire(warehouse, 1);
                assertThat(table.isStub(2)).isTrue();
                table.checkReadable(ImmutableMap.of());
                table.checkNoGarbage();
            }
        }
    }

    /**
     * Another expiry announces that a version has expired whose tag was dropped, and dies before it deletes any file.
     */
    @Test
    @Timeout(300)
    void testOtherExpiryDies()
            throws IOException
    {
        AtomicBoolean reached = new AtomicBoolean(true);
        for (int position = 0; reached.get(); position++) {
            reached.set(false);
            recreate();
            append();
            warehouse.truncate(load());
            append();
            createTag(warehouse, 2);
            expire(warehouse, 1);
            append();
            Warehouse other = warehouse;
            Warehouse dying = warehouse(new HookedFileSystem(fileSystem, new Hook()
            {
                @Override
                public void before(Operation operation)
                        throws IOException
                {
                    if (operation.kind() == Kind.DELETE) {
                        throw new IOException("The server dies");
                    }
                }
            }));
            Warehouse stalling = warehouse(new HookedFileSystem(fileSystem, stall(position, () -> {
                reached.set(true);
                dropTag(other);
                assertThatThrownBy(() -> expire(dying, 1)).hasRootCauseMessage("The server dies");
            })));
            expire(stalling, 1);
            if (reached.get()) {
                assertThat(table.newest().isExpired(2)).isTrue();
                table.checkReadable(ImmutableMap.of());
                expire(warehouse, 1);
                assertThat(table.isStub(2)).isTrue();
                table.checkReadable(ImmutableMap.of());
                table.checkNoGarbage();
            }
        }
    }
}
