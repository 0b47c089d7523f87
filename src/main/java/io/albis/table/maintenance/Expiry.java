package io.albis.table.maintenance;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.albis.format.io.AlbisDataException;
import io.albis.table.model.ExpiredVersions;
import io.albis.table.model.TableVersion;
import io.albis.table.version.Commits;
import io.albis.table.version.TableStorage;
import io.albis.table.version.Versions;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

import static io.albis.format.io.AlbisDataException.damaged;
import static io.albis.table.model.TableOperation.EXPIRE;
import static java.util.Objects.requireNonNull;

/**
 * Expires old versions of a table and deletes the files that only they use.
 * <p>
 * It first commits a version that says which versions have expired. From then on, no commit refers to a file that only
 * expired versions use: a version refers to files of the version before it, to those of a version that has not expired,
 * or to new ones. Only then are files deleted. Stubs replace the expired versions in the end, so that their numbers are
 * not used again. Any number of expiries can run at the same time, and each completes what another one has left.
 * <p>
 * A version with a tag does not expire. Tags, rollbacks, and expiries are commits, so each of them knows those that
 * came before it: an expiry keeps the versions of all tags of the newest version, and no tag or rollback names a
 * version that has expired.
 */
public final class Expiry
{
    private final Commits commits;
    private final TableStorage storage;
    private final Versions versions;
    private final TaggedVersions tagged;

    public Expiry(Commits commits, TableStorage storage)
    {
        this.commits = requireNonNull(commits, "commits is null");
        this.storage = requireNonNull(storage, "storage is null");
        this.versions = storage.versions();
        this.tagged = new TaggedVersions(storage);
    }

    /**
     * Expires versions.
     *
     * @param knownVersion number of a version that is known to exist
     * @param replacedBefore versions that another version replaced until this time expire
     * @param retainLast number of newest versions that do not expire, at least 1
     * @throws io.albis.table.model.TableException TABLE_NOT_FOUND, CONFLICT, OUTCOME_UNKNOWN
     */
    public ExpiryResult run(long knownVersion, Instant replacedBefore, int retainLast)
            throws IOException
    {
        TableVersion newest = versions.newest(knownVersion);
        ExpiredVersions expired = newest.expired().orElse(ExpiredVersions.NONE);
        long before = chooseFirst(expired.before(), newest.version() - retainLast + 1, replacedBefore);
        long collected = skipStubs(expired);
        readTags(before, newest.version());
        TableVersion announced = commits.commit(versions, newest.version(), next -> announce(next, expired, before, collected));
        while (true) {
            TableVersion current = announced;
            // The client that has put it may have died before it was durable. A power failure must not take it back
            // after the files are gone
            versions.makeDurable(current);
            try {
                return new ExpiredFiles(storage, current).delete();
            }
            catch (AlbisDataException e) {
                // Perhaps a version that remained has expired in the meantime
                announced = versions.newest(current.version());
                if (announced.expired().equals(current.expired())) {
                    throw e;
                }
            }
        }
    }

    /**
     * Returns the greatest version in a range that was committed until a time, or the first one of the range. Commit
     * times increase.
     */
    private long chooseFirst(long first, long last, Instant replacedBefore)
            throws IOException
    {
        long begin = first;
        long end = Math.max(first, last);
        while (begin < end) {
            long middle = end - (end - begin) / 2;
            if (wasCommitted(middle, replacedBefore, last)) {
                begin = middle;
            }
            else {
                end = middle - 1;
            }
        }
        return begin;
    }

    /**
     * Returns whether a version was committed until a time, or has expired in the meantime.
     *
     * @param knownVersion number of a version that is known to exist
     * @throws AlbisDataException if the version is missing. Versions before it may be as new as those after it
     */
    private boolean wasCommitted(long number, Instant time, long knownVersion)
            throws IOException
    {
        AlbisDataException damage;
        try {
            Optional<TableVersion> version = versions.read(number);
            if (version.isPresent()) {
                return !versions.replacementTime(version.get()).isAfter(time);
            }
            damage = damaged("Damaged Albis table %s: version %s is missing. No version has expired", storage.folder(), number);
        }
        catch (AlbisDataException e) {
            // Perhaps a stub is replacing it at this moment
            damage = e;
        }
        if (!versions.newest(knownVersion).isExpired(number)) {
            throw damage;
        }
        return true;
    }

    private long skipStubs(ExpiredVersions expired)
            throws IOException
    {
        long collected = expired.collected();
        while (collected < expired.before() && (!expired.contains(collected) || isCollected(collected))) {
            collected++;
        }
        return collected;
    }

    private boolean isCollected(long version)
            throws IOException
    {
        return versions.readUnlessDamaged(version).isEmpty();
    }

    /**
     * Reads the tags of the versions that remain. They can be many, and the commit would not end if it read them while
     * others commit.
     */
    private void readTags(long first, long end)
            throws IOException
    {
        try {
            tagged.read(first, end);
        }
        catch (AlbisDataException e) {
            // Perhaps a stub is replacing the version at this moment. The commit reads it again if it remains
        }
    }

    /**
     * @param known what had expired when {@code collected} was determined
     */
    private Optional<TableVersion> announce(TableVersion next, ExpiredVersions known, long before, long collected)
            throws IOException
    {
        ExpiredVersions expired = next.expired().orElse(ExpiredVersions.NONE);
        long first = Math.max(before, expired.before());
        List<Long> except = kept(next, expired, first);
        long firstUncollected = Math.max(collected, expired.collected());
        for (long number : ImmutableSet.<Long>builder().addAll(known.except()).addAll(expired.except()).build()) {
            if (!except.contains(number)) {
                // Its files still exist, although versions after it have been collected
                firstUncollected = Math.min(firstUncollected, number);
            }
        }
        ExpiredVersions announced = new ExpiredVersions(first, firstUncollected, except);
        if (announced.equals(expired)) {
            return Optional.empty();
        }
        return Optional.of(next.withExpired(announced)
                .withOperation(EXPIRE, ImmutableMap.of("expired-versions", String.valueOf(announced.count() - expired.count()))));
    }

    /**
     * Returns the versions before {@code first} that do not expire: those with a tag, and those that had a tag in a
     * version that does not expire, because a query that has found the tag there may still read them.
     */
    private List<Long> kept(TableVersion next, ExpiredVersions expired, long first)
            throws IOException
    {
        SortedSet<Long> kept = new TreeSet<>();
        for (long number : next.tags().values()) {
            if (number < first) {
                kept.add(number);
            }
        }
        // If one has expired in the meantime, this commit loses the race
        tagged.read(first, next.version());
        for (long number : tagged.before(first)) {
            if (!expired.contains(number)) {
                kept.add(number);
            }
        }
        return ImmutableList.copyOf(kept);
    }
}
