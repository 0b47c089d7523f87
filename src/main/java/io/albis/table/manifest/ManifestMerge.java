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
 * Which manifests a commit writes anew together with the row groups it adds, so that their number stays small.
 * <p>
 * A manifest of n row groups is on level floor(log8 n). As soon as a level has 8 manifests, they become one, which is on
 * a higher level, where the same holds; all of it happens in what the commit writes anyway. So there
 * are at most 7 manifests on each level: 35 for 10,000 commits of one row group. A row group is written again only when
 * its manifest goes up a level, which is at most log8 n times: each commit costs, on average, the bytes of about log8 n
 * entries and reads about one manifest, and once a manifest is full it is left alone, so that no single commit reads
 * more than about 7 that are not full on each level. What does not fit into one manifest becomes several, all but the last of them full.
 */
public final class ManifestMerge
{
    static final int FAN_IN = 8;

    private static final int HIGHEST_LEVEL = level(Integer.MAX_VALUE);

    private ManifestMerge() {}

    /**
     * @param manifests of the version that the commit is made on
     * @param newRowGroups that the commit adds, at least one
     * @param fullLength a manifest of so many bytes is full
     * @return manifests to be written anew together with them, in the order they have
     */
    public static List<ManifestEntry> select(List<ManifestEntry> manifests, int newRowGroups, long fullLength)
    {
        Set<ManifestEntry> selected = new HashSet<>();
        long size = newRowGroups;
        for (int level = 0; level <= HIGHEST_LEVEL; level++) {
            List<ManifestEntry> peers = peers(manifests, selected, level, fullLength);
            // commits of many row groups may have left more on a lower level than was ever merged
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
     * The manifests of a version after {@code merged} were written anew as {@code replacements}.
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
        // FAN_IN is 2 to the power of 3
        return (Long.SIZE - 1 - Long.numberOfLeadingZeros(rowGroups)) / 3;
    }
}
