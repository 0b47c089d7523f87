package io.albis.trino.documented;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableList;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Describes the deleted rows and the removed entries of a version in the words of docs/format.md, and checks that its
 * counts, its manifests, and its deletes files agree.
 */
final class DeletesDescription
{
    private DeletesDescription() {}

    /**
     * Returns nothing if the version has neither deleted rows nor removed entries.
     *
     * @param folder folder of the table
     * @param version body of the version
     * @param manifests manifests of the version, in their order
     */
    static List<String> describe(Path folder, JsonNode version, List<StoredManifest> manifests)
            throws IOException
    {
        int removed = 0;
        long deletedRows = 0;
        Set<UUID> files = new HashSet<>();
        for (int i = 0; i < manifests.size(); i++) {
            JsonNode reference = version.get("manifests").get(i);
            Set<Integer> removedEntries = removedEntries(reference);
            List<Optional<StoredBitmap>> entries = manifests.get(i).deletes();
            assertThat(reference.get("rowGroups").asInt()).isEqualTo(entries.size() - removedEntries.size());
            long deletedRowsOfManifest = 0;
            for (int entry = 0; entry < entries.size(); entry++) {
                if (!removedEntries.contains(entry) && entries.get(entry).isPresent()) {
                    StoredBitmap bitmap = entries.get(entry).get();
                    bitmap.check(folder);
                    files.add(bitmap.file());
                    deletedRowsOfManifest += bitmap.count();
                }
            }
            assertThat(reference.get("rows").asLong() - reference.get("liveRows").asLong()).isEqualTo(deletedRowsOfManifest);
            removed += removedEntries.size();
            deletedRows += deletedRowsOfManifest;
        }
        boolean hasDeletes = removed > 0 || deletedRows > 0;
        assertThat(version.get("features").valueStream().map(JsonNode::asText).filter(feature -> !feature.endsWith("view"))).isEqualTo(hasDeletes ? List.of("row-deletes") : List.of());

        ImmutableList.Builder<String> words = ImmutableList.builder();
        if (hasDeletes) {
            words.add("`row-deletes`");
        }
        if (removed > 0) {
            words.add("`removed`: " + removed);
        }
        if (deletedRows > 0) {
            words.add("deleted rows: " + deletedRows);
            words.add("deletes files: " + files.size());
        }
        return words.build();
    }

    private static Set<Integer> removedEntries(JsonNode manifest)
    {
        if (!manifest.has("removed")) {
            return Set.of();
        }
        return manifest.get("removed").valueStream().map(JsonNode::asInt).collect(toImmutableSet());
    }
}
