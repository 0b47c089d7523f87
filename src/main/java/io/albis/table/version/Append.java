package io.albis.table.version;

import com.google.common.collect.ImmutableList;
import io.albis.table.manifest.BoundsLimit;
import io.albis.table.manifest.ManifestMerge;
import io.albis.table.manifest.ManifestStorage;
import io.albis.table.manifest.NewManifest;
import io.albis.table.model.ManifestEntry;
import io.albis.table.model.TableException;
import io.albis.table.model.TableRows;
import io.albis.table.model.TableVersion;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.table.model.TableException.Reason.CONFLICT;
import static io.albis.table.model.TableOperation.APPEND;
import static java.util.Objects.requireNonNull;

/**
 * Commits the rows of an INSERT. It writes the manifests of the new row groups and reuses them when the commit is
 * retried.
 */
public final class Append
        implements Commits.Step
{
    private final ManifestStorage manifests;
    private final TableVersion base;
    private final TableRows rows;
    private final ReadSet readSet;

    private Optional<Written> written = Optional.empty();

    public Append(ManifestStorage manifests, TableVersion base, TableRows rows, ReadSet readSet)
    {
        this.manifests = requireNonNull(manifests, "manifests is null");
        this.base = requireNonNull(base, "base is null");
        this.rows = requireNonNull(rows, "rows is null");
        this.readSet = requireNonNull(readSet, "readSet is null");
    }

    /**
     * The manifests that an attempt has written. They do not contain the number of the version, so another attempt can
     * use them.
     *
     * @param schemaId schema id of the version whose columns define the types of their bounds
     * @param manifests the new manifests
     * @param merged manifests of the table whose row groups are in the new manifests too
     */
    private record Written(int schemaId, List<NewManifest> manifests, List<ManifestEntry> merged) {}

    @Override
    public Optional<TableVersion> apply(TableVersion next)
            throws IOException
    {
        checkConflict(next);
        // The manifests of a lost attempt remain valid, unless another commit has merged the same manifests or changed
        // the columns
        if (written.isPresent() && (written.get().schemaId() != next.schemaId() || !next.manifests().containsAll(written.get().merged()))) {
            abort();
        }
        if (written.isEmpty()) {
            List<ManifestEntry> merged = ManifestMerge.select(next.manifests(), rows.rowGroups().size(), manifests.options().pieceLength());
            written = Optional.of(new Written(next.schemaId(), write(next, merged), merged));
        }
        List<ManifestEntry> added = written.get().manifests().stream()
                .map(manifest -> manifest.entry(next.version()))
                .collect(toImmutableList());
        List<ManifestEntry> all = ManifestMerge.replace(next.manifests(), written.get().merged(), added);
        return Optional.of(next.withManifests(BoundsLimit.apply(next.schema().columns(), all))
                .withOperation(APPEND, rows.summary()));
    }

    private List<NewManifest> write(TableVersion next, List<ManifestEntry> merged)
            throws IOException
    {
        ImmutableList.Builder<TableRows> contents = ImmutableList.builder();
        List<TableRows> read = manifests.readAll(merged);
        for (int i = 0; i < merged.size(); i++) {
            // The entries keep the versions that added them
            contents.add(read.get(i).addedBy(merged.get(i).addedVersions().last()));
        }
        return manifests.write(next, TableRows.union(contents.add(rows).build()));
    }

    /**
     * Deletes the manifests that were written. Call this only if the commit certainly did not take place.
     */
    public void abort()
    {
        written.ifPresent(files -> files.manifests().forEach(manifests::deleteQuietly));
        written = Optional.empty();
    }

    private void checkConflict(TableVersion next)
    {
        if (readSet.conflictsWithData() && !sameRowGroups(next)) {
            throw new TableException(CONFLICT, "Another writer committed rows to the table after this statement read it, in versions %s to %s. Retry the statement", base.version() + 1, next.version() - 1);
        }
    }

    /**
     * Compares the manifests, because only commits that change rows write new ones.
     */
    private boolean sameRowGroups(TableVersion next)
    {
        Set<ManifestEntry> before = new HashSet<>(base.manifests());
        return before.equals(new HashSet<>(next.manifests()));
    }
}
