package io.albis.table.maintenance;

import com.google.common.collect.ImmutableMap;
import io.albis.table.HookedFileSystem;
import io.albis.table.Warehouse;
import io.albis.table.alter.Change.CreateTag;
import io.albis.table.alter.Change.DropTag;
import io.albis.table.model.TableException;
import io.albis.table.model.TableVersion;
import io.albis.table.version.AlbisTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.UUID;

import static io.albis.table.TableFixtures.assertRefused;
import static io.albis.table.TableFixtures.overwrite;
import static io.albis.table.TableFixtures.rowGroupIds;
import static io.albis.table.TableFixtures.warehouse;
import static io.albis.table.maintenance.MaintainedTable.stall;
import static io.albis.table.model.TableException.Reason.CONFLICT;
import static io.albis.table.model.TableException.Reason.INVALID_NAME;
import static io.albis.table.model.TableException.Reason.VERSION_NOT_FOUND;
import static io.albis.table.put.StorageCalls.unchecked;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Versions with tags do not expire, and no tag or rollback names a version that has expired.
 */
class TestTagExpiry
        extends BaseExpiryTest
{
    @Test
    void testTaggedVersionIsOlderThanAllOthers()
            throws IOException
    {
        append();
        append();
        byte[] hint = table.file(table.paths().hint());
        Set<UUID> tagged = rowGroupIds(load());
        warehouse.truncate(load());
        while (table.newest().version() < 10) {
            append();
        }
        createTag(warehouse, 3);
        assertThat(expire(warehouse, 2).versions()).isEqualTo(8);
        assertThat(table.newest().summary()).containsEntry("expired-versions", "8");
        overwrite(fileSystem, table.paths().hint().toString(), hint);
        assertThat(table.newest().version()).isEqualTo(12);
        assertThat(table.newest().isExpired(3)).isFalse();
        assertThat(rowGroupIds(table.at(3))).isEqualTo(tagged);
        assertThat(unchecked(() -> warehouse.history(load()).get(TAG)).version()).isEqualTo(3);
        table.checkReadable(ImmutableMap.of(3L, tagged));
        table.checkNoGarbage();
        overwrite(fileSystem, table.paths().hint().toString(), hint);
        append();
        assertThat(table.newest().version()).isEqualTo(13);
        expire(warehouse, 1);
        table.checkReadable(ImmutableMap.of(3L, tagged));
        table.checkNoGarbage();
        assertThat(history(load())).containsExactly(3L, 13L, 14L);
        assertThatThrownBy(() -> warehouse.history(load()).get(2))
                .hasMessage("Table 's.t' has no version 2 any more, because it has expired. Its versions are 3 and those between 13 and 14");
        // The files are those of the newest version again, so they remain although the tag is dropped
        warehouse.rollback(load(), 3);
        dropTag(warehouse);
        expire(warehouse, 1);
        assertThat(table.isStub(3)).isTrue();
        assertThat(rowGroupIds(load())).isEqualTo(tagged);
        table.checkReadable(ImmutableMap.of());
        table.checkNoGarbage();
    }

    @Test
    void testFilesOfADroppedTag()
            throws IOException
    {
        append();
        append();
        warehouse.truncate(load());
        append();
        createTag(warehouse, 3);
        warehouse.alter(load(), new CreateTag("second", OptionalLong.of(3)));
        expire(warehouse, 1);
        // The versions around the one with the tag are stubs now, which the next expiry does not look at again
        expire(warehouse, 1);
        assertThat(table.newest().expired().orElseThrow().collected()).isGreaterThan(3);
        dropTag(warehouse);
        expire(warehouse, 1);
        assertThat(table.newest().isExpired(3)).isFalse();
        assertThat(table.at(3).rowGroups()).hasSize(3);
        table.checkReadable(ImmutableMap.of());
        warehouse.alter(load(), new DropTag("second"));
        assertThat(expire(warehouse, 1).rowGroups()).isEqualTo(3);
        assertThat(table.isStub(3)).isTrue();
        table.checkNoGarbage();
    }

    /**
     * A query has found a version by its tag. It can read the version for the retention after the tag was dropped.
     */
    @Test
    void testTagWasDroppedWithinTheRetention()
            throws IOException
    {
        append();
        warehouse.truncate(load());
        createTag(warehouse, 2);
        expire(warehouse, 1);
        awaitClock();
        dropTag(warehouse);
        TableVersion dropped = table.newest();
        append();
        warehouse.expireVersions(load(), dropped.time().minusMillis(1), 1);
        assertThat(table.isStub(4)).isTrue();
        assertThat(table.newest().isExpired(2)).isFalse();
        assertThat(table.at(2).rowGroups()).hasSize(2);
        table.checkReadable(ImmutableMap.of());
        // The version can get a tag again
        createTag(warehouse, 2);
        expire(warehouse, 1);
        assertThat(table.newest().isExpired(2)).isFalse();
        dropTag(warehouse);
        assertThat(expire(warehouse, 1).rowGroups()).isEqualTo(2);
        assertThat(table.isStub(2)).isTrue();
        table.checkNoGarbage();
    }

    /**
     * No expiry ran while the version had its tag.
     */
    @Test
    void testTagWasDroppedBeforeTheFirstExpiry()
            throws IOException
    {
        append();
        warehouse.truncate(load());
        append();
        createTag(warehouse, 2);
        TableVersion created = table.newest();
        awaitClock();
        dropTag(warehouse);
        TableVersion dropped = table.newest();
        warehouse.expireVersions(load(), dropped.time().minusMillis(1), 1);
        assertThat(table.isStub(3)).isTrue();
        assertThat(table.newest().expired().orElseThrow().before()).isEqualTo(created.version());
        assertThat(table.newest().isExpired(2)).isFalse();
        assertThat(table.at(2).rowGroups()).hasSize(2);
        table.checkReadable(ImmutableMap.of());
        assertThat(expire(warehouse, 1).rowGroups()).isEqualTo(2);
        assertThat(table.isStub(2)).isTrue();
        table.checkNoGarbage();
    }

    @Test
    void testExpiredVersionIsRefused()
            throws IOException
    {
        for (int i = 0; i < 4; i++) {
            append();
        }
        AlbisTable known = load();
        Instant time = table.at(2).version().time();
        expire(warehouse, 1);
        for (AlbisTable base : List.of(known, load())) {
            assertRefused(VERSION_NOT_FOUND, () -> warehouse.rollback(base, 2));
            assertRefused(VERSION_NOT_FOUND, () -> warehouse.alter(base, new CreateTag(TAG, OptionalLong.of(2))));
            assertRefused(VERSION_NOT_FOUND, () -> unchecked(() -> warehouse.history(base).get(2)));
            assertRefused(VERSION_NOT_FOUND, () -> unchecked(() -> warehouse.history(base).asOf(time)));
        }
        assertThatThrownBy(() -> warehouse.history(load()).get(2))
                .hasMessage("Table 's.t' has no version 2 any more, because it has expired. Its versions are between 5 and 6");
        assertThatThrownBy(() -> warehouse.history(load()).asOf(time))
                .hasMessageStartingWith("Table 's.t' has no version of %s or before. The oldest is version 5 of ".formatted(time))
                .hasMessageEndingWith(". Earlier versions have expired, and those with a tag can be read by the name of the tag");
        assertThat(unchecked(() -> warehouse.history(load()).asOf(table.at(5).version().time())).version()).isEqualTo(5);
        assertThat(history(load())).containsExactly(5L, 6L);
        assertThat(table.newest().version()).isEqualTo(6);
        // A version that says otherwise is damaged
        TableVersion newest = table.newest();
        assertThatThrownBy(() -> newest.next(UUID.randomUUID(), newest.time()).withTags(ImmutableMap.of(TAG, 2L)))
                .hasMessage("tag 'kept' is one of an expired version: 2");
    }

    @Test
    @Timeout(300)
    void testRandomHistories()
            throws IOException
    {
        long seed = new Random().nextLong();
        System.out.println("Seed of TestTagExpiry: " + seed);
        Random random = new Random(seed);
        for (int history = 0; history < 8; history++) {
            recreate();
            Map<Long, Set<UUID>> states = new HashMap<>();
            for (int step = 0; step < 40; step++) {
                Warehouse plain = warehouse;
                Warehouse client = random.nextBoolean() ? plain : warehouse(new HookedFileSystem(fileSystem, stall(random.nextInt(40), () -> {
                    act(random, plain);
                    act(random, plain);
                })));
                act(random, client);
                AlbisTable after = load();
                states.put(after.version().version(), rowGroupIds(after));
                table.checkReadable(states);
            }
            expire(warehouse, 2);
            // The versions whose tags were dropped in versions that the first one has expired
            expire(warehouse, 1);
            table.checkReadable(states);
            table.checkNoGarbage();
        }
    }

    private void act(Random random, Warehouse client)
    {
        long version = 1 + random.nextLong(table.newest().version());
        try {
            switch (random.nextInt(8)) {
                case 0, 1 -> append(client);
                case 2 -> client.truncate(load());
                case 3 -> client.alter(load(), new CreateTag("tag" + random.nextInt(4), OptionalLong.of(version)));
                case 4 -> client.alter(load(), new DropTag("tag" + random.nextInt(4)));
                case 5 -> client.rollback(load(), version);
                default -> expire(client, 1 + random.nextInt(4));
            }
        }
        catch (TableException e) {
            // A rollback beside a writer is a conflict
            if (e.reason() != VERSION_NOT_FOUND && e.reason() != INVALID_NAME && e.reason() != CONFLICT) {
                throw e;
            }
        }
    }

    private List<Long> history(AlbisTable loaded)
    {
        List<Long> numbers = new ArrayList<>();
        warehouse.history(loaded).versions().forEachRemaining(version -> numbers.add(version.version()));
        return numbers;
    }
}
