package io.albis.table.maintenance;

import com.google.common.collect.Lists;
import io.albis.table.model.ExpiredVersions;
import io.albis.table.model.ManifestBounds;
import io.albis.table.model.ManifestEntry;
import io.albis.table.model.TableVersion;
import io.albis.table.version.TableStorage;

import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import static io.albis.format.io.AlbisDataException.damaged;
import static io.albis.table.maintenance.StorageReads.BATCH_SIZE;
import static io.albis.table.maintenance.StorageReads.callAll;

/**
 * The manifests that some versions use, and which of their entries.
 */
final class ManifestUses
{
    private final Map<UUID, Use> uses = new LinkedHashMap<>();

    /**
     * @param entry the manifest as one of the versions has it
     * @param unused indexes of the entries that none of the versions has
     */
    record Use(ManifestEntry entry, BitSet unused)
    {
        boolean isUsed(int index)
        {
            return !unused.get(index);
        }

        /**
         * Returns whether another use has all entries that this one has.
         */
        boolean isPartOf(Use other)
        {
            BitSet missing = (BitSet) other.unused.clone();
            missing.andNot(unused);
            return missing.isEmpty();
        }
    }

    /**
     * Returns the manifests of the versions after one and up to another that have not expired.
     *
     * @param after number of the version after which to begin
     * @param number number of the last version
     * @param newest the last version, or a copy of it
     * @throws io.albis.format.io.AlbisDataException if a version is missing or damaged, possibly because it has expired
     *         in the meantime
     */
    static ManifestUses ofRemaining(TableStorage storage, long after, long number, TableVersion newest)
            throws IOException
    {
        ExpiredVersions expired = newest.expired().orElse(ExpiredVersions.NONE);
        List<Long> numbers = new ArrayList<>();
        for (long version : expired.except()) {
            if (version > after) {
                numbers.add(version);
            }
        }
        for (long version = Math.max(after + 1, expired.before()); version < number; version++) {
            numbers.add(version);
        }
        ManifestUses uses = new ManifestUses();
        uses.add(newest);
        for (List<Long> batch : Lists.partition(numbers, BATCH_SIZE)) {
            List<Optional<TableVersion>> read = callAll(storage, batch, storage.versions()::read);
            for (int i = 0; i < batch.size(); i++) {
                long missing = batch.get(i);
                uses.add(read.get(i).orElseThrow(() -> damaged("Damaged Albis table %s: version %s is missing. No file of versions that remain was deleted", storage.folder(), missing)));
            }
        }
        return uses;
    }

    void add(TableVersion version)
    {
        for (ManifestEntry entry : version.manifests()) {
            BitSet removed = new BitSet();
            entry.removed().forEach(removed::set);
            Use known = uses.get(entry.id());
            if (known == null) {
                // Bounds are the largest part of an entry
                uses.put(entry.id(), new Use(entry.withBounds(ManifestBounds.NONE), removed));
            }
            else {
                known.unused().and(removed);
            }
        }
    }

    void addAll(ManifestUses others)
    {
        others.uses.forEach((id, use) -> {
            Use known = uses.putIfAbsent(id, use);
            if (known != null) {
                known.unused().and(use.unused());
            }
        });
    }

    Map<UUID, Use> all()
    {
        return uses;
    }

    Optional<Use> find(UUID manifest)
    {
        return Optional.ofNullable(uses.get(manifest));
    }
}
