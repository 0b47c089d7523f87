package io.albis.trino.relation;

import com.google.common.collect.ImmutableList;
import io.albis.table.model.TableColumn;
import io.trino.spi.ErrorCodeSupplier;
import io.trino.spi.TrinoException;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static io.albis.trino.config.AlbisTableProperties.COLUMN_GROUPS;
import static java.util.Objects.requireNonNull;

/**
 * Checks the names of columns in {@code column_groups}, and what is given for each of these groups, for table
 * properties and for arguments of procedures.
 */
final class ColumnGroupLists
{
    private final ErrorCodeSupplier errorCode;
    private final List<TableColumn> columns;
    // in the order of the table; a column is removed when it becomes part of a group
    private final Map<String, TableColumn> ungrouped = new LinkedHashMap<>();

    /**
     * @param errorCode code of the exceptions
     * @param columns all columns of the table
     */
    ColumnGroupLists(ErrorCodeSupplier errorCode, List<TableColumn> columns)
    {
        this.errorCode = requireNonNull(errorCode, "errorCode is null");
        this.columns = ImmutableList.copyOf(columns);
        this.columns.forEach(column -> ungrouped.put(column.name(), column));
    }

    /**
     * Returns the columns of a group.
     *
     * @throws TrinoException if the table does not have a column, or an earlier group has it
     */
    List<TableColumn> take(List<String> names)
    {
        ImmutableList.Builder<TableColumn> grouped = ImmutableList.builder();
        for (String name : names) {
            TableColumn column = ungrouped.remove(name);
            if (column == null) {
                if (columns.stream().anyMatch(existing -> existing.name().equals(name))) {
                    throw new TrinoException(errorCode, "%s names column '%s' twice; a column can be in one group only".formatted(COLUMN_GROUPS, name));
                }
                throw ColumnNames.missing(errorCode, COLUMN_GROUPS, name, columns);
            }
            grouped.add(column);
        }
        return grouped.build();
    }

    /**
     * Returns the columns that are in no group yet.
     */
    List<TableColumn> remaining()
    {
        return ImmutableList.copyOf(ungrouped.values());
    }

    /**
     * Checks that a list has one element for each group.
     *
     * @param name name of the list
     * @param what name of an element
     * @param groups number of groups
     */
    void checkSize(Optional<? extends List<?>> list, String name, String what, int groups)
    {
        if (list.isPresent() && list.get().size() != groups) {
            throw new TrinoException(errorCode, "%s must have one %s for each group in %s; %ss: %s, groups: %s".formatted(name, what, COLUMN_GROUPS, what, list.get().size(), groups));
        }
    }
}
