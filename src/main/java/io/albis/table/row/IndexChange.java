package io.albis.table.row;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Sets;
import io.albis.table.model.IndexedColumns;
import io.albis.table.model.TableException;
import io.albis.table.model.TableRows;
import io.albis.table.model.TableVersion;
import io.albis.table.version.Commits;
import io.albis.table.version.TableStorage;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import static io.albis.table.model.TableException.Reason.CONFLICT;
import static io.albis.table.model.TableOperation.REGROUP;
import static java.util.Objects.requireNonNull;

/**
 * Commits indexes of columns, for the row groups of later writes and for some existing row groups, whose column groups
 * were written again.
 */
public final class IndexChange
        implements Commits.Step
{
    private final TableVersion base;
    private final Set<Integer> added;
    private final Set<Integer> dropped;
    private final TableRows rewritten;
    private final ChangeRows rows;

    /**
     * @param base version from which the statement started
     * @param added ids of columns that get an index
     * @param dropped ids of columns that lose their index
     * @param rewritten row groups with only the new instances of column groups; possibly none
     */
    public IndexChange(TableStorage storage, TableVersion base, Set<Integer> added, Set<Integer> dropped, TableRows rewritten)
    {
        this.base = requireNonNull(base, "base is null");
        this.added = ImmutableSet.copyOf(added);
        this.dropped = ImmutableSet.copyOf(dropped);
        this.rewritten = requireNonNull(rewritten, "rewritten is null");
        RowChange change = new RowChange(TableRows.NONE, ImmutableMap.of(), ImmutableSet.of(), rewritten, REGROUP);
        this.rows = new ChangeRows(storage, base, change, ReadSet.ofCopy());
    }

    /**
     * {@inheritDoc}
     *
     * @throws TableException CONFLICT if others have changed the columns of the table, replaced the same column groups
     *         of a row group with other values, or changed the column groups of the table or the indexes of other
     *         columns in the same files
     */
    @Override
    public Optional<TableVersion> apply(TableVersion next)
            throws IOException
    {
        if (!rewritten.isEmpty() && !next.columnGroups().equals(base.columnGroups())) {
            // The new files have the old column groups
            throw new TableException(CONFLICT, "Another transaction changed the column groups of the table in versions %s to %s. Retry the statement", base.version() + 1, next.version() - 1);
        }
        ConcurrentIndexes.check(base, next, rewritten, Sets.union(added, dropped));
        // Fails if the columns have changed
        Optional<TableVersion> changed = rows.apply(next);
        // Others may have changed the indexes of other columns
        Map<String, String> properties = IndexedColumns.change(next.properties(), added, dropped);
        if (properties.equals(next.properties())) {
            return changed;
        }
        // Even if no row group changes, the statement changes the indexes of later writes
        TableVersion version = changed.orElseGet(() -> next.withOperation(REGROUP, ImmutableMap.of()));
        return Optional.of(version.withProperties(properties));
    }

    @Override
    public void abort()
    {
        rows.abort();
    }
}
