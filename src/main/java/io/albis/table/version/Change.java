package io.albis.table.version;

import com.google.common.collect.ImmutableList;
import io.albis.table.model.TableColumn;
import io.albis.table.model.TableException;
import io.albis.table.model.TableVersion;

import java.util.Optional;

import static io.albis.table.model.TableException.Reason.CONFLICT;
import static java.util.Objects.requireNonNull;

/**
 * A change of a table that touches no row. It is made to the newest version, whatever was committed since the table
 * was loaded.
 */
public sealed interface Change
{
    /**
     * The version with the change made.
     *
     * @throws TableException CONFLICT if what is to be changed is there no longer
     */
    TableVersion apply(TableVersion version);

    /**
     * @param comment empty to remove it
     */
    record TableComment(Optional<String> comment)
            implements Change
    {
        public TableComment
        {
            requireNonNull(comment, "comment is null");
        }

        @Override
        public TableVersion apply(TableVersion version)
        {
            return version.withComment(comment);
        }
    }

    /**
     * @param comment empty to remove it
     */
    record ColumnComment(int columnId, Optional<String> comment)
            implements Change
    {
        public ColumnComment
        {
            requireNonNull(comment, "comment is null");
        }

        @Override
        public TableVersion apply(TableVersion version)
        {
            ImmutableList.Builder<TableColumn> columns = ImmutableList.builder();
            boolean found = false;
            for (TableColumn column : version.columns()) {
                if (column.id() == columnId) {
                    found = true;
                    columns.add(column.withComment(comment));
                }
                else {
                    columns.add(column);
                }
            }
            if (!found) {
                throw new TableException(CONFLICT, "Column with id %s is in the table no longer", columnId);
            }
            return version.withColumns(columns.build());
        }
    }
}
