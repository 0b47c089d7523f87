package io.albis.table.row;

import com.google.common.collect.ImmutableMap;
import io.albis.table.model.TableColumn;
import io.albis.table.model.TableDefinition;
import io.albis.table.model.TableException;
import io.albis.table.model.TableName;
import io.albis.table.model.TableRows;
import io.albis.table.model.TableVersion;
import io.albis.table.model.VersionTotals;
import io.albis.table.version.Commits;
import io.albis.table.version.TableStorage;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.table.model.TableException.Reason.CONFLICT;
import static io.albis.table.model.TableOperation.REPLACE;
import static java.util.Objects.requireNonNull;

/**
 * Commits a CREATE OR REPLACE TABLE of a table that exists: a version with other columns, properties, and rows.
 */
public final class Replacement
        implements Commits.Step
{
    private final RowManifests manifests;
    private final TableVersion base;
    private final TableDefinition definition;
    private final TableRows rows;
    private final boolean baseWasRead;

    /**
     * @param base version from which the statement started
     * @param definition definition with the column ids 1, 2, and so on
     * @param rows rows whose column ids are those of the definition after the last one of {@code base}
     * @param baseWasRead whether the rows may depend on those of {@code base}
     */
    public Replacement(TableStorage storage, TableVersion base, TableDefinition definition, TableRows rows, boolean baseWasRead)
    {
        this.manifests = new RowManifests(storage.manifests(), rows);
        this.base = requireNonNull(base, "base is null");
        this.definition = requireNonNull(definition, "definition is null");
        this.rows = requireNonNull(rows, "rows is null");
        this.baseWasRead = baseWasRead;
    }

    /**
     * {@inheritDoc}
     *
     * @throws TableException CONFLICT if others have renamed the table, changed its columns, or changed the rows that
     *         the statement has read
     */
    @Override
    public Optional<TableVersion> apply(TableVersion next)
            throws IOException
    {
        check(next);
        // Rows have their column ids already. A definition without rows takes the next ones
        TableVersion replaced = next.replace(definition.withColumnIdsAfter(rows.isEmpty() ? next.lastColumnId() : base.lastColumnId()));
        return Optional.of(replaced.withManifests(manifests.add(replaced))
                .withOperation(REPLACE, ImmutableMap.<String, String>builder()
                        .putAll(rows.summary())
                        .putAll(VersionTotals.of(next).removed())
                        .buildOrThrow()));
    }

    private void check(TableVersion next)
    {
        Commits.checkFiles(next, base.version(), rows::fileIds);
        if (!entry(next).equals(entry(base))) {
            throw conflict(next, "renamed the table");
        }
        // Rows have column ids after the last one of the base. A statement that has read the base has read its columns
        if ((!rows.isEmpty() && next.lastColumnId() != base.lastColumnId()) || (baseWasRead && hasOtherColumns(next))) {
            throw conflict(next, "changed the columns of the table");
        }
        // With every isolation level, because it removes all rows: it would undo an UPDATE that it has not seen
        if (baseWasRead && !next.manifests().equals(base.manifests())) {
            throw conflict(next, "changed rows of the table that this statement has read,");
        }
    }

    private boolean hasOtherColumns(TableVersion next)
    {
        return next.schemaId() != base.schemaId() || !columnNames(next).equals(columnNames(base));
    }

    private static List<String> columnNames(TableVersion version)
    {
        return version.columns().stream()
                .map(TableColumn::name)
                .collect(toImmutableList());
    }

    private static Optional<UUID> entry(TableVersion version)
    {
        return version.name().map(TableName::entry);
    }

    private TableException conflict(TableVersion next, String what)
    {
        return new TableException(CONFLICT, "Another transaction %s in versions %s to %s. Retry the statement", what, base.version() + 1, next.version() - 1);
    }

    @Override
    public void abort()
    {
        manifests.abort();
    }
}
