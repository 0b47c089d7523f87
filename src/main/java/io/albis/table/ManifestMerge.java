package io.albis.table;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * Which manifests a commit writes anew together with the row groups it adds, so that their number stays small.
 * <p>
 * A manifest of n row groups is on level floor(log8 n). As soon as a level has 8 manifests, they become one, which is on
 * a higher level, where the same holds; all of it happens in the one manifest that the commit writes anyway. So there
 * are at most 7 manifests on each level: 35 for 10,000 commits of one row group. A row group is written again only when
 * its manifest goes up a level, which is at most log8 n times: each commit costs, on average, the bytes of about log8 n
 * entries and reads about one manifest, and once a manifest has 4 MB it is left alone, so that no single commit reads
 * more than 7 of less than 4 MB on each level.
 */
final class ManifestMerge
{
    static final int FAN_IN = 8;
    static final long FULL_LENGTH = 4 << 20;

    private ManifestMerge() {}

    /**
     * @param manifests of the version that the commit is made on
     * @param newRowGroups that the commit adds, at least one
     * @return manifests to be written anew together with them, in the order they have
     */
    static List<ManifestEntry> select(List<ManifestEntry> manifests, int newRowGroups)
    {
        Set<ManifestEntry> selected = new HashSet<>();
        long size = newRowGroups;
        while (true) {
            List<ManifestEntry> peers = peers(manifests, selected, level(size));
            if (peers.size() + 1 < FAN_IN) {
                break;
            }
            selected.addAll(peers);
            for (ManifestEntry peer : peers) {
                size += peer.rowGroups();
            }
        }
        return manifests.stream()
                .filter(selected::contains)
                .collect(toImmutableList());
    }

    /**
     * The manifests of a version after {@code merged} were written anew as {@code replacement}.
     */
    static List<ManifestEntry> replace(List<ManifestEntry> manifests, List<ManifestEntry> merged, ManifestEntry replacement)
    {
        Set<ManifestEntry> gone = ImmutableSet.copyOf(merged);
        ImmutableList.Builder<ManifestEntry> result = ImmutableList.builder();
        for (ManifestEntry manifest : manifests) {
            if (!gone.contains(manifest)) {
                result.add(manifest);
            }
        }
        return result.add(replacement).build();
    }

    private static List<ManifestEntry> peers(List<ManifestEntry> manifests, Set<ManifestEntry> selected, int level)
    {
        List<ManifestEntry> peers = new ArrayList<>();
        for (ManifestEntry manifest : manifests) {
            if (!selected.contains(manifest) && manifest.length() < FULL_LENGTH && level(manifest.rowGroups()) == level) {
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
