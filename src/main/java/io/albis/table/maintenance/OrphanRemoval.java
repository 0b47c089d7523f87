package io.albis.table.maintenance;

import com.google.common.collect.ImmutableMap;
import io.albis.format.io.AlbisDataException;
import io.albis.table.model.CondemnedWrites;
import io.albis.table.model.CondemnedWrites.Condemnation;
import io.albis.table.model.TableVersion;
import io.albis.table.version.Commits;
import io.albis.table.version.TableStorage;
import io.albis.table.version.Versions;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.format.io.AlbisDataException.damaged;
import static io.albis.table.model.TableOperation.CONDEMN;
import static java.util.Objects.requireNonNull;

/**
 * Deletes the files that no version of a table names, such as those of a load that has failed.
 * <p>
 * The files of a load that still runs look the same, however old they are. The removal therefore first commits a
 * version that condemns the writes that have created the files. From then on, no commit adds a file of these writes.
 * Only then are files deleted. Times decide which writes are condemned, and never whether a committed file is deleted.
 * Any number of removals can run at the same time, and each deletes what another one has left.
 */
public final class OrphanRemoval
{
    // Every later version repeats the names of all condemned writes, which take about 20 bytes each
    private static final int MAX_CONDEMNED = 10_000;

    private final Commits commits;
    private final TableStorage storage;
    private final Versions versions;

    public OrphanRemoval(Commits commits, TableStorage storage)
    {
        this.commits = requireNonNull(commits, "commits is null");
        this.storage = requireNonNull(storage, "storage is null");
        this.versions = storage.versions();
    }

    /**
     * Deletes files.
     *
     * @param knownVersion number of a version that is known to exist
     * @param writtenBefore the files of a write are deleted if the last one was written until this time.
     *         Condemnations from before this time are forgotten
     * @throws io.albis.table.model.TableException TABLE_NOT_FOUND, CONFLICT, OUTCOME_UNKNOWN, NOT_SUPPORTED
     */
    public OrphanRemovalResult run(long knownVersion, Instant writtenBefore)
            throws IOException
    {
        NamedFiles named = new NamedFiles(storage);
        long newest = readNewest(knownVersion, named);
        OrphanFiles orphans = OrphanFiles.list(storage.fileSystem(), storage.folder(), named);
        TableVersion condemning = commits.commit(versions, newest, next -> condemn(next, named, orphans, writtenBefore));
        // The client that has put it may have died before it was durable. A power failure must not take it back after
        // the files are gone
        versions.makeDurable(condemning);
        Set<String> condemned = condemning.condemned().orElse(CondemnedWrites.NONE).writes();
        OrphanFiles.Deleted deleted = orphans.delete(condemned);
        return new OrphanRemovalResult(named.manifestCount(), named.count(), orphans.scanned(), deleted.files(), deleted.bytes());
    }

    /**
     * Reads the files of all versions.
     *
     * @return number of the newest version
     */
    private long readNewest(long knownVersion, NamedFiles named)
            throws IOException
    {
        TableVersion newest = versions.newest(knownVersion);
        while (true) {
            try {
                named.readTo(newest.version(), newest);
                return newest.version();
            }
            catch (AlbisDataException e) {
                // Perhaps a version has expired in the meantime
                TableVersion later = versions.newest(newest.version());
                if (later.expired().equals(newest.expired())) {
                    throw e;
                }
                newest = later;
            }
        }
    }

    /**
     * Condemns the writes of all files that no version before {@code next} names.
     */
    private Optional<TableVersion> condemn(TableVersion next, NamedFiles named, OrphanFiles orphans, Instant writtenBefore)
            throws IOException
    {
        // A version after the listing may name a file even if the newest one no longer does
        named.readTo(next.version() - 1, next);
        CondemnedWrites known = next.condemned().orElse(CondemnedWrites.NONE);
        CondemnedWrites kept = forget(next, known, writtenBefore);
        Set<String> repeated = kept.writes();
        List<String> added = orphans.writes().entrySet().stream()
                .filter(write -> !write.getValue().isAfter(writtenBefore) && !repeated.contains(write.getKey()))
                .map(Map.Entry::getKey)
                .limit(Math.max(0, MAX_CONDEMNED - repeated.size()))
                .collect(toImmutableList());
        CondemnedWrites condemned = added.isEmpty() ? kept : kept.with(next.version(), added);
        if (condemned.equals(known)) {
            return Optional.empty();
        }
        return Optional.of(next.withCondemned(condemned)
                .withOperation(CONDEMN, ImmutableMap.of("condemned-writes", String.valueOf(added.size()))));
    }

    /**
     * Forgets writes that were condemned longer ago than the limit after which a write is given up. They can be
     * condemned again.
     */
    private CondemnedWrites forget(TableVersion next, CondemnedWrites known, Instant condemnedBefore)
            throws IOException
    {
        CondemnedWrites kept = known;
        for (Condemnation condemnation : known.condemnations()) {
            if (!next.isExpired(condemnation.version()) && versions.replacementTime(read(condemnation.version())).isAfter(condemnedBefore)) {
                break;
            }
            kept = kept.forget(condemnation.version());
        }
        return kept;
    }

    private TableVersion read(long number)
            throws IOException
    {
        return versions.read(number)
                .orElseThrow(() -> damaged("Damaged Albis table %s: version %s is missing. No file was removed", storage.folder(), number));
    }
}
