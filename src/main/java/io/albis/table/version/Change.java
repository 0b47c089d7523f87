package io.albis.table.version;

import com.google.common.collect.ImmutableList;
import io.albis.table.model.TableColumn;
import io.albis.table.model.TableException;
import io.albis.table.model.TableVersion;

import java.util.Optional;

import static io.albis.table.model.TableException.Reason.CONFLICT;
import static java.util.Objects.requireNonNull;

/**
 * A change to the metadata of a table that does not affect its rows. It is applied to the newest version, regardless of
 * what other writers committed since the table was loaded.
 */
public sealed interface Change
{
    /**
     * Returns a copy of the version with the change applied.
     *
     * @throws TableException CONFLICT if the object of the change no longer exists
     */
    TableVersion apply(TableVersion version);

    /**
     * Sets or removes the comment of the table.
     *
     * @param comment the new comment; empty to remove the comment
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
     * Sets or removes the comment of a column.
     *
     * @param columnId id of the column
     * @param comment the new comment; empty to remove the comment
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
                throw new TableException(CONFLICT, "The column with id %s no longer exists in the table", columnId);
            }
            return version.withColumns(columns.build());
        }
    }
}
