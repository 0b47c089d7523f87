package io.albis.table.alter;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Maps;
import io.albis.table.model.IndexedColumns;
import io.albis.table.model.PartitionField;
import io.albis.table.model.PartitionFields;
import io.albis.table.model.SortColumn;
import io.albis.table.model.SortColumns;
import io.albis.table.model.TableDefinition;
import io.albis.table.model.TableException;
import io.albis.table.model.TableName;
import io.albis.table.model.TableVersion;
import io.albis.table.model.ViewDefinition;
import io.albis.table.version.TableHistory;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.UnaryOperator;

import static io.albis.table.model.TableException.Reason.CONFLICT;
import static io.albis.table.model.TableException.Reason.INVALID_NAME;
import static io.albis.table.model.TableException.Reason.TABLE_NOT_FOUND;
import static io.albis.table.model.TableException.Reason.VERSION_NOT_FOUND;
import static io.albis.table.model.TableOperation.REPLACE;
import static java.util.Objects.requireNonNull;

/**
 * A change to the metadata of a table that writes no rows. It is applied to the newest version, regardless of
 * what other writers committed since the table was loaded.
 */
public sealed interface Change
        permits Change.AlteredView,
                Change.ColumnComment,
                Change.CreateTag,
                Change.DropTag,
                Change.Properties,
                Change.TableComment,
                Change.View,
                SchemaChange
{
    /**
     * Returns a copy of the version with the change applied.
     *
     * @throws TableException CONFLICT if the object of the change no longer exists; INVALID_NAME or VERSION_NOT_FOUND
     *         for a tag that exists already or does not exist, or whose version has expired; ALREADY_EXISTS or
     *         NOT_SUPPORTED for a change of a column that is not possible
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
     * Changes properties of the table. The others keep the values that they have.
     *
     * @param set new values by the names of the properties
     * @param removed names of properties that the table no longer has
     */
    record Properties(Map<String, String> set, Set<String> removed)
            implements Change
    {
        public Properties
        {
            set = ImmutableMap.copyOf(set);
            removed = ImmutableSet.copyOf(removed);
        }

        @Override
        public TableVersion apply(TableVersion version)
        {
            for (SortColumn sorted : SortColumns.of(set)) {
                if (version.columns().stream().noneMatch(column -> column.id() == sorted.columnId())) {
                    throw new TableException(CONFLICT, "Another transaction has dropped a column in sorted_by. Retry the statement");
                }
            }
            for (PartitionField field : PartitionFields.of(set)) {
                if (version.columns().stream().noneMatch(column -> column.id() == field.columnId())) {
                    throw new TableException(CONFLICT, "Another transaction has dropped a column in partitioned_by. Retry the statement");
                }
            }
            for (int indexed : IndexedColumns.of(set)) {
                if (version.columns().stream().noneMatch(column -> column.id() == indexed)) {
                    throw new TableException(CONFLICT, "Another transaction has dropped a column in indexed_by. Retry the statement");
                }
            }
            return version.withProperties(ImmutableMap.<String, String>builder()
                    .putAll(Maps.filterKeys(version.properties(), name -> !removed.contains(name)))
                    .putAll(set)
                    .buildKeepingLast());
        }
    }

    /**
     * Replaces the definition of a view.
     *
     * @param name name of the view as it was loaded
     * @param comment the new comment; empty to remove the comment
     * @param storage columns with the ids 1, 2, and so on, and properties of a materialized view, which has no rows
     *         afterwards; empty for a view that stores no rows. Its location is ignored
     */
    record View(Optional<TableName> name, ViewDefinition view, Optional<String> comment, Optional<TableDefinition> storage)
            implements Change
    {
        public View
        {
            requireNonNull(name, "name is null");
            requireNonNull(view, "view is null");
            requireNonNull(comment, "comment is null");
            requireNonNull(storage, "storage is null");
        }

        /**
         * {@inheritDoc}
         *
         * @throws TableException TABLE_NOT_FOUND if the view was renamed
         */
        @Override
        public TableVersion apply(TableVersion version)
        {
            // The statement would otherwise replace the view with another name, and its own name would refer to nothing
            if (!version.name().map(TableName::entry).equals(name.map(TableName::entry))) {
                throw new TableException(TABLE_NOT_FOUND, "The view was renamed by another transaction");
            }
            TableVersion replaced = storage
                    .map(definition -> version.replace(definition.withColumnIdsAfter(version.lastColumnId())))
                    .orElse(version);
            return replaced.withView(view).withComment(comment).withOperation(REPLACE, ImmutableMap.of());
        }
    }

    /**
     * Changes the definition of a view.
     */
    record AlteredView(UnaryOperator<ViewDefinition> change)
            implements Change
    {
        public AlteredView
        {
            requireNonNull(change, "change is null");
        }

        @Override
        public TableVersion apply(TableVersion version)
        {
            return version.withView(change.apply(version.view().orElseThrow()));
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
            return SchemaChange.update(version, columnId, column -> column.withComment(comment));
        }
    }

    /**
     * Gives a version a name.
     *
     * @param number number of the version, which exists unless it has expired since; empty for the newest
     *         version at the time of the commit
     */
    record CreateTag(String tag, OptionalLong number)
            implements Change
    {
        private static final int MAX_LENGTH = 240;

        public CreateTag
        {
            requireNonNull(number, "number is null");
            if (tag.isBlank() || tag.length() > MAX_LENGTH || tag.equals(TableHistory.NEWEST)) {
                throw new TableException(INVALID_NAME, "A tag cannot have the name '%s'. The name must have 1 to %s characters and must not be '%s', which is the newest version", tag, MAX_LENGTH, TableHistory.NEWEST);
            }
        }

        @Override
        public TableVersion apply(TableVersion version)
        {
            Long existing = version.tags().get(tag);
            if (existing != null) {
                throw new TableException(INVALID_NAME, "The table already has a tag '%s', of version %s. Drop it first, or use another name", tag, existing);
            }
            // Files of an expired version may be missing already. A tag that is committed first keeps the version
            if (number.isPresent() && version.isExpired(number.getAsLong())) {
                throw new TableException(VERSION_NOT_FOUND, "Version %s cannot get the tag '%s', because it has expired", number.getAsLong(), tag);
            }
            return version.withTags(ImmutableMap.<String, Long>builder()
                    .putAll(version.tags())
                    .put(tag, number.orElse(version.version() - 1))
                    .buildOrThrow());
        }
    }

    /**
     * Removes the name of a version. Unless it has another one, the version expires some time later.
     */
    record DropTag(String tag)
            implements Change
    {
        public DropTag
        {
            requireNonNull(tag, "tag is null");
        }

        @Override
        public TableVersion apply(TableVersion version)
        {
            if (!version.tags().containsKey(tag)) {
                throw new TableException(VERSION_NOT_FOUND, "The table has no tag '%s'", tag);
            }
            return version.withTags(Maps.filterKeys(version.tags(), name -> !name.equals(tag)));
        }
    }
}
