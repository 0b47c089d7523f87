package io.albis.table.manifest;

import com.google.common.collect.ImmutableList;
import io.albis.table.manifest.ManifestPieces.Piece;
import io.albis.table.model.ManifestEntry;

import java.util.Optional;
import java.util.UUID;

import static java.util.Objects.requireNonNull;

/**
 * A manifest that was written and to which no version refers yet. It does not contain the number of the version that
 * adds its new row groups, so it remains valid when a commit is retried with the next number.
 *
 * @param sketchManifest manifest that contains the sketches of its row groups; empty if this one does
 */
public record NewManifest(UUID id, long length, Piece piece, Optional<UUID> sketchManifest)
{
    public NewManifest
    {
        requireNonNull(id, "id is null");
        requireNonNull(piece, "piece is null");
        requireNonNull(sketchManifest, "sketchManifest is null");
    }

    NewManifest withSketchManifest(UUID sketchManifest)
    {
        return new NewManifest(id, length, piece, Optional.of(sketchManifest));
    }

    /**
     * Returns the reference to the manifest in the first version that refers to it.
     */
    public ManifestEntry entry(long version)
    {
        return new ManifestEntry(id, length, piece.rowGroups(), piece.rows(), piece.liveRows(), piece.bytes(), piece.addedVersions(version), piece.bounds(), sketchManifest, ImmutableList.of());
    }
}
