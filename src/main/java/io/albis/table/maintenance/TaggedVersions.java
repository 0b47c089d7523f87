package io.albis.table.maintenance;

import com.google.common.collect.ContiguousSet;
import com.google.common.collect.DiscreteDomain;
import com.google.common.collect.Iterables;
import com.google.common.collect.Range;
import io.albis.table.model.TableVersion;
import io.albis.table.version.TableStorage;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

import static io.albis.table.maintenance.StorageReads.BATCH_SIZE;
import static io.albis.table.maintenance.StorageReads.callAll;
import static java.util.Objects.requireNonNull;

/**
 * The versions that have a tag in a range of versions. The memory depends on the number of versions with a tag, and not
 * on the number of versions that are read. Tags of a version never change.
 */
final class TaggedVersions
{
    private final TableStorage storage;
    // The last version in which a version has a tag, by the version with the tag
    private final Map<Long, Long> lastTagged = new HashMap<>();
    private long end;

    TaggedVersions(TableStorage storage)
    {
        this.storage = requireNonNull(storage, "storage is null");
    }

    /**
     * Reads the versions from {@code first} and before {@code end} that were not read before. Versions that have
     * expired in the meantime count as versions without tags.
     *
     * @param first at least that of the call before
     * @throws io.albis.format.io.AlbisDataException if a version is damaged, possibly because a stub is replacing it.
     *         The next call begins with it or with one before it
     */
    void read(long first, long end)
            throws IOException
    {
        long begin = Math.max(first, this.end);
        if (begin >= end) {
            return;
        }
        Set<Long> unread = ContiguousSet.create(Range.closedOpen(begin, end), DiscreteDomain.longs());
        for (List<Long> batch : Iterables.partition(unread, BATCH_SIZE)) {
            for (Optional<TableVersion> version : callAll(storage, batch, storage.versions()::read)) {
                version.ifPresent(this::add);
            }
            this.end = batch.getLast() + 1;
        }
    }

    private void add(TableVersion version)
    {
        for (long number : version.tags().values()) {
            lastTagged.merge(number, version.version(), Math::max);
        }
    }

    /**
     * Returns the versions before {@code first} that have a tag in {@code first} or in a later version that was read.
     */
    SortedSet<Long> before(long first)
    {
        SortedSet<Long> tagged = new TreeSet<>();
        lastTagged.forEach((number, last) -> {
            if (number < first && last >= first) {
                tagged.add(number);
            }
        });
        return tagged;
    }
}
