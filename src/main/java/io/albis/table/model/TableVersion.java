package io.albis.table.model;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.RowGroupSchema;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_EMPTY;
import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.table.model.SchemaFeatures.CHANGED_FIELDS;
import static io.albis.table.model.SchemaFeatures.INITIAL_VALUES;
import static io.albis.table.model.TableOperation.ALTER;
import static io.albis.table.model.TableOperation.VACUUM;
import static java.util.Objects.requireNonNull;

/**
 * One state of a table, as stored in a file of its own. A version is an immutable snapshot.
 *
 * @param uuid id of the table
 * @param version number of the version; versions are numbered from 1 without gaps
 * @param commitId id of the commit that created the version
 * @param previous id of the commit that created the previous version; empty in the first version
 * @param time time of the commit by the clock of the writer, but later than that of the previous version
 * @param operation what the commit did, as the label of a {@link TableOperation} or of a newer version of Albis
 * @param summary information about the commit by name; nothing depends on it
 * @param name name of the table; empty after the table was dropped
 * @param warehouse id of the warehouse that may change the table; empty if the folder of the table is inside the
 *         warehouse
 * @param explicitLocation whether the user specified the location that contains the folder of the table
 * @param schemaId number that increases whenever a column is added or removed, or gets another type or a NOT NULL
 *         constraint, and whenever an earlier version is restored. A write that began before such a change is refused.
 *         Other changes of columns, such as of their names, do not matter to it
 * @param columns columns in the order of the table
 * @param columnGroups column groups of row groups written from now on; every column is in exactly one
 * @param properties properties of the table by name
 * @param comment comment of the user; empty if there is none
 * @param manifests manifests that list the row groups; together they are the content of the table
 * @param features features that a reader must support to read the table
 * @param writerFeatures features that a writer must support to create the next version
 * @param lastColumnId greatest id that any column of the table ever had, or any field of a column whose fields have
 *         changed
 * @param tags numbers of versions by the names that users gave them; each is that of an earlier version
 * @param expired earlier versions that have expired; empty if none has
 * @param condemned writes whose files no later version may add; empty if none was ever condemned
 * @param view definition of the view; empty for a table. A view that stores no rows has no columns, properties, and
 *         manifests
 */
public record TableVersion(
        UUID uuid,
        long version,
        UUID commitId,
        Optional<UUID> previous,
        Instant time,
        String operation,
        Map<String, String> summary,
        Optional<TableName> name,
        Optional<UUID> warehouse,
        boolean explicitLocation,
        int schemaId,
        List<TableColumn> columns,
        List<TableColumnGroup> columnGroups,
        Map<String, String> properties,
        Optional<String> comment,
        List<ManifestEntry> manifests,
        List<String> features,
        List<String> writerFeatures,
        int lastColumnId,
        @JsonInclude(NON_EMPTY) Map<String, Long> tags,
        Optional<ExpiredVersions> expired,
        Optional<CondemnedWrites> condemned,
        Optional<ViewDefinition> view)
{
    public static final long FIRST_VERSION = 1;
    public static final int FIRST_SCHEMA_ID = 1;
    /**
     * The feature of a version with deleted rows, or with manifests of which some entries are removed.
     */
    public static final String ROW_DELETES = "row-deletes";
    /**
     * The feature of a version that has condemned writes. A writer that ignored them would commit files that were
     * deleted.
     */
    public static final String CONDEMNED_WRITES = "condemned-writes";
    /**
     * The feature of a version of an unregistered table. Only a registration follows it. The version keeps the last
     * name of the table with the id of an entry that never exists.
     */
    public static final String UNREGISTERED = "unregistered";
    /**
     * The feature of a version of a view. All versions of a view have it, and no version of a table does.
     */
    public static final String VIEW = "view";
    /**
     * The feature of a version of a materialized view, in addition to {@link #VIEW}.
     */
    public static final String MATERIALIZED_VIEW = "materialized-view";

    // The precision of commit times
    private static final Duration MIN_INTERVAL = Duration.ofMillis(1);

    public TableVersion
    {
        requireNonNull(uuid, "uuid is null");
        checkArgument(version >= FIRST_VERSION, "version is not positive: %s", version);
        requireNonNull(commitId, "commitId is null");
        requireNonNull(previous, "previous is null");
        requireNonNull(time, "time is null");
        requireNonNull(operation, "operation is null");
        summary = summary == null ? ImmutableMap.of() : ImmutableMap.copyOf(summary);
        requireNonNull(name, "name is null");
        requireNonNull(warehouse, "warehouse is null");
        checkArgument(schemaId >= FIRST_SCHEMA_ID, "schemaId is not positive: %s", schemaId);
        columns = ImmutableList.copyOf(columns);
        columnGroups = ImmutableList.copyOf(columnGroups);
        properties = ImmutableMap.copyOf(properties);
        // these fail if the property is not valid
        SortColumns.of(properties);
        IndexedColumns.of(properties);
        for (PartitionField field : PartitionFields.of(properties)) {
            TableColumn partitioned = columns.stream()
                    .filter(column -> column.id() == field.columnId())
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("rows are partitioned by column %s, which the table does not have".formatted(field.columnId())));
            checkArgument(PartitionTypes.isSupported(field.transform(), partitioned.type()), "rows are partitioned by %s, which does not apply to type %s", field, partitioned.type());
        }
        requireNonNull(comment, "comment is null");
        manifests = ImmutableList.copyOf(manifests);
        ManifestEntry.checkSums(manifests);
        features = features == null ? ImmutableList.of() : ImmutableList.copyOf(features);
        writerFeatures = writerFeatures == null ? ImmutableList.of() : ImmutableList.copyOf(writerFeatures);
        tags = tags == null ? ImmutableMap.of() : ImmutableMap.copyOf(tags);
        for (Map.Entry<String, Long> tag : tags.entrySet()) {
            checkArgument(tag.getValue() >= FIRST_VERSION && tag.getValue() < version, "tag '%s' is not one of an earlier version: %s", tag.getKey(), tag.getValue());
        }
        requireNonNull(expired, "expired is null");
        for (Map.Entry<String, Long> tag : tags.entrySet()) {
            checkArgument(expired.isEmpty() || !expired.get().contains(tag.getValue()), "tag '%s' is one of an expired version: %s", tag.getKey(), tag.getValue());
        }
        checkArgument(expired.isEmpty() || expired.get().before() <= version, "version %s has expired itself", version);
        requireNonNull(condemned, "condemned is null");
        checkArgument(condemned.isEmpty() || condemned.get().lastVersion() <= version, "a version after %s has condemned writes", version);
        checkArgument(condemned.isEmpty() || writerFeatures.contains(CONDEMNED_WRITES), "writes are condemned, but writerFeatures does not contain %s", CONDEMNED_WRITES);
        checkArgument(name.isPresent() || !writerFeatures.contains(UNREGISTERED), "the table is unregistered, but it has no last name");
        requireNonNull(view, "view is null");
        checkArgument(view.isPresent() == features.contains(VIEW), "a version has a view if and only if features contains %s", VIEW);
        boolean materialized = view.flatMap(ViewDefinition::materialized).isPresent();
        checkArgument(materialized == features.contains(MATERIALIZED_VIEW), "a version has a materialized view if and only if features contains %s", MATERIALIZED_VIEW);
        boolean stored = view.isEmpty() || materialized;
        checkArgument(stored || (columns.isEmpty() && columnGroups.isEmpty() && manifests.isEmpty()), "a view has columns or rows of its own");
        // A table that never existed has no columns, and neither has a view
        if ((name.isPresent() && stored) || !columns.isEmpty() || !columnGroups.isEmpty()) {
            ColumnChecks.check(columns, columnGroups);
        }
        checkArgument(features.contains(INITIAL_VALUES) || columns.stream().allMatch(column -> column.initial().isEmpty()), "a column has an initial value, but features does not contain %s", INITIAL_VALUES);
        checkArgument(features.contains(CHANGED_FIELDS) || columns.stream().allMatch(column -> column.fieldIds().isEmpty()), "a column has ids of fields, but features does not contain %s", CHANGED_FIELDS);
        checkArgument(features.contains(ROW_DELETES) || manifests.stream().noneMatch(ManifestEntry::requiresRowDeletes), "rows are deleted, but features does not contain %s", ROW_DELETES);
        for (TableColumn column : columns) {
            checkArgument(column.id() <= lastColumnId, "column %s has an id that is greater than lastColumnId %s", column.name(), lastColumnId);
        }
    }

    /**
     * Returns the first version of a folder in which no table is ever created.
     *
     * @param warehouse id of the warehouse; empty if the folder is inside the warehouse
     */
    public static TableVersion withoutTable(UUID uuid, Optional<UUID> warehouse, Instant time, Map<String, String> summary)
    {
        return new TableVersion(uuid, FIRST_VERSION, UUID.randomUUID(), Optional.empty(), time, VACUUM.label(), summary, Optional.empty(), warehouse, false, FIRST_SCHEMA_ID, ImmutableList.of(), ImmutableList.of(), ImmutableMap.of(), Optional.empty(), ImmutableList.of(), ImmutableList.of(), ImmutableList.of(), 0, ImmutableMap.of(), Optional.empty(), Optional.empty(), Optional.empty());
    }

    /**
     * Returns the schema of row groups that are written from now on: the columns in the order of the table, and their
     * column groups.
     */
    public RowGroupSchema schema()
    {
        Map<Integer, AlbisColumn> byId = new HashMap<>();
        ImmutableList.Builder<AlbisColumn> order = ImmutableList.builder();
        for (TableColumn column : columns) {
            AlbisColumn albisColumn = column.toAlbisColumn();
            byId.put(column.id(), albisColumn);
            order.add(albisColumn);
        }
        ImmutableList.Builder<AlbisColumnGroup> groups = ImmutableList.builder();
        for (TableColumnGroup group : columnGroups) {
            groups.add(group.toAlbisColumnGroup(byId));
        }
        return new RowGroupSchema(order.build(), groups.build());
    }

    /**
     * Returns the number of rows of the table, without deleted rows.
     */
    public long rowCount()
    {
        long rows = 0;
        for (ManifestEntry manifest : manifests) {
            rows += manifest.liveRows();
        }
        return rows;
    }

    /**
     * Returns the size of the row groups on storage in bytes, without manifests and versions.
     */
    public long bytes()
    {
        long bytes = 0;
        for (ManifestEntry manifest : manifests) {
            bytes += manifest.bytes();
        }
        return bytes;
    }

    /**
     * Returns the next version with the same content, to which a commit then applies its change.
     *
     * @param now time by the clock of the writer; the version gets a later time if the clock is behind
     */
    public TableVersion next(UUID commitId, Instant now)
    {
        Instant earliest = time.plus(MIN_INTERVAL);
        return new TableVersion(uuid, version + 1, commitId, Optional.of(this.commitId), now.isBefore(earliest) ? earliest : now, ALTER.label(), ImmutableMap.of(), name, warehouse, explicitLocation, schemaId, columns, columnGroups, properties, comment, manifests, features, writerFeatures, lastColumnId, tags, expired, condemned, view);
    }

    /**
     * Returns the version with the time at which it is committed.
     *
     * @param now time by the clock of the writer; the version keeps its time if the clock is behind it
     */
    public TableVersion withTime(Instant now)
    {
        return new TableVersion(uuid, version, commitId, previous, now.isBefore(time) ? time : now, operation, summary, name, warehouse, explicitLocation, schemaId, columns, columnGroups, properties, comment, manifests, features, writerFeatures, lastColumnId, tags, expired, condemned, view);
    }

    /**
     * Returns the version with what its commit did.
     *
     * @param summary information about the commit, which is added to that of the version
     */
    public TableVersion withOperation(TableOperation operation, Map<String, String> summary)
    {
        return with(operation.label(), summary);
    }

    /**
     * Returns the version with information that is added to its summary.
     */
    public TableVersion withSummary(Map<String, String> summary)
    {
        return with(operation, summary);
    }

    private TableVersion with(String operation, Map<String, String> added)
    {
        Map<String, String> all = ImmutableMap.<String, String>builder()
                .putAll(summary)
                .putAll(added)
                .buildKeepingLast();
        return new TableVersion(uuid, version, commitId, previous, time, operation, all, name, warehouse, explicitLocation, schemaId, columns, columnGroups, properties, comment, manifests, features, writerFeatures, lastColumnId, tags, expired, condemned, view);
    }

    /**
     * Returns whether an earlier version has expired, so its files may be missing.
     */
    public boolean isExpired(long earlierVersion)
    {
        return expired.isPresent() && expired.get().contains(earlierVersion);
    }

    public TableVersion withExpired(ExpiredVersions expired)
    {
        return new TableVersion(uuid, version, commitId, previous, time, operation, summary, name, warehouse, explicitLocation, schemaId, columns, columnGroups, properties, comment, manifests, features, writerFeatures, lastColumnId, tags, Optional.of(expired), condemned, view);
    }

    /**
     * Returns whether the next version may add files.
     *
     * @param since a version that existed before the files did
     * @param ids ids of row groups, column groups, deletes files, or manifests; only called if any write is condemned
     */
    public boolean mayAdd(long since, Supplier<Set<UUID>> ids)
    {
        if (condemned.isEmpty()) {
            return true;
        }
        Set<UUID> added = ids.get();
        return added.isEmpty() || condemned.get().mayAdd(since, added);
    }

    public TableVersion withCondemned(CondemnedWrites condemned)
    {
        List<String> required = withFeatures(writerFeatures, ImmutableList.of(CONDEMNED_WRITES));
        return new TableVersion(uuid, version, commitId, previous, time, operation, summary, name, warehouse, explicitLocation, schemaId, columns, columnGroups, properties, comment, manifests, features, required, lastColumnId, tags, expired, Optional.of(condemned), view);
    }

    /**
     * Returns the version with another name or of a dropped table, even if the table is unregistered.
     */
    public TableVersion withName(Optional<TableName> name)
    {
        List<String> required = writerFeatures.stream()
                .filter(feature -> !feature.equals(UNREGISTERED))
                .collect(toImmutableList());
        return new TableVersion(uuid, version, commitId, previous, time, operation, summary, name, warehouse, explicitLocation, schemaId, columns, columnGroups, properties, comment, manifests, features, required, lastColumnId, tags, expired, condemned, view);
    }

    /**
     * Returns whether the table has no name and can get one by a registration.
     */
    public boolean isUnregistered()
    {
        return writerFeatures.contains(UNREGISTERED);
    }

    /**
     * Returns the version without a name that refers to it.
     *
     * @param generation greater than that of any entry that may exist
     */
    public TableVersion unregister(String lastSchemaName, String lastTableName, long generation)
    {
        List<String> required = withFeatures(writerFeatures, ImmutableList.of(UNREGISTERED));
        Optional<TableName> last = Optional.of(new TableName(lastSchemaName, lastTableName, UUID.randomUUID(), generation));
        return new TableVersion(uuid, version, commitId, previous, time, operation, summary, last, warehouse, explicitLocation, schemaId, columns, columnGroups, properties, comment, manifests, features, required, lastColumnId, tags, expired, condemned, view);
    }

    /**
     * Returns the version with columns that have the same ids in the same order, or other ones.
     */
    public TableVersion withColumns(List<TableColumn> columns)
    {
        return withColumns(columns, columnGroups);
    }

    /**
     * Returns the version with other columns and column groups. Row groups that exist already keep theirs.
     */
    public TableVersion withColumns(List<TableColumn> columns, List<TableColumnGroup> columnGroups)
    {
        ColumnChanges changes = new ColumnChanges(this.columns, columns);
        int newSchemaId = changes.matterToWriters() ? schemaId + 1 : schemaId;
        int lastId = Math.max(lastColumnId, changes.lastId());
        return new TableVersion(uuid, version, commitId, previous, time, operation, summary, name, warehouse, explicitLocation, newSchemaId, columns, columnGroups, properties, comment, changes.apply(manifests), withFeatures(features, changes.features()), withFeatures(writerFeatures, SchemaFeatures.writerFeatures(columns, properties)), lastId, tags, expired, condemned, view);
    }

    private static List<String> withFeatures(List<String> features, List<String> added)
    {
        return ImmutableSet.<String>builder()
                .addAll(features)
                .addAll(added)
                .build()
                .asList();
    }

    public boolean isView()
    {
        return view.isPresent();
    }

    public boolean isMaterializedView()
    {
        return view.flatMap(ViewDefinition::materialized).isPresent();
    }

    /**
     * Returns the version of a view with another definition.
     */
    public TableVersion withView(ViewDefinition view)
    {
        checkArgument(isView(), "the version is that of a table");
        return new TableVersion(uuid, version, commitId, previous, time, operation, summary, name, warehouse, explicitLocation, schemaId, columns, columnGroups, properties, comment, manifests, features, writerFeatures, lastColumnId, tags, expired, condemned, Optional.of(view));
    }

    public TableVersion withComment(Optional<String> comment)
    {
        return new TableVersion(uuid, version, commitId, previous, time, operation, summary, name, warehouse, explicitLocation, schemaId, columns, columnGroups, properties, comment, manifests, features, writerFeatures, lastColumnId, tags, expired, condemned, view);
    }

    /**
     * Returns the version with the columns, column groups, properties, comment, and rows of an earlier one.
     * <p>
     * The {@code schemaId} increases even if the columns are the same. Rows that were deleted exist again, which no
     * other write does, so a statement that began before must notice.
     */
    public TableVersion restore(TableVersion earlier)
    {
        return new TableVersion(uuid, version, commitId, previous, time, operation, summary, name, warehouse, explicitLocation, schemaId + 1, earlier.columns, earlier.columnGroups, earlier.properties, earlier.comment, ImmutableList.of(), featuresFor(ImmutableList.of()), writerFeatures, lastColumnId, tags, expired, condemned, view)
                .withManifests(earlier.manifests);
    }

    /**
     * Returns the version with another definition and without rows.
     *
     * @param definition definition whose column ids are greater than {@code lastColumnId}. Its location is ignored
     */
    public TableVersion replace(TableDefinition definition)
    {
        int lastId = lastColumnId;
        for (TableColumn column : definition.columns()) {
            checkArgument(column.id() > lastColumnId, "column %s has an id that was used before: %s", column.name(), column.id());
            lastId = Math.max(lastId, column.id());
        }
        return new TableVersion(uuid, version, commitId, previous, time, operation, summary, name, warehouse, explicitLocation, schemaId + 1, definition.columns(), definition.columnGroups(), definition.properties(), definition.comment(), ImmutableList.of(), featuresFor(ImmutableList.of()), withFeatures(writerFeatures, SchemaFeatures.writerFeatures(definition.columns(), definition.properties())), lastId, tags, expired, condemned, view);
    }

    /**
     * Returns the version with other properties, which replace those that it has.
     */
    public TableVersion withProperties(Map<String, String> properties)
    {
        return new TableVersion(uuid, version, commitId, previous, time, operation, summary, name, warehouse, explicitLocation, schemaId, columns, columnGroups, properties, comment, manifests, features, withFeatures(writerFeatures, SchemaFeatures.writerFeatures(columns, properties)), lastColumnId, tags, expired, condemned, view);
    }

    /**
     * Returns the version with other tags, which replace those that it has.
     */
    public TableVersion withTags(Map<String, Long> tags)
    {
        return new TableVersion(uuid, version, commitId, previous, time, operation, summary, name, warehouse, explicitLocation, schemaId, columns, columnGroups, properties, comment, manifests, features, writerFeatures, lastColumnId, tags, expired, condemned, view);
    }

    public TableVersion withManifests(List<ManifestEntry> manifests)
    {
        return new TableVersion(uuid, version, commitId, previous, time, operation, summary, name, warehouse, explicitLocation, schemaId, columns, columnGroups, properties, comment, manifests, featuresFor(manifests), writerFeatures, lastColumnId, tags, expired, condemned, view);
    }

    private List<String> featuresFor(List<ManifestEntry> newManifests)
    {
        ImmutableList.Builder<String> result = ImmutableList.builder();
        features.stream()
                .filter(feature -> !feature.equals(ROW_DELETES))
                .forEach(result::add);
        if (newManifests.stream().anyMatch(ManifestEntry::requiresRowDeletes)) {
            result.add(ROW_DELETES);
        }
        return result.build();
    }
}
