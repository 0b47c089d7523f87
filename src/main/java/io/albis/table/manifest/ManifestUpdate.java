package io.albis.table.manifest;

import com.google.common.collect.ImmutableList;
import io.albis.table.model.ManifestEntry;
import io.albis.table.model.TableRows;
import io.albis.table.model.TableVersion;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static java.util.Objects.requireNonNull;

/**
 * The manifests that a commit writes for the entries that it adds, changes, or drops. No version refers to them yet.
 * They do not contain the number of the version, so another attempt of the commit can use them.
 * <p>
 * A manifest with changed entries is kept if it is large. The version then lists these entries as removed, and the
 * commit writes the changed ones to a small manifest. So the bytes that a commit writes depend on the number of row
 * groups that it changes, rather than on the number of row groups of the table.
 */
public final class ManifestUpdate
{
    private final ManifestStorage manifests;
    private final int schemaId;

    // Manifests of the version to which the commit was applied that the others replace
    private final List<ManifestEntry> replaced = new ArrayList<>();
    private final List<ManifestEntry> reduced = new ArrayList<>();
    private final List<NewManifest> written = new ArrayList<>();
    // Manifests with sketches of other manifests, and what replaces them
    private final Map<UUID, UUID> sketchManifests = new HashMap<>();

    private ManifestUpdate(ManifestStorage manifests, TableVersion version)
    {
        this.manifests = requireNonNull(manifests, "manifests is null");
        this.schemaId = version.schemaId();
    }

    /**
     * Writes manifests. If this fails, it deletes those it has written.
     *
     * @param version version to which the commit is applied
     * @param changed manifests of the version with changed entries
     * @param added new row groups, possibly none
     */
    public static ManifestUpdate write(ManifestStorage manifests, TableVersion version, List<ChangedManifest> changed, TableRows added)
            throws IOException
    {
        ManifestUpdate update = new ManifestUpdate(manifests, version);
        try {
            List<TableRows> small = update.change(version, changed);
            if (!added.isEmpty()) {
                small.add(added);
            }
            if (!small.isEmpty()) {
                update.writeMerged(version, small);
            }
        }
        catch (IOException | RuntimeException e) {
            update.abort();
            throw e;
        }
        return update;
    }

    /**
     * @return the contents that belong into a common manifest
     */
    private List<TableRows> change(TableVersion version, List<ChangedManifest> changed)
            throws IOException
    {
        long rewriteLength = manifests.options().rewriteLength();
        Set<UUID> shared = new HashSet<>();
        version.manifests().forEach(manifest -> manifest.sketchManifest().ifPresent(shared::add));
        List<TableRows> small = new ArrayList<>();
        for (ChangedManifest manifest : changed) {
            ManifestEntry entry = manifest.manifest();
            replaced.add(entry);
            if (manifest.isDropped()) {
                continue;
            }
            if (!manifest.shouldRewrite(rewriteLength)) {
                reduced.add(manifest.reduced());
                TableRows moved = manifest.moved();
                if (!moved.isEmpty()) {
                    small.add(moved);
                }
            }
            else if (entry.length() < rewriteLength && entry.sketchManifest().isEmpty() && !shared.contains(entry.id())) {
                small.add(manifest.rewritten());
            }
            else {
                // Manifests that share sketches are never merged with others
                rewrite(version, manifest);
            }
        }
        return small;
    }

    private void rewrite(TableVersion version, ChangedManifest manifest)
            throws IOException
    {
        List<NewManifest> pieces = manifests.write(version, manifest.rewritten());
        Optional<UUID> sketchManifest = manifest.manifest().sketchManifest();
        for (NewManifest piece : pieces) {
            written.add(sketchManifest.map(piece::withSketchManifest).orElse(piece));
        }
        sketchManifests.put(manifest.manifest().id(), pieces.getFirst().id());
    }

    /**
     * Writes contents and those manifests that are merged with them.
     */
    private void writeMerged(TableVersion version, List<TableRows> contents)
            throws IOException
    {
        int rowGroups = 0;
        for (TableRows content : contents) {
            rowGroups += content.rowGroups().size();
        }
        List<ManifestEntry> merged = ManifestMerge.select(version.manifests(), replaced, rowGroups, manifests.options().pieceLength());
        ImmutableList.Builder<TableRows> all = ImmutableList.builder();
        List<TableRows> read = manifests.readAll(merged);
        for (int i = 0; i < merged.size(); i++) {
            // The entries keep the versions that added them
            all.add(read.get(i).addedBy(merged.get(i).addedVersions().last()));
        }
        replaced.addAll(merged);
        written.addAll(manifests.write(version, TableRows.union(all.addAll(contents).build())));
    }

    /**
     * Returns whether the manifests are still those that a commit should write, although the version is another one
     * than before: no other commit has changed the columns or the manifests that these replace.
     */
    public boolean isValidFor(TableVersion version)
    {
        return schemaId == version.schemaId() && version.manifests().containsAll(replaced);
    }

    /**
     * Returns the manifests of the version that this commit creates.
     *
     * @param next copy of the version to which the commit is applied with the next number
     */
    public List<ManifestEntry> apply(TableVersion next)
    {
        ImmutableList.Builder<ManifestEntry> added = ImmutableList.builder();
        added.addAll(reduced);
        written.forEach(manifest -> added.add(manifest.entry(next.version())));
        ImmutableList.Builder<ManifestEntry> all = ImmutableList.builder();
        for (ManifestEntry manifest : ManifestMerge.replace(next.manifests(), replaced, added.build())) {
            UUID moved = manifest.sketchManifest().map(sketchManifests::get).orElse(null);
            all.add(moved == null ? manifest : manifest.withSketchManifest(moved));
        }
        return BoundsLimit.apply(next.schema().columns(), all.build());
    }

    /**
     * Returns the ids of the manifests that were written.
     */
    public Set<UUID> ids()
    {
        return written.stream()
                .map(NewManifest::id)
                .collect(toImmutableSet());
    }

    /**
     * Deletes the manifests that were written. Call this only if the commit certainly did not take place.
     */
    public void abort()
    {
        written.forEach(manifests::deleteQuietly);
    }
}
