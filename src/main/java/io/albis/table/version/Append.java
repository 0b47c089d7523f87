package io.albis.table.version;

import com.google.common.collect.ImmutableList;
import io.albis.table.manifest.ManifestMerge;
import io.albis.table.manifest.Manifests;
import io.albis.table.model.ManifestEntry;
import io.albis.table.model.TableException;
import io.albis.table.model.TableRows;
import io.albis.table.model.TableVersion;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import static io.albis.table.model.TableException.Reason.CONFLICT;
import static java.util.Objects.requireNonNull;

/**
 * The commit of an INSERT.
 */
public final class Append
        implements Commits.Step
{
    private final Manifests manifests;
    private final TableVersion base;
    private final TableRows rows;
    private final ReadSet readSet;

    private Optional<Written> written = Optional.empty();

    public Append(Manifests manifests, TableVersion base, TableRows rows, ReadSet readSet)
    {
        this.manifests = requireNonNull(manifests, "manifests is null");
        this.base = requireNonNull(base, "base is null");
        this.rows = requireNonNull(rows, "rows is null");
        this.readSet = requireNonNull(readSet, "readSet is null");
    }

    /**
     * @param merged manifests whose row groups are in it too
     */
    private record Written(List<ManifestEntry> manifests, List<ManifestEntry> merged) {}

    @Override
    public Optional<TableVersion> apply(TableVersion next)
            throws IOException
    {
        checkConflict(next);
        // What a lost attempt wrote still serves, unless what was merged into it was merged by another meanwhile
        if (written.isPresent() && !next.manifests().containsAll(written.get().merged())) {
            abort();
        }
        if (written.isEmpty()) {
            List<ManifestEntry> merged = ManifestMerge.select(next.manifests(), rows.rowGroups().size(), manifests.options().pieceLength());
            List<TableRows> contents = ImmutableList.<TableRows>builder()
                    .addAll(manifests.readAll(merged))
                    .add(rows)
                    .build();
            written = Optional.of(new Written(manifests.write(TableRows.union(contents)), merged));
        }
        return Optional.of(next.withManifests(ManifestMerge.replace(next.manifests(), written.get().merged(), written.get().manifests())));
    }

    /**
     * Removes what was written. Only for a commit that certainly did not happen.
     */
    public void abort()
    {
        written.ifPresent(files -> files.manifests().forEach(manifests::deleteQuietly));
        written = Optional.empty();
    }

    private void checkConflict(TableVersion next)
    {
        if (readSet.conflictsWithData() && !sameRowGroups(next)) {
            throw new TableException(CONFLICT, "Rows were committed to the table after this write had read it, in versions %s to %s", base.version() + 1, next.version() - 1);
        }
    }

    /**
     * Manifests are written anew only by commits that change rows.
     */
    private boolean sameRowGroups(TableVersion next)
    {
        Set<ManifestEntry> before = new HashSet<>(base.manifests());
        return before.equals(new HashSet<>(next.manifests()));
    }
}
