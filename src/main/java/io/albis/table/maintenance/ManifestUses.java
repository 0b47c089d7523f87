package io.albis.table.maintenance;

import io.albis.table.model.ManifestBounds;
import io.albis.table.model.ManifestEntry;
import io.albis.table.model.TableVersion;

import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

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
