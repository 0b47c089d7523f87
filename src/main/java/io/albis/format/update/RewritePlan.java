package io.albis.format.update;

import com.google.common.collect.ImmutableList;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.albis.format.run.Compression;
import io.albis.format.scan.ColumnSizes;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.RowGroupSchema;
import io.albis.format.write.WriterOptions;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;

import java.io.IOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static java.util.Objects.requireNonNull;

/**
 * Decides which columns of a row group are written again, to update some of them, to group them in another way, or to
 * add or remove indexes.
 * <p>
 * An update writes the updated columns. The other columns of their column groups stay where they are, unless they are
 * so few that most bytes of the old files would be superseded. The files of a row group therefore never have more than
 * four times the bytes of its columns, however many updates follow each other.
 *
 * @param columnGroups the columns to write, grouped as in the table
 * @param options options of the writer of these column groups
 * @param bytes estimated size of these columns before; 0 for columns that the row group does not store yet
 */
public record RewritePlan(List<AlbisColumnGroup> columnGroups, WriterOptions options, long bytes)
{
    // The share of the bytes of a column group below which its remaining columns are written, too
    private static final double MIN_REMAINING = 0.25;

    public RewritePlan
    {
        columnGroups = ImmutableList.copyOf(columnGroups);
        requireNonNull(options, "options is null");
    }

    /**
     * Makes the plan for a row group. This reads the metadata of the column groups with updated columns, unless all of
     * their columns are updated.
     *
     * @param schema the columns and the column groups of the table
     * @param options options for all column groups of the table
     * @param updatedColumns ids of the updated columns
     */
    public static RewritePlan of(TrinoFileSystem fileSystem, Location tableFolder, RowGroup rowGroup, RowGroupSchema schema, WriterOptions options, Collection<Integer> updatedColumns)
            throws IOException
    {
        Set<Integer> tableColumns = columnIds(schema);
        Set<Integer> written = new HashSet<>(updatedColumns);
        long bytes = 0;
        for (ColumnGroupInstance instance : rowGroup.columnGroupsWith(updatedColumns)) {
            List<Integer> current = instance.columnIds().stream().filter(tableColumns::contains).collect(toImmutableList());
            List<Integer> remaining = current.stream().filter(id -> !updatedColumns.contains(id)).collect(toImmutableList());
            if (remaining.isEmpty() && current.size() == instance.columnIds().size() && instance.supersededIds().isEmpty()) {
                bytes += instance.bytes();
                continue;
            }
            Map<Integer, Long> sizes = ColumnSizes.read(fileSystem, tableFolder, rowGroup, instance);
            long size = size(current, sizes);
            long remainingSize = size(remaining, sizes);
            if (remainingSize < MIN_REMAINING * instance.bytes()) {
                written.addAll(remaining);
                bytes += size;
            }
            else {
                bytes += size - remainingSize;
            }
        }
        return of(schema, options, written, bytes);
    }

    /**
     * Creates the plan that groups the columns of a row group as in the table, without dropped columns. It leaves out
     * columns that the row group does not store. The plan depends only on the entry of the row group, which does not
     * contain the layouts and compressions of its files, so they do not matter.
     *
     * @param schema the columns and the column groups of the table
     * @param options options for all column groups of the table
     * @param all whether columns whose column group is already that of the table are written again, too
     * @return a plan without column groups if there is nothing to do
     */
    public static RewritePlan ofGrouping(RowGroup rowGroup, RowGroupSchema schema, WriterOptions options, boolean all)
    {
        Set<Integer> tableColumns = columnIds(schema);
        Set<Set<Integer>> instances = new HashSet<>();
        Set<Integer> stored = new HashSet<>();
        for (ColumnGroupInstance instance : rowGroup.columnGroups()) {
            Set<Integer> columns = instance.columnIds().stream().filter(tableColumns::contains).collect(toImmutableSet());
            // the values of a dropped column leave the files of the others
            if (columns.size() == instance.columnIds().size()) {
                instances.add(columns);
            }
            stored.addAll(columns);
        }
        Set<Integer> written = new HashSet<>();
        for (AlbisColumnGroup columnGroup : schema.columnGroups()) {
            Set<Integer> columns = columnGroup.columns().stream().map(AlbisColumn::id).filter(stored::contains).collect(toImmutableSet());
            if (all || !instances.contains(columns)) {
                written.addAll(columns);
            }
        }
        return of(schema, options, written, bytes(rowGroup, written));
    }

    /**
     * Creates the plan that writes some columns again, for example with an index, together with the other columns of
     * their files. It leaves out columns that the row group does not store.
     *
     * @param schema the columns and the column groups of the table
     * @param options options for all column groups of the table
     * @param columns ids of the columns
     * @return a plan without column groups if the row group stores none of the columns
     */
    public static RewritePlan ofColumns(RowGroup rowGroup, RowGroupSchema schema, WriterOptions options, Collection<Integer> columns)
    {
        Set<Integer> tableColumns = columnIds(schema);
        Set<Integer> written = new HashSet<>();
        for (ColumnGroupInstance instance : rowGroup.columnGroupsWith(columns)) {
            instance.columnIds().stream().filter(tableColumns::contains).forEach(written::add);
        }
        return of(schema, options, written, bytes(rowGroup, written));
    }

    private static long bytes(RowGroup rowGroup, Set<Integer> written)
    {
        double bytes = 0;
        for (ColumnGroupInstance instance : rowGroup.columnGroups()) {
            long share = instance.columnIds().stream().filter(written::contains).count();
            bytes += instance.currentBytes() * share / instance.columnIds().size();
        }
        return (long) bytes;
    }

    private static Set<Integer> columnIds(RowGroupSchema schema)
    {
        return schema.columns().stream().map(AlbisColumn::id).collect(toImmutableSet());
    }

    /**
     * @param written ids of the columns to write
     */
    private static RewritePlan of(RowGroupSchema schema, WriterOptions options, Set<Integer> written, long bytes)
    {
        ImmutableList.Builder<AlbisColumnGroup> columnGroups = ImmutableList.builder();
        ImmutableList.Builder<Compression> compressions = ImmutableList.builder();
        for (int i = 0; i < schema.columnGroups().size(); i++) {
            AlbisColumnGroup columnGroup = schema.columnGroups().get(i);
            List<AlbisColumn> columns = columnGroup.columns().stream().filter(column -> written.contains(column.id())).collect(toImmutableList());
            if (!columns.isEmpty()) {
                columnGroups.add(new AlbisColumnGroup(columnGroup.layout(), columns));
                compressions.add(options.compression(i));
            }
        }
        return new RewritePlan(columnGroups.build(), options.withColumnGroupCompressions(compressions.build()), bytes);
    }

    private static long size(List<Integer> columnIds, Map<Integer, Long> sizes)
    {
        long size = 0;
        for (int columnId : columnIds) {
            size += sizes.get(columnId);
        }
        return size;
    }
}
