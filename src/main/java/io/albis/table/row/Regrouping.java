package io.albis.table.row;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.albis.table.model.TableColumnGroup;
import io.albis.table.model.TableException;
import io.albis.table.model.TableRows;
import io.albis.table.model.TableVersion;
import io.albis.table.version.Commits;
import io.albis.table.version.TableStorage;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

import static io.albis.table.model.TableException.Reason.CONFLICT;
import static io.albis.table.model.TableOperation.REGROUP;
import static java.util.Objects.requireNonNull;

/**
 * Commits new column groups of a table, for the row groups of later writes and for some existing row groups.
 */
public final class Regrouping
        implements Commits.Step
{
    private final TableVersion base;
    private final List<TableColumnGroup> columnGroups;
    private final TableRows regrouped;
    private final ChangeRows rows;

    /**
     * @param base version from which the statement started
     * @param columnGroups groups of all columns of the table
     * @param regrouped row groups with only the new instances of column groups; possibly none
     */
    public Regrouping(TableStorage storage, TableVersion base, List<TableColumnGroup> columnGroups, TableRows regrouped)
    {
        this.base = requireNonNull(base, "base is null");
        this.columnGroups = ImmutableList.copyOf(columnGroups);
        this.regrouped = requireNonNull(regrouped, "regrouped is null");
        RowChange change = new RowChange(TableRows.NONE, ImmutableMap.of(), ImmutableSet.of(), regrouped, REGROUP);
        this.rows = new ChangeRows(storage, base, change, ReadSet.ofCopy());
    }

    /**
     * {@inheritDoc}
     *
     * @throws TableException CONFLICT if others have changed the columns or the column groups of the table, replaced
     *         the same column groups of a row group with other values, or changed indexes of columns in them
     */
    @Override
    public Optional<TableVersion> apply(TableVersion next)
            throws IOException
    {
        boolean grouped = next.columnGroups().equals(columnGroups);
        if (!grouped && !next.columnGroups().equals(base.columnGroups())) {
            throw new TableException(CONFLICT, "Another transaction changed the column groups of the table in versions %s to %s. Retry the statement", base.version() + 1, next.version() - 1);
        }
        ConcurrentIndexes.check(base, next, regrouped, ImmutableSet.of());
        // Fails if the columns have changed
        Optional<TableVersion> changed = rows.apply(next);
        if (grouped) {
            return changed;
        }
        // Even if no row group changes, the statement changes the column groups of later writes
        TableVersion version = changed.orElseGet(() -> next.withOperation(REGROUP, ImmutableMap.of()));
        return Optional.of(version.withColumns(version.columns(), columnGroups));
    }

    @Override
    public void abort()
    {
        rows.abort();
    }
}
