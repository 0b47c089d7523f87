package io.albis.table.row;

import com.google.common.collect.ImmutableList;
import io.albis.table.manifest.ManifestStorage;
import io.albis.table.manifest.ManifestUpdate;
import io.albis.table.model.ManifestEntry;
import io.albis.table.model.TableRows;
import io.albis.table.model.TableVersion;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * The manifests of the rows that a commit adds. Each attempt of the commit uses those of the previous one, unless
 * another commit has changed what they depend on.
 */
final class RowManifests
{
    private final ManifestStorage manifests;
    private final TableRows rows;

    private Optional<ManifestUpdate> written = Optional.empty();
    // The version that was the newest one before the manifests existed
    private long writtenSince;

    RowManifests(ManifestStorage manifests, TableRows rows)
    {
        this.manifests = requireNonNull(manifests, "manifests is null");
        this.rows = requireNonNull(rows, "rows is null");
    }

    /**
     * Returns the manifests of the version that the commit creates, and writes those that do not exist.
     *
     * @param next the version that the commit creates, with the manifests that it keeps
     */
    List<ManifestEntry> add(TableVersion next)
            throws IOException
    {
        if (written.isPresent() && !(written.get().isValidFor(next) && next.mayAdd(writtenSince, written.get()::ids))) {
            abort();
        }
        if (written.isEmpty()) {
            written = Optional.of(ManifestUpdate.write(manifests, next, ImmutableList.of(), rows));
            writtenSince = next.version() - 1;
        }
        return written.get().apply(next);
    }

    /**
     * Deletes the manifests that were written. Call this only if the commit certainly did not take place.
     */
    void abort()
    {
        written.ifPresent(ManifestUpdate::abort);
        written = Optional.empty();
    }
}
