package io.albis.table.row;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.table.model.Materialization;
import io.albis.table.model.Materialization.Refresh;
import io.albis.table.model.TableException;
import io.albis.table.model.TableRows;
import io.albis.table.model.TableVersion;
import io.albis.table.model.VersionTotals;
import io.albis.table.model.ViewDefinition;
import io.albis.table.version.Commits;
import io.albis.table.version.TableStorage;

import java.io.IOException;
import java.util.Optional;

import static io.albis.table.model.TableException.Reason.CONFLICT;
import static io.albis.table.model.TableOperation.REFRESH;
import static java.util.Objects.requireNonNull;

/**
 * Commits a refresh of a materialized view: a version with the rows of its query, and with the tables that the query
 * has read.
 */
public final class RefreshRows
        implements Commits.Step
{
    private final RowManifests manifests;
    private final TableVersion base;
    private final TableRows rows;
    private final Refresh refresh;
    private final boolean append;

    /**
     * @param base version from which the statement started
     * @param rows rows that are in the folder of the materialized view
     * @param append whether the rows are added to those of {@code base}; otherwise, they replace them
     */
    public RefreshRows(TableStorage storage, TableVersion base, TableRows rows, Refresh refresh, boolean append)
    {
        this.manifests = new RowManifests(storage.manifests(), rows);
        this.base = requireNonNull(base, "base is null");
        this.rows = requireNonNull(rows, "rows is null");
        this.refresh = requireNonNull(refresh, "refresh is null");
        this.append = append;
    }

    /**
     * {@inheritDoc}
     *
     * @throws TableException CONFLICT if others have replaced or refreshed the materialized view
     */
    @Override
    public Optional<TableVersion> apply(TableVersion next)
            throws IOException
    {
        check(next);
        TableVersion kept = append ? next : next.withManifests(ImmutableList.of());
        return Optional.of(kept.withManifests(manifests.add(kept))
                .withView(next.view().orElseThrow().withRefresh(refresh))
                .withOperation(REFRESH, ImmutableMap.<String, String>builder()
                        .putAll(rows.summary())
                        .putAll((append ? VersionTotals.NONE : VersionTotals.of(next)).removed())
                        .buildOrThrow()));
    }

    private void check(TableVersion next)
    {
        Commits.checkFiles(next, base.version(), rows::fileIds);
        if (next.schemaId() != base.schemaId() || !query(next).equals(query(base))) {
            throw conflict(next, "replaced");
        }
        if (!lastRefresh(next).equals(lastRefresh(base))) {
            // The other one may have read newer rows
            throw conflict(next, "refreshed");
        }
    }

    private static Optional<String> query(TableVersion version)
    {
        return version.view().map(ViewDefinition::sql);
    }

    private static Optional<Refresh> lastRefresh(TableVersion version)
    {
        return version.view().flatMap(ViewDefinition::materialized).flatMap(Materialization::refresh);
    }

    private TableException conflict(TableVersion next, String what)
    {
        return new TableException(CONFLICT, "Another transaction has %s the materialized view in versions %s to %s. Retry the statement", what, base.version() + 1, next.version() - 1);
    }

    @Override
    public void abort()
    {
        manifests.abort();
    }
}
