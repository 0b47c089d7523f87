package io.albis.table.row;

import com.google.common.collect.AbstractIterator;
import com.google.common.collect.ImmutableList;
import io.albis.format.metadata.RowGroup;
import io.albis.table.manifest.ManifestStorage;
import io.albis.table.model.TableColumn;
import io.albis.table.model.TableException;
import io.albis.table.model.TableVersion;
import io.albis.table.version.AlbisTable;
import io.albis.table.version.TableHistory;
import io.albis.table.version.TableStorage;

import java.io.IOException;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.albis.table.model.TableException.Reason.VERSION_NOT_FOUND;
import static io.albis.table.model.TableOperation.OPTIMIZE;
import static io.albis.table.model.TableOperation.REGROUP;
import static io.albis.table.put.StorageCalls.unchecked;
import static java.util.Objects.requireNonNull;

/**
 * The changes of the rows of a table from each version to the next one. They are derived from the entries of the row
 * groups in the versions. No commit has to record them.
 */
public final class RowHistory
{
    private final TableHistory history;
    private final ManifestStorage manifests;
    private final AlbisTable table;

    public RowHistory(TableStorage storage, AlbisTable table)
    {
        this.history = new TableHistory(storage, table);
        this.manifests = storage.manifests();
        this.table = requireNonNull(table, "table is null");
    }

    /**
     * Returns the last of some versions, and checks that none of them has expired. Reads only the first and the last
     * one.
     *
     * @param start number of the first version
     * @param end number of the last version, at least {@code start}
     * @throws TableException VERSION_NOT_FOUND if a version does not exist or has expired; NOT_SUPPORTED if rows of the
     *         first version cannot be read with the columns of the last one
     */
    public TableVersion check(long start, long end)
            throws IOException
    {
        TableVersion first = history.get(start);
        TableVersion last = history.get(end);
        for (long number = start + 1; number < end; number++) {
            if (table.version().isExpired(number)) {
                throw new TableException(VERSION_NOT_FOUND, "The changes of table '%s.%s' between versions %s and %s are not known any more, because version %s has expired", table.schemaName(), table.tableName(), start, end, number);
            }
        }
        ComparableColumns.check(table, first, last);
        return last;
    }

    /**
     * Returns the changes of the versions after {@code start} up to that of the table. Versions that have not changed
     * any row are left out. Each version is read when the iterator gets to it.
     *
     * @throws TableException as {@link #check}, also while iterating
     * @throws java.io.UncheckedIOException if the storage fails or a file is damaged, also while iterating
     */
    public Iterator<RowChanges> since(long start)
    {
        TableVersion end = table.version();
        return new AbstractIterator<>()
        {
            private TableVersion current = unchecked(() -> history.get(start));
            private int ordinal;

            @Override
            protected RowChanges computeNext()
            {
                while (current.version() < end.version()) {
                    TableVersion before = current;
                    current = unchecked(() -> history.get(before.version() + 1));
                    ComparableColumns.check(table, current, end);
                    List<RowGroupChange> changes = unchecked(() -> changes(before, current, end));
                    if (!changes.isEmpty()) {
                        ordinal++;
                        return new RowChanges(current.version(), current.time(), ordinal - 1, changes);
                    }
                }
                return endOfData();
            }
        };
    }

    private List<RowGroupChange> changes(TableVersion before, TableVersion after, TableVersion end)
            throws IOException
    {
        if (after.operation().equals(OPTIMIZE.label()) || after.operation().equals(REGROUP.label())) {
            // It has replaced row groups by others with the same rows, or column groups by others with the same values
            return ImmutableList.of();
        }
        Map<UUID, RowGroup> removed = ManifestPart.read(manifests, ManifestPart.onlyIn(before, after), ReadSet.wholeTable());
        Map<UUID, RowGroup> added = ManifestPart.read(manifests, ManifestPart.onlyIn(after, before), ReadSet.wholeTable());
        // Entries may lose the files of columns that were dropped, which changes no row
        Set<Integer> columnIds = new HashSet<>(ids(end));
        columnIds.retainAll(ids(before));
        columnIds.retainAll(ids(after));
        ImmutableList.Builder<RowGroupChange> changes = ImmutableList.builder();
        for (RowGroup old : removed.values()) {
            RowGroup now = added.remove(old.id());
            if (now == null) {
                changes.add(RowGroupChange.removed(old));
            }
            else {
                RowGroupChange.between(old, now, columnIds).ifPresent(changes::add);
            }
        }
        added.values().forEach(rowGroup -> changes.add(RowGroupChange.added(rowGroup)));
        return changes.build();
    }

    private static Set<Integer> ids(TableVersion version)
    {
        return version.columns().stream()
                .map(TableColumn::id)
                .collect(toImmutableSet());
    }
}
