package io.albis.table.maintenance;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.albis.format.io.AlbisDataException;
import io.albis.format.metadata.RowGroup;
import io.albis.table.alter.Change;
import io.albis.table.model.TableRows;
import io.albis.table.model.TableVersion;
import io.albis.table.row.ReadSet;
import io.albis.table.row.RowChange;
import io.albis.table.version.AlbisTable;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.table.TableFixtures.assertRefused;
import static io.albis.table.TableFixtures.files;
import static io.albis.table.TableFixtures.overwrite;
import static io.albis.table.TableFixtures.rowGroupIds;
import static io.albis.table.TableFixtures.rows;
import static io.albis.table.TableFixtures.warehouse;
import static io.albis.table.model.TableException.Reason.TABLE_NOT_FOUND;
import static io.albis.table.model.TableOperation.DELETE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Old versions expire with the files that only they use, and nothing else is lost.
 */
class TestExpiry
        extends BaseExpiryTest
{
    @Test
    void testFilesOfExpiredVersions()
            throws IOException
    {
        append();
        RowGroup rowGroup = table.rowGroup();
        AlbisTable base = warehouse.append(load(), rows(rowGroup), ReadSet.BLIND);
        AlbisTable deleted = warehouse.change(base, table.delete(rowGroup, 1), WHERE);
        RowGroup changed = deleted.rowGroups().stream().filter(found -> found.id().equals(rowGroup.id())).findFirst().orElseThrow();
        warehouse.change(deleted, table.delete(changed, 2), WHERE);
        assertThat(table.newest().version()).isEqualTo(5);
        Set<UUID> before = rowGroupIds(load());

        ExpiryResult result = expire(1);
        assertThat(result.versions()).isEqualTo(4);
        assertThat(result.rowGroups()).isZero();
        assertThat(result.deletesFiles()).isEqualTo(1);
        assertThat(result.manifests()).isPositive();
        TableVersion newest = table.newest();
        assertThat(newest.version()).isEqualTo(6);
        assertThat(newest.operation()).isEqualTo("expire");
        assertThat(newest.summary()).containsEntry("expired-versions", "4");
        assertThat(rowGroupIds(load())).isEqualTo(before);
        assertThat(load().rowCount()).isEqualTo(1 + 10 + 8);
        table.checkReadable(states);
        table.checkNoGarbage();
        assertRefused(TABLE_NOT_FOUND, () -> table.at(3));

        warehouse.truncate(load());
        assertThat(expire(1).rowGroups()).isEqualTo(3);
        table.checkNoGarbage();
    }

    /**
     * A manifest is so large that a later version refers to it without one of its row groups.
     */
    @Test
    void testRemovedEntriesOfManifests()
            throws IOException
    {
        List<RowGroup> rowGroups = appendLargeManifest();
        append();
        AlbisTable base = load();
        warehouse.change(base, new RowChange(TableRows.NONE, ImmutableMap.of(), ImmutableSet.of(rowGroups.get(5).id()), DELETE), WHERE);
        assertThat(table.newest().manifests()).anyMatch(manifest -> !manifest.removed().isEmpty());
        append();
        // Version 3 has the row group, and version 4 does not
        assertThat(expire(3).rowGroups()).isZero();
        table.checkReadable(states);
        table.checkNoGarbage();
        assertThat(expire(2).rowGroups()).isEqualTo(1);
        table.checkReadable(states);
        table.checkNoGarbage();
    }

    /**
     * The last one of many versions that expire together, which a rollback made, uses more of a manifest than those
     * before it.
     */
    @Test
    void testRemovedEntriesBeforeRollback()
            throws IOException
    {
        List<RowGroup> rowGroups = appendLargeManifest();
        long complete = load().version().version();
        append();
        AlbisTable base = load();
        warehouse.change(base, new RowChange(TableRows.NONE, ImmutableMap.of(), ImmutableSet.of(rowGroups.get(5).id()), DELETE), WHERE);
        for (int i = 0; i <= StorageReads.BATCH_SIZE; i++) {
            warehouse.alter(load(), new Change.TableComment(Optional.of("comment " + i)));
        }
        warehouse.rollback(load(), complete);
        long rollback = load().version().version();
        append();
        assertThat(expire((int) (load().version().version() - complete - 1)).rowGroups()).isZero();
        table.checkNoGarbage();
        warehouse.truncate(load());
        expire(1);
        assertThat(load().version().version()).isGreaterThan(rollback);
        table.checkNoGarbage();
    }

    /**
     * Only the column group that an UPDATE has replaced is deleted, as soon as no version needs it.
     */
    @Test
    void testReplacedColumnGroups()
            throws IOException
    {
        append();
        for (int i = 0; i < 2; i++) {
            AlbisTable base = load();
            warehouse.change(base, table.update(base.rowGroups().getFirst(), UUID.randomUUID()), WHERE);
        }
        assertThat(expire(3).columnGroups()).isZero();
        table.checkReadable(states);
        table.checkNoGarbage();
        assertThat(expire(1).columnGroups()).isEqualTo(2);
        table.checkReadable(states);
        table.checkNoGarbage();
    }

    @Test
    void testNothingToExpire()
            throws IOException
    {
        append();
        append();
        Set<String> before = files(fileSystem, table.paths().folder()).keySet();
        assertThat(warehouse.expireVersions(load(), table.created().version().time().minus(Duration.ofDays(1)), 1)).isEqualTo(ExpiryResult.NOTHING);
        assertThat(expire(3)).isEqualTo(ExpiryResult.NOTHING);
        assertThat(expire(Integer.MAX_VALUE)).isEqualTo(ExpiryResult.NOTHING);
        assertThat(files(fileSystem, table.paths().folder()).keySet()).isEqualTo(before);
    }

    @Test
    void testRetainLast()
            throws IOException
    {
        for (int i = 0; i < 9; i++) {
            append();
        }
        assertThat(expire(4).versions()).isEqualTo(6);
        assertThat(table.newest().isExpired(6)).isTrue();
        assertThat(table.newest().isExpired(7)).isFalse();
        table.checkReadable(states);
        table.checkNoGarbage();
    }

    @Test
    void testReaderWithinTheRetention()
            throws IOException
    {
        append();
        awaitClock();
        append();
        AlbisTable reader = load();
        awaitClock();
        warehouse.truncate(load());
        TableVersion replacement = table.newest();
        append();
        // The version is old, but it was replaced only now
        warehouse.expireVersions(load(), replacement.time().minusMillis(1), 1);
        assertThat(table.isStub(1)).isTrue();
        assertThat(table.isStub(2)).isTrue();
        assertThat(table.newest().isExpired(3)).isFalse();
        assertThat(rowGroupIds(table.at(3))).isEqualTo(rowGroupIds(reader));
        table.checkReadable(states);
        table.checkNoGarbage();
    }

    @Test
    void testStaleHints()
            throws IOException
    {
        Map<Long, byte[]> hints = new HashMap<>();
        for (long version = 2; version <= 12; version++) {
            append();
            hints.put(version, table.file(table.paths().hint()));
        }
        expire(3);
        for (byte[] hint : hints.values()) {
            overwrite(fileSystem, table.paths().hint().toString(), hint);
            assertThat(table.newest().version()).isEqualTo(13);
        }
        fileSystem.deleteFile(table.paths().hint());
        assertThat(table.newest().version()).isEqualTo(13);
        overwrite(fileSystem, table.paths().hint().toString(), hints.get(2L));
        append();
        assertThat(table.newest().version()).isEqualTo(14);
        table.checkNoGarbage();
    }

    /**
     * A file that is being replaced may be empty for a moment, on file systems that do not overwrite atomically.
     */
    @Test
    void testIncompleteStub()
            throws IOException
    {
        appendTo(6);
        expire(2);
        for (int length : new int[] {0, 1, 50, table.file(table.paths().version(3)).length - 1}) {
            byte[] stub = table.file(table.paths().version(3));
            overwrite(fileSystem, table.paths().version(3).toString(), Arrays.copyOf(stub, length));
            append();
            expire(1);
            expire(1);
            table.checkReadable(states);
            overwrite(fileSystem, table.paths().version(3).toString(), stub);
        }
        table.checkNoGarbage();
    }

    /**
     * The clock of the writers is a year behind, so the times of versions are long ago. The time of the storage
     * still says that they are new.
     */
    @Test
    void testClockGoesBackward()
            throws IOException
    {
        appendTo(5);
        Instant yearAgo = Instant.now().minus(Duration.ofDays(365));
        for (long number = 1; number <= 5; number++) {
            TableVersion version = table.at(number).version();
            table.write(new TableVersion(version.uuid(), number, version.commitId(), version.previous(), yearAgo.plusMillis(number), version.operation(), version.summary(), version.name(), version.warehouse(), version.explicitLocation(), version.schemaId(), version.columns(), version.columnGroups(), version.properties(), version.comment(), version.manifests(), version.features(), version.writerFeatures(), version.lastColumnId(), version.tags(), version.expired(), version.condemned(), version.view()));
        }
        assertThat(warehouse.expireVersions(load(), Instant.now().minus(Duration.ofDays(7)), 1)).isEqualTo(ExpiryResult.NOTHING);
        assertThat(table.newest().version()).isEqualTo(5);
        // A clock that is ahead only keeps versions for longer
        TableVersion ahead = table.newest().next(UUID.randomUUID(), Instant.now().plus(Duration.ofDays(365)));
        table.write(ahead);
        append();
        assertThat(table.newest().time()).isAfter(ahead.time());
        warehouse.expireVersions(load(), Instant.now().plus(Duration.ofDays(1)), 1);
        assertThat(table.newest().isExpired(4)).isTrue();
        assertThat(table.newest().isExpired(5)).isFalse();
        table.checkReadable(states);
        table.checkNoGarbage();
    }

    @Test
    void testNewestVersionIsLost()
            throws IOException
    {
        appendTo(10);
        expire(3);
        assertThat(table.newest().version()).isEqualTo(11);
        AlbisTable known = load();
        fileSystem.deleteFile(table.paths().version(11));
        Map<String, byte[]> before = files(fileSystem, table.paths().folder());
        assertLost(() -> load(), "version 11 is missing, and the newest version that exists is 10");
        assertLost(() -> warehouse.expireVersions(known, future(), 1), "version 11 is missing, and the newest version that exists is 10");
        assertThat(files(fileSystem, table.paths().folder()).keySet()).isEqualTo(before.keySet());
        // Nothing but stubs is left: each of them says that there was a later version
        fileSystem.deleteFile(table.paths().hint());
        for (long version = 8; version <= 10; version++) {
            fileSystem.deleteFile(table.paths().version(version));
        }
        assertLost(() -> load(), "version 7 has expired, but no later version exists. Restore the file");
    }

    private static void assertLost(Runnable action, String message)
    {
        assertThatThrownBy(action::run)
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining(message)
                .cause()
                .isInstanceOf(AlbisDataException.class);
    }

    /**
     * Appends so many row groups at once that the next versions refer to their manifest, even without one of them.
     */
    private List<RowGroup> appendLargeManifest()
    {
        List<RowGroup> rowGroups = Stream.generate(table::rowGroup).limit(1000).collect(toImmutableList());
        warehouse.append(load(), rows(rowGroups.toArray(RowGroup[]::new)), ReadSet.BLIND);
        return rowGroups;
    }
}
