package io.albis.table.maintenance;

import com.google.common.collect.ImmutableMap;
import io.albis.table.HookedFileSystem;
import io.albis.table.HookedFileSystem.Hook;
import io.albis.table.HookedFileSystem.Kind;
import io.albis.table.HookedFileSystem.Operation;
import io.albis.table.Warehouse;
import io.albis.table.alter.Change;
import io.albis.table.model.TableVersion;
import io.albis.table.row.ReadSet;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.Location;
import io.trino.filesystem.memory.MemoryFileSystem;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;

import static io.albis.table.TableFixtures.assertRefused;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.TableFixtures.overwrite;
import static io.albis.table.TableFixtures.rows;
import static io.albis.table.TableFixtures.warehouse;
import static io.albis.table.model.TableException.Reason.VERSION_NOT_FOUND;
import static io.albis.table.put.StorageCalls.unchecked;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Files of versions are lost, or a stub is replacing them, while an expiry searches for the versions that have expired.
 */
class TestExpiryOfLostVersions
{
    private static final int VERSIONS = 9;

    private final MemoryFileSystem fileSystem = new MemoryFileSystem();
    private final Warehouse warehouse = warehouse(fileSystem);
    private final MaintainedTable table = MaintainedTable.create(fileSystem);

    TestExpiryOfLostVersions()
    {
        while (table.newest().version() < VERSIONS) {
            warehouse.append(load(warehouse, "s", "t"), rows(table.rowGroup()), ReadSet.BLIND);
        }
    }

    /**
     * A version that is lost says nothing about the age of those before it, which are within the retention.
     */
    @Test
    void testVersionIsLost()
            throws IOException
    {
        Instant beforeAll = table.created().version().time().minus(Duration.ofDays(1));
        int refused = 0;
        for (long lost = 2; lost < VERSIONS; lost++) {
            Location location = table.paths().version(lost);
            byte[] file = table.file(location);
            fileSystem.deleteFile(location);
            try {
                assertThat(warehouse.expireVersions(load(warehouse, "s", "t"), beforeAll, 1)).isEqualTo(ExpiryResult.NOTHING);
            }
            catch (UncheckedIOException e) {
                assertThat(e).hasMessageContaining("version %s is missing", lost);
                refused++;
            }
            overwrite(fileSystem, location.toString(), file);
            assertThat(table.newest().expired()).as("after version %s was lost", lost).isEmpty();
            assertThat(table.newest().version()).isEqualTo(VERSIONS);
        }
        assertThat(refused).isPositive();
        table.checkReadable(ImmutableMap.of());
    }

    /**
     * On some file systems, a file that is being overwritten is empty for a moment.
     */
    @Test
    void testStubIsBeingWritten()
            throws IOException
    {
        AlbisTable base = load(warehouse, "s", "t");
        Location middle = table.paths().version(VERSIONS / 2 + 1);
        byte[][] stub = new byte[1][];
        AtomicBoolean done = new AtomicBoolean();
        Warehouse stalling = warehouse(new HookedFileSystem(fileSystem, new Hook()
        {
            @Override
            public void before(Operation operation)
                    throws IOException
            {
                if (operation.kind() == Kind.READ && operation.location().equals(middle) && done.compareAndSet(false, true)) {
                    warehouse.expireVersions(base, Instant.now().plus(Duration.ofDays(1)), 1);
                    stub[0] = table.file(middle);
                    overwrite(fileSystem, middle.toString(), new byte[0]);
                }
            }
        }));
        stalling.expireVersions(base, Instant.now().plus(Duration.ofDays(1)), 1);
        assertThat(done).isTrue();
        overwrite(fileSystem, middle.toString(), stub[0]);
        assertThat(table.newest().expired().orElseThrow().before()).isEqualTo(VERSIONS);
        table.checkReadable(ImmutableMap.of());
        table.checkNoGarbage();
    }

    /**
     * After a power failure, a stub may be empty. The version before it has a tag and remains readable.
     */
    @Test
    void testIncompleteStubAfterTaggedVersion()
            throws IOException
    {
        warehouse.alter(load(warehouse, "s", "t"), new Change.CreateTag("first", OptionalLong.of(1)));
        warehouse.expireVersions(load(warehouse, "s", "t"), Instant.now().plus(Duration.ofDays(1)), 1);
        overwrite(fileSystem, table.paths().version(2).toString(), new byte[0]);
        AlbisTable newest = load(warehouse, "s", "t");
        assertThat(unchecked(() -> warehouse.history(newest).get("first")).version()).isEqualTo(1);
        assertThat(warehouse.rollback(newest, 1).rowCount()).isEqualTo(1);
    }

    /**
     * A transaction that began before the expiry reads the history.
     */
    @Test
    void testHistoryWithIncompleteStub()
            throws IOException
    {
        AlbisTable before = load(warehouse, "s", "t");
        warehouse.expireVersions(before, Instant.now().plus(Duration.ofDays(1)), 1);
        overwrite(fileSystem, table.paths().version(3).toString(), new byte[0]);
        assertThat(warehouse.history(before).versions()).toIterable().extracting(TableVersion::version).containsExactly((long) VERSIONS);
        assertRefused(VERSION_NOT_FOUND, () -> unchecked(() -> warehouse.history(before).get(3)));
        overwrite(fileSystem, table.paths().version(VERSIONS - 1).toString(), new byte[0]);
        assertThat(unchecked(() -> warehouse.history(before).asOf(before.version().time())).version()).isEqualTo(VERSIONS);
    }
}
