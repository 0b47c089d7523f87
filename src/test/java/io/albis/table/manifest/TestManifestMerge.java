package io.albis.table.manifest;

import com.google.common.collect.ImmutableList;
import io.albis.table.model.ManifestBounds;
import io.albis.table.model.ManifestEntry;
import io.albis.table.model.VersionRange;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import static io.albis.table.manifest.ManifestMerge.FAN_IN;
import static io.albis.table.manifest.ManifestOptions.PIECE_LENGTH;
import static org.assertj.core.api.Assertions.assertThat;

class TestManifestMerge
{
    private static final int ENTRY_LENGTH = 300;

    private List<ManifestEntry> manifests = ImmutableList.of();
    private long writtenRowGroups;

    @Test
    void testLevels()
    {
        assertThat(ManifestMerge.level(1)).isEqualTo(0);
        assertThat(ManifestMerge.level(7)).isEqualTo(0);
        assertThat(ManifestMerge.level(8)).isEqualTo(1);
        assertThat(ManifestMerge.level(63)).isEqualTo(1);
        assertThat(ManifestMerge.level(64)).isEqualTo(2);
        assertThat(ManifestMerge.level(Integer.MAX_VALUE)).isEqualTo(10);
    }

    @Test
    void testTenThousandCommitsOfOneRowGroup()
    {
        int commits = 10_000;
        int longest = 0;
        for (int i = 0; i < commits; i++) {
            append(1);
            longest = Math.max(longest, manifests.size());
        }
        assertThat(longest).isLessThanOrEqualTo(35);
        // The base-8 logarithm of 10,000 is 4.4
        assertThat(writtenRowGroups).isLessThan(5L * commits);
        assertThat(rowGroups()).isEqualTo(commits);
    }

    @Test
    void testFullManifestsAreLeftAlone()
    {
        ManifestEntry full = entry(PIECE_LENGTH, 1);
        assertThat(ManifestMerge.select(Collections.nCopies(100, full), ImmutableList.of(), 1, PIECE_LENGTH)).isEmpty();
    }

    @Test
    void testSharedSketchesAreLeftAlone()
    {
        ManifestEntry first = entry(1000, 1);
        ManifestEntry last = new ManifestEntry(UUID.randomUUID(), 1000, 1, 1, 1, 1, new VersionRange(1, 1), ManifestBounds.NONE, Optional.of(first.id()), ImmutableList.of());
        List<ManifestEntry> others = Collections.nCopies(6, null).stream().map(_ -> entry(1000, 1)).toList();
        List<ManifestEntry> all = ImmutableList.<ManifestEntry>builder().add(first, last).addAll(others).build();
        assertThat(ManifestMerge.select(all, ImmutableList.of(), 1, PIECE_LENGTH)).isEmpty();
        ManifestEntry seventh = entry(1000, 1);
        assertThat(ManifestMerge.select(ImmutableList.<ManifestEntry>builder().addAll(all).add(seventh).build(), ImmutableList.of(), 1, PIECE_LENGTH))
                .containsExactlyElementsOf(ImmutableList.<ManifestEntry>builder().addAll(others).add(seventh).build());
    }

    @Property
    void testLevelsStayShort(@ForAll @Size(max = 400) List<@IntRange(min = 1, max = 600) Integer> appends)
    {
        manifests = ImmutableList.of();
        writtenRowGroups = 0;
        long expected = 0;
        for (int rowGroups : appends) {
            append(rowGroups);
            expected += rowGroups;
            assertThat(rowGroups()).isEqualTo(expected);
            Map<Integer, Integer> levels = new HashMap<>();
            for (ManifestEntry manifest : manifests) {
                if (manifest.length() < PIECE_LENGTH) {
                    assertThat(levels.merge(ManifestMerge.level(manifest.rowGroups()), 1, Integer::sum)).isLessThan(FAN_IN);
                }
            }
        }
        assertThat(writtenRowGroups).isLessThanOrEqualTo(expected * (1 + ManifestMerge.level(Math.max(expected, 1))));
    }

    private void append(int rowGroups)
    {
        List<ManifestEntry> merged = ManifestMerge.select(manifests, ImmutableList.of(), rowGroups, PIECE_LENGTH);
        int total = rowGroups + merged.stream().mapToInt(ManifestEntry::rowGroups).sum();
        writtenRowGroups += total;
        manifests = ManifestMerge.replace(manifests, merged, ImmutableList.of(entry((long) total * ENTRY_LENGTH, total)));
    }

    private static ManifestEntry entry(long length, int rowGroups)
    {
        return new ManifestEntry(UUID.randomUUID(), length, rowGroups, rowGroups, rowGroups, rowGroups, new VersionRange(1, 1), ManifestBounds.NONE, Optional.empty(), ImmutableList.of());
    }

    private long rowGroups()
    {
        return manifests.stream().mapToLong(ManifestEntry::rowGroups).sum();
    }
}
