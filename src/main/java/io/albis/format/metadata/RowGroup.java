package io.albis.format.metadata;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Sets;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.format.statistics.EncodedStatistics;
import io.trino.filesystem.Location;

import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Collections.disjoint;
import static java.util.Objects.requireNonNull;

/**
 * The metadata of a row group in a table: the location and the content of its column groups (Albis paper, section 3).
 *
 * @param id id that names the folder {@code rg-<id>}
 * @param rows number of rows; at least one
 * @param columnGroups files that store the columns; a column of the table that is in none of them has its initial value
 *         in all rows, or is null
 * @param statistics statistics of the columns over the whole row group; may omit columns, or be empty
 * @param fieldBounds statistics of fields of nested columns over the whole row group; may omit fields, or be empty
 * @param addedVersion number of the table version that added the row group; 0 if it is not known yet
 * @param deletedRows reference to the rows that are deleted; empty if there are none
 * @param partition values that are the same for all rows, because the writer has partitioned the rows; empty if the
 *         rows are not partitioned, or if the values are unknown
 */
public record RowGroup(
        UUID id,
        long rows,
        List<ColumnGroupInstance> columnGroups,
        List<ColumnStatistics> statistics,
        FieldBounds fieldBounds,
        long addedVersion,
        Optional<DeletedRows> deletedRows,
        List<PartitionValue> partition)
{
    public static final long UNKNOWN_VERSION = 0;

    private static final String FOLDER_PREFIX = "rg-";

    public RowGroup
    {
        requireNonNull(id, "id is null");
        checkArgument(rows > 0, "rows is not positive: %s", rows);
        columnGroups = ImmutableList.copyOf(columnGroups);
        statistics = statistics instanceof EncodedStatistics ? statistics : ImmutableList.copyOf(statistics);
        requireNonNull(fieldBounds, "fieldBounds is null");
        checkArgument(addedVersion >= 0, "addedVersion is negative: %s", addedVersion);
        requireNonNull(deletedRows, "deletedRows is null");
        partition = ImmutableList.copyOf(partition);
        if (deletedRows.isPresent()) {
            checkArgument(deletedRows.get().count() <= rows, "%s of %s rows are deleted", deletedRows.get().count(), rows);
            checkArgument(rows <= DeletedRows.MAX_ROWS, "a row group with deleted rows has %s rows, but at most %s are allowed", rows, DeletedRows.MAX_ROWS);
        }
    }

    /**
     * Creates a row group without bounds of fields, whose rows are not partitioned.
     */
    public RowGroup(UUID id, long rows, List<ColumnGroupInstance> columnGroups, List<ColumnStatistics> statistics, long addedVersion, Optional<DeletedRows> deletedRows)
    {
        this(id, rows, columnGroups, statistics, FieldBounds.NONE, addedVersion, deletedRows, ImmutableList.of());
    }

    /**
     * Creates a new row group without bounds of fields.
     */
    public RowGroup(UUID id, long rows, List<ColumnGroupInstance> columnGroups, List<ColumnStatistics> statistics)
    {
        this(id, rows, columnGroups, statistics, UNKNOWN_VERSION, Optional.empty());
    }

    /**
     * Returns the number of rows that are not deleted.
     */
    public long liveRows()
    {
        return rows - deletedRows.map(DeletedRows::count).orElse(0L);
    }

    /**
     * Returns the size on storage in bytes.
     */
    public long bytes()
    {
        long bytes = 0;
        for (ColumnGroupInstance columnGroup : columnGroups) {
            bytes += columnGroup.bytes();
        }
        return bytes;
    }

    /**
     * Returns the estimated size in bytes of the columns that are read. The files may also contain columns whose newer
     * values are in other files.
     */
    public double currentBytes()
    {
        double bytes = 0;
        for (ColumnGroupInstance columnGroup : columnGroups) {
            bytes += columnGroup.currentBytes();
        }
        return bytes;
    }

    /**
     * Returns the statistics of a column or of a part of one, or empty if they are unknown.
     */
    public Optional<ColumnStatistics> statistics(AlbisColumn column)
    {
        if (column.isPart() && column.container().isEmpty()) {
            Optional<ColumnStatistics> ofField = fieldBounds.find(column.id(), column.path());
            if (ofField.isPresent()) {
                return ofField;
            }
        }
        return StatisticsDomains.statistics(column, statistics(column.id()), rows);
    }

    /**
     * Returns the statistics of a column, or empty if they are unknown.
     */
    public Optional<ColumnStatistics> statistics(int columnId)
    {
        if (statistics instanceof EncodedStatistics encoded) {
            return encoded.find(columnId);
        }
        for (ColumnStatistics column : statistics) {
            if (column.columnId() == columnId) {
                return Optional.of(column);
            }
        }
        return Optional.empty();
    }

    /**
     * Returns the row group with other statistics of columns, and without bounds of fields.
     */
    public RowGroup withStatistics(List<ColumnStatistics> statistics)
    {
        return new RowGroup(id, rows, columnGroups, statistics, FieldBounds.NONE, addedVersion, deletedRows, partition);
    }

    public RowGroup withFieldBounds(FieldBounds fieldBounds)
    {
        return new RowGroup(id, rows, columnGroups, statistics, fieldBounds, addedVersion, deletedRows, partition);
    }

    public RowGroup withPartition(List<PartitionValue> partition)
    {
        return new RowGroup(id, rows, columnGroups, statistics, fieldBounds, addedVersion, deletedRows, partition);
    }

    /**
     * Returns the row group with other deleted rows, which replace those that it has.
     */
    public RowGroup withDeletedRows(DeletedRows deletedRows)
    {
        return new RowGroup(id, rows, columnGroups, statistics, fieldBounds, addedVersion, Optional.of(deletedRows), partition);
    }

    /**
     * Returns the row group with all its rows, including those that are deleted.
     */
    public RowGroup withoutDeletedRows()
    {
        return new RowGroup(id, rows, columnGroups, statistics, fieldBounds, addedVersion, Optional.empty(), partition);
    }

    /**
     * Returns the column group from which a column is read, or empty if the row group does not store the column.
     */
    public Optional<ColumnGroupInstance> columnGroup(int columnId)
    {
        for (ColumnGroupInstance columnGroup : columnGroups) {
            if (columnGroup.columnIds().contains(columnId)) {
                return Optional.of(columnGroup);
            }
        }
        return Optional.empty();
    }

    /**
     * Returns the column groups from which any of the given columns is read.
     */
    public List<ColumnGroupInstance> columnGroupsWith(Collection<Integer> columnIds)
    {
        return columnGroups.stream()
                .filter(columnGroup -> !disjoint(columnGroup.columnIds(), columnIds))
                .collect(toImmutableList());
    }

    /**
     * Returns the row group with new column groups. Their columns are no longer read from other column groups, and a
     * column group of which no column remains is left out. Columns that the row group does not store follow the others.
     *
     * @param rewritten the new column groups, the statistics of their columns, and the values of the partition if the
     *         rows still have those of this row group
     */
    public RowGroup withRewritten(RowGroup rewritten)
    {
        checkArgument(id.equals(rewritten.id) && rows == rewritten.rows, "row group %s with %s rows cannot have column groups of row group %s with %s rows", id, rows, rewritten.id, rewritten.rows);
        Set<Integer> replaced = ImmutableSet.copyOf(rewritten.columnIds());
        Set<ColumnGroupInstance> instances = new LinkedHashSet<>();
        for (ColumnGroupInstance columnGroup : columnGroups) {
            columnGroup.without(replaced).ifPresent(instances::add);
            instances.addAll(rewritten.columnGroupsWith(columnGroup.columnIds()));
        }
        instances.addAll(rewritten.columnGroups());
        return new RowGroup(
                id,
                rows,
                ImmutableList.copyOf(instances),
                rewrittenStatistics(rewritten, replaced, columnIds(instances)),
                rewrittenFieldBounds(rewritten, replaced, columnIds(instances)),
                addedVersion,
                deletedRows,
                rewrittenPartition(rewritten, replaced));
    }

    /**
     * Returns the values of the partition. If their columns are written again, only the writer knows whether the values
     * still apply.
     */
    private List<PartitionValue> rewrittenPartition(RowGroup rewritten, Set<Integer> replaced)
    {
        return partition.stream().anyMatch(value -> replaced.contains(value.columnId())) ? rewritten.partition : partition;
    }

    /**
     * @param changed ids of the columns of {@code rewritten}
     * @param stored ids of all columns that remain
     */
    private List<ColumnStatistics> rewrittenStatistics(RowGroup rewritten, Set<Integer> changed, List<Integer> stored)
    {
        Set<Integer> remaining = new HashSet<>(stored);
        ImmutableList.Builder<ColumnStatistics> result = ImmutableList.builder();
        for (ColumnStatistics column : statistics) {
            int columnId = column.columnId();
            Optional<ColumnStatistics> current = changed.contains(columnId) ? rewritten.statistics(columnId) : Optional.of(column);
            if (remaining.remove(columnId)) {
                current.ifPresent(result::add);
            }
        }
        for (ColumnStatistics column : rewritten.statistics()) {
            if (remaining.contains(column.columnId())) {
                result.add(column);
            }
        }
        return result.build();
    }

    /**
     * @param changed ids of the columns of {@code rewritten}
     * @param stored ids of all columns that remain
     */
    private FieldBounds rewrittenFieldBounds(RowGroup rewritten, Set<Integer> changed, List<Integer> stored)
    {
        FieldBounds.Builder result = new FieldBounds.Builder();
        result.addAll(fieldBounds, Sets.difference(ImmutableSet.copyOf(stored), changed));
        result.addAll(rewritten.fieldBounds, changed);
        return result.build();
    }

    /**
     * Returns the row group without column groups that store none of some columns. One remains in any case, because the
     * row group has its segments.
     */
    public RowGroup withColumns(Set<Integer> columnIds)
    {
        List<ColumnGroupInstance> remaining = columnGroupsWith(columnIds);
        if (remaining.size() == columnGroups.size() || columnGroups.size() == 1) {
            return this;
        }
        if (remaining.isEmpty()) {
            remaining = ImmutableList.of(columnGroups.getFirst());
        }
        Set<Integer> stored = ImmutableSet.copyOf(columnIds(remaining));
        return new RowGroup(
                id,
                rows,
                remaining,
                statistics.stream()
                        .filter(column -> stored.contains(column.columnId()))
                        .collect(toImmutableList()),
                fieldBounds.ofColumns(stored),
                addedVersion,
                deletedRows,
                partition);
    }

    /**
     * Returns the row group with the version that added it, unless it has one.
     */
    public RowGroup addedBy(long version)
    {
        return addedVersion == UNKNOWN_VERSION ? new RowGroup(id, rows, columnGroups, statistics, fieldBounds, version, deletedRows, partition) : this;
    }

    /**
     * Returns the name of the folder of a row group.
     */
    public static String folderName(UUID rowGroupId)
    {
        return FOLDER_PREFIX + rowGroupId;
    }

    /**
     * Returns the folder of a row group. Row groups are distributed over 256 folders, because HDFS limits the number of
     * entries of a folder to about a million. The first digit of an id is the same for all row groups of one write, so
     * that these are in 16 folders.
     */
    public static Location folder(Location tableFolder, UUID rowGroupId)
    {
        return tableFolder.appendPath(fanOut(rowGroupId)).appendPath(folderName(rowGroupId));
    }

    /**
     * Returns the name of the folder that contains the folder of a row group: the first and the last hexadecimal digit
     * of the id.
     */
    public static String fanOut(UUID rowGroupId)
    {
        String id = rowGroupId.toString();
        return id.substring(0, 1) + id.substring(id.length() - 1);
    }

    /**
     * Returns the id of the row group whose folder has the given name.
     *
     * @return empty if this is not the folder name of a row group
     */
    public static Optional<UUID> folderId(String folderName)
    {
        return FileIds.parse(FOLDER_PREFIX, folderName);
    }

    /**
     * Returns the ids of all columns that the row group stores.
     */
    public List<Integer> columnIds()
    {
        return columnIds(columnGroups);
    }

    private static List<Integer> columnIds(Collection<ColumnGroupInstance> columnGroups)
    {
        return columnGroups.stream()
                .flatMap(columnGroup -> columnGroup.columnIds().stream())
                .collect(toImmutableList());
    }

    /**
     * Returns the location of the data file of a column group.
     */
    public Location dataFile(Location tableFolder, ColumnGroupInstance columnGroup)
    {
        return folder(tableFolder, columnGroup).appendPath(ColumnGroupInstance.DATA_FILE);
    }

    /**
     * Returns the location of the metadata file of a column group.
     */
    public Location metadataFile(Location tableFolder, ColumnGroupInstance columnGroup)
    {
        return folder(tableFolder, columnGroup).appendPath(ColumnGroupInstance.METADATA_FILE);
    }

    private Location folder(Location tableFolder, ColumnGroupInstance columnGroup)
    {
        return folder(tableFolder, id).appendPath(ColumnGroupInstance.folderName(columnGroup.id()));
    }
}
