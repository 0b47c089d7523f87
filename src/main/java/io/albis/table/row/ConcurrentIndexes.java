package io.albis.table.row;

import com.google.common.collect.Sets;
import io.albis.format.metadata.RowGroup;
import io.albis.table.model.IndexedColumns;
import io.albis.table.model.TableException;
import io.albis.table.model.TableRows;
import io.albis.table.model.TableVersion;

import java.util.Collections;
import java.util.Set;

import static io.albis.table.model.TableException.Reason.CONFLICT;

/**
 * Detects that others have added or dropped indexes of columns whose files a statement has written again. These files
 * have the indexes of the version from which the statement started, so indexes would get lost or come back.
 */
final class ConcurrentIndexes
{
    private ConcurrentIndexes() {}

    /**
     * @param base version from which the statement started
     * @param next copy of the newest version with the next number
     * @param rewritten row groups with only the column groups that the statement has written
     * @param requested ids of columns whose indexes the statement itself changes
     * @throws TableException CONFLICT if others have changed indexes of other columns in these column groups
     */
    static void check(TableVersion base, TableVersion next, TableRows rewritten, Set<Integer> requested)
    {
        Set<Integer> changed = Sets.symmetricDifference(IndexedColumns.of(base.properties()), IndexedColumns.of(next.properties()));
        Set<Integer> others = Sets.difference(changed, requested);
        if (others.isEmpty()) {
            return;
        }
        for (RowGroup rowGroup : rewritten.rowGroups()) {
            if (!Collections.disjoint(rowGroup.columnIds(), others)) {
                throw new TableException(CONFLICT, "Another transaction changed indexes of columns that this statement has written again, in versions %s to %s. Retry the statement", base.version() + 1, next.version() - 1);
            }
        }
    }
}
