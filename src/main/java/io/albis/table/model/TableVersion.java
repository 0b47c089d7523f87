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
 * One state of a table, as stored in the file {@code versions/<20-digit version>.json}. A version is an immutable
 * snapshot.
 *
 * @param uuid id of the table
 * @param version number of the version; versions are numbered from 1 without gaps
 * @param commitId id of the commit that created the version
 * @param time time of the commit by the clock of the writer; it does not define an order
 * @param name name of the table; empty after the table was dropped
 * @param warehouse id of the warehouse that may change the table; empty if the folder of the table is inside the
 *         warehouse
 * @param explicitLocation whether the user specified the location that contains the folder of the table
 * @param columns columns in the order of the table
 * @param columnGroups column groups of row groups written from now on; every column is in exactly one
 * @param properties properties of the table by name
 * @param comment comment of the user; empty if there is none
 * @param manifests manifests that list the row groups; together they are the content of the table
 * @param features features that a reader must support to read the table
 * @param lastColumnId greatest id that any column of the table ever had
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
            checkArgument(column.id() <= lastColumnId, "column %s has an id that is greater than lastColumnId %s", column.name(), lastColumnId);
        }
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
     * Returns the number of rows of the table.
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
