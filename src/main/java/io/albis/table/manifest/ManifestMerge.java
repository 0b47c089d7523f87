package io.albis.table.manifest;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.albis.table.model.ManifestEntry;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.stream.Collectors.toCollection;

/**
 * Selects the manifests that a commit merges with the row groups it adds, so that the number of manifests stays small.
 * <p>
 * A manifest of n row groups is on level floor(log8 n). As soon as a level has 8 manifests, they are merged into one,
 * which is on a higher level. The same rule applies there, and the commit merges all levels in the manifest that it
 * writes anyway. So each level has at most 7 manifests: 35 for 10,000 commits of one row group. The entry of a row
 * group is written again only when its manifest moves up a level, which happens at most log8 n times. On average, a
 * commit writes the bytes of about log8 n entries and reads about one manifest.
 * <p>
 * A full manifest is never merged, so a commit reads at most about 7 manifests of each level. Row groups that do not
 * fit into one manifest are written to several, of which all but the last are full. The first one has the sketches of
 * all of them. None of them is merged again, because a query that needs one of the others would have to read the
 * sketches of all manifests that were merged into it. There is at most one such last manifest for each full one, so the
 * number of manifests is at most 7 for each level and 2 for each full manifest.
 */
public final class ManifestMerge
{
    static final int FAN_IN = 8;

    private static final int HIGHEST_LEVEL = level(Integer.MAX_VALUE);

    private ManifestMerge() {}

    /**
     * Selects the manifests to merge.
     *
     * @param manifests manifests of the version to which the commit is applied
     * @param changed those of them that the commit replaces anyway, which are not selected
     * @param newRowGroups number of row groups that the commit adds, at least 1
     * @param fullLength length from which on a manifest is full, in bytes
     * @return the selected manifests in their order, possibly none
     */
    public static List<ManifestEntry> select(List<ManifestEntry> manifests, List<ManifestEntry> changed, int newRowGroups, long fullLength)
    {
        Set<ManifestEntry> candidates = candidates(manifests, fullLength);
        candidates.removeAll(changed);
        Set<ManifestEntry> selected = new HashSet<>();
        long size = newRowGroups;
        for (int level = 0; level <= HIGHEST_LEVEL; level++) {
            List<ManifestEntry> peers = peers(candidates, selected, level);
            // A lower level may have enough manifests without the new row groups, after commits of many row groups
            int added = level == level(size) ? 1 : 0;
            if (peers.size() + added >= FAN_IN) {
                selected.addAll(peers);
                for (ManifestEntry peer : peers) {
                    size += peer.rowGroups();
                }
            }
        }
        return manifests.stream()
                .filter(selected::contains)
                .collect(toImmutableList());
    }

    /**
     * Returns the manifests of a version after {@code replacements} replaced {@code merged}.
     */
    public static List<ManifestEntry> replace(List<ManifestEntry> manifests, List<ManifestEntry> merged, List<ManifestEntry> replacements)
    {
        Set<ManifestEntry> gone = ImmutableSet.copyOf(merged);
        ImmutableList.Builder<ManifestEntry> result = ImmutableList.builder();
        for (ManifestEntry manifest : manifests) {
            if (!gone.contains(manifest)) {
                result.add(manifest);
            }
        }
        return result.addAll(replacements).build();
    }

    /**
     * Returns the manifests that may be merged.
     */
    private static Set<ManifestEntry> candidates(List<ManifestEntry> manifests, long fullLength)
    {
        // The first of several manifests is not full if the entry of the next row group is very long
        Set<UUID> shared = new HashSet<>();
        manifests.forEach(manifest -> manifest.sketchManifest().ifPresent(shared::add));
        return manifests.stream()
                .filter(manifest -> manifest.length() < fullLength && manifest.sketchManifest().isEmpty() && !shared.contains(manifest.id()))
                .collect(toCollection(HashSet::new));
    }

    private static List<ManifestEntry> peers(Set<ManifestEntry> candidates, Set<ManifestEntry> selected, int level)
    {
        List<ManifestEntry> peers = new ArrayList<>();
        for (ManifestEntry manifest : candidates) {
            if (!selected.contains(manifest) && level(manifest.rowGroups()) == level) {
                peers.add(manifest);
            }
        }
        return peers;
    }

    static int level(long rowGroups)
    {
        // FAN_IN is 2 to the power of 3, so this is the logarithm to the base FAN_IN, rounded down
        return (Long.SIZE - 1 - Long.numberOfLeadingZeros(rowGroups)) / 3;
    }
}
