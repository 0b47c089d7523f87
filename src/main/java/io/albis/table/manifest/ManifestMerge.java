package io.albis.table.manifest;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.albis.table.model.ManifestEntry;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;

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
 * fit into one manifest are written to several, of which all but the last are full.
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
     * @param newRowGroups number of row groups that the commit adds, at least 1
     * @param fullLength length from which on a manifest is full, in bytes
     * @return the selected manifests in their order, possibly none
     */
    public static List<ManifestEntry> select(List<ManifestEntry> manifests, int newRowGroups, long fullLength)
    {
        Set<ManifestEntry> selected = new HashSet<>();
        long size = newRowGroups;
        for (int level = 0; level <= HIGHEST_LEVEL; level++) {
            List<ManifestEntry> peers = peers(manifests, selected, level, fullLength);
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

    private static List<ManifestEntry> peers(List<ManifestEntry> manifests, Set<ManifestEntry> selected, int level, long fullLength)
    {
        List<ManifestEntry> peers = new ArrayList<>();
        for (ManifestEntry manifest : manifests) {
            if (!selected.contains(manifest) && manifest.length() < fullLength && level(manifest.rowGroups()) == level) {
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
