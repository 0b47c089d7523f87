package io.albis.table.version;

import com.google.common.collect.AbstractIterator;
import com.google.common.collect.ImmutableList;
import io.albis.table.manifest.ManifestStorage;
import io.albis.table.model.ManifestEntry;
import io.albis.table.model.TableRows;
import io.albis.table.put.StorageCalls;

import java.util.Iterator;
import java.util.List;

import static io.albis.table.version.RowGroupPieces.MAX_MANIFESTS;
import static java.lang.Math.min;
import static java.util.Collections.emptyIterator;
import static java.util.Objects.requireNonNull;

/**
 * Reads manifests as far as they are requested, first one and then more at the same time, and keeps only those.
 */
final class ManifestIterator
        extends AbstractIterator<ManifestRowGroups>
{
    private final ManifestStorage storage;
    private final List<ManifestEntry> manifests;

    // index of the next manifest to read
    private int next;
    // how many manifests are read at the same time
    private int pieceSize = 1;
    private Iterator<ManifestRowGroups> piece = emptyIterator();

    ManifestIterator(ManifestStorage storage, List<ManifestEntry> manifests)
    {
        this.storage = requireNonNull(storage, "storage is null");
        this.manifests = ImmutableList.copyOf(manifests);
    }

    @Override
    protected ManifestRowGroups computeNext()
    {
        if (!piece.hasNext()) {
            if (next == manifests.size()) {
                return endOfData();
            }
            int end = min(next + pieceSize, manifests.size());
            piece = read(manifests.subList(next, end)).iterator();
            next = end;
            pieceSize = min(2 * pieceSize, MAX_MANIFESTS);
        }
        return piece.next();
    }

    private List<ManifestRowGroups> read(List<ManifestEntry> entries)
    {
        List<TableRows> read = StorageCalls.unchecked(() -> storage.readAll(entries));
        ImmutableList.Builder<ManifestRowGroups> result = ImmutableList.builderWithExpectedSize(read.size());
        for (int i = 0; i < read.size(); i++) {
            ManifestEntry manifest = entries.get(i);
            result.add(new ManifestRowGroups(manifest, read.get(i).addedBy(manifest.addedVersions().last()).rowGroups()));
        }
        return result.build();
    }
}
