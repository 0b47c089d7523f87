package io.albis.table.manifest;

import io.albis.format.schema.AlbisColumn;
import io.albis.table.model.ManifestEntry;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * Limits the size of the bounds of manifests in a version, because every query reads the newest version. When the
 * bounds of all columns become too large, only those columns keep their bounds by which the manifests can be
 * distinguished best. Manifests that are added later have the bounds of all columns until the limit is reached again.
 */
public final class BoundsLimit
{
    /**
     * Maximum length of all bounds of a version, in characters.
     */
    static final long MAX_LENGTH = 64 << 10;

    private BoundsLimit() {}

    /**
     * Returns the manifests of a version with as many bounds as the limit allows.
     *
     * @param columns columns of the table; the first ones keep their bounds if others distinguish the manifests no
     *         better
     */
    public static List<ManifestEntry> apply(List<AlbisColumn> columns, List<ManifestEntry> manifests)
    {
        if (length(manifests) <= MAX_LENGTH) {
            return manifests;
        }
        // Bounds in Base64 are a third longer than their bytes, and each manifest has up to 8 characters in addition
        long remaining = MAX_LENGTH - 8L * manifests.size();
        Set<Integer> kept = new HashSet<>();
        for (ColumnSpread column : ColumnSpread.rank(columns, manifests)) {
            long length = (column.bytes() * 4 + 2) / 3;
            if (length <= remaining) {
                kept.add(column.columnId());
                remaining -= length;
            }
        }
        return manifests.stream()
                .map(manifest -> manifest.withBounds(manifest.bounds().filter(kept::contains)))
                .collect(toImmutableList());
    }

    private static long length(List<ManifestEntry> manifests)
    {
        long length = 0;
        for (ManifestEntry manifest : manifests) {
            length += manifest.bounds().text().length();
        }
        return length;
    }
}
