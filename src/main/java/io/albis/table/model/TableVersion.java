package io.albis.table.model;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.RowGroupSchema;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * One state of a table, as a file {@code versions/<20-digit version>.json} keeps it. It never changes.
 *
 * @param uuid of the table
 * @param version counts from one without a gap
 * @param commitId of the commit that made it
 * @param time of the commit, by the clock of whoever made it: not for ordering
 * @param name of the table; empty once the table was dropped
 * @param warehouse that may change the table; empty if the folder of the table is inside of the warehouse
 * @param explicitLocation whether a user named the folder that the folder of the table is in
 * @param columns in the order of the table
 * @param columnGroups of row groups that are written from now on; every column is in exactly one
 * @param properties of the table by name
 * @param manifests where the row groups are listed; together they are the content of the table
 * @param features that a reader must know
 * @param lastColumnId the greatest id that a column of the table ever had
 */
public record TableVersion(
        UUID uuid,
        long version,
        UUID commitId,
        Instant time,
        Optional<TableName> name,
        Optional<UUID> warehouse,
        boolean explicitLocation,
        List<TableColumn> columns,
        List<TableColumnGroup> columnGroups,
        Map<String, String> properties,
        Optional<String> comment,
        List<ManifestEntry> manifests,
        List<String> features,
        int lastColumnId)
{
    public static final long FIRST_VERSION = 1;

    public TableVersion
    {
        requireNonNull(uuid, "uuid is null");
        checkArgument(version >= FIRST_VERSION, "version is not positive: %s", version);
        requireNonNull(commitId, "commitId is null");
        requireNonNull(time, "time is null");
        requireNonNull(name, "name is null");
        requireNonNull(warehouse, "warehouse is null");
        columns = ImmutableList.copyOf(columns);
        columnGroups = ImmutableList.copyOf(columnGroups);
        properties = ImmutableMap.copyOf(properties);
        requireNonNull(comment, "comment is null");
        manifests = ImmutableList.copyOf(manifests);
        features = ImmutableList.copyOf(features);
        ColumnChecks.check(columns, columnGroups);
        for (TableColumn column : columns) {
            checkArgument(column.id() <= lastColumnId, "column %s has an id above lastColumnId %s", column.name(), lastColumnId);
        }
    }

    /**
     * Columns in the order of the table, and their groups.
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
     * Rows of the table.
     */
    public long rowCount()
    {
        long rows = 0;
        for (ManifestEntry manifest : manifests) {
            rows += manifest.rows();
        }
        return rows;
    }

    /**
     * Bytes of the row groups on storage, without those of manifests and versions.
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
     * The version after this one, with the same content. Changes are made to the result.
     */
    public TableVersion next(UUID commitId, Instant time)
    {
        return new TableVersion(uuid, version + 1, commitId, time, name, warehouse, explicitLocation, columns, columnGroups, properties, comment, manifests, features, lastColumnId);
    }

    public TableVersion withName(Optional<TableName> name)
    {
        return new TableVersion(uuid, version, commitId, time, name, warehouse, explicitLocation, columns, columnGroups, properties, comment, manifests, features, lastColumnId);
    }

    public TableVersion withColumns(List<TableColumn> columns)
    {
        return new TableVersion(uuid, version, commitId, time, name, warehouse, explicitLocation, columns, columnGroups, properties, comment, manifests, features, lastColumnId);
    }

    public TableVersion withComment(Optional<String> comment)
    {
        return new TableVersion(uuid, version, commitId, time, name, warehouse, explicitLocation, columns, columnGroups, properties, comment, manifests, features, lastColumnId);
    }

    public TableVersion withManifests(List<ManifestEntry> manifests)
    {
        return new TableVersion(uuid, version, commitId, time, name, warehouse, explicitLocation, columns, columnGroups, properties, comment, manifests, features, lastColumnId);
    }
}
