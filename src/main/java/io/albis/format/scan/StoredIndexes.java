package io.albis.format.scan;

import com.google.common.collect.ImmutableSet;
import io.albis.format.io.ReadCounter;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.ColumnGroupMetadata;
import io.albis.format.metadata.RowGroup;
import io.albis.format.metadata.StoredColumn;
import io.albis.format.schema.AlbisColumn;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;

import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.Set;

import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static java.util.function.Function.identity;

/**
 * The indexes of some columns in the files of a row group.
 *
 * @param columnIds ids of the columns with an index
 * @param usable ids of those columns whose index queries can use, because the column had its current type when it was
 *         written
 */
public record StoredIndexes(Set<Integer> columnIds, Set<Integer> usable)
{
    public StoredIndexes
    {
        columnIds = ImmutableSet.copyOf(columnIds);
        usable = ImmutableSet.copyOf(usable);
    }

    /**
     * Finds the indexes of some columns. This reads the metadata of their column groups. Columns that the row group
     * does not store have no index.
     */
    public static StoredIndexes read(TrinoFileSystem fileSystem, Location tableFolder, RowGroup rowGroup, Collection<AlbisColumn> columns)
            throws IOException
    {
        Map<Integer, AlbisColumn> byId = columns.stream().collect(toImmutableMap(AlbisColumn::id, identity()));
        ImmutableSet.Builder<Integer> columnIds = ImmutableSet.builder();
        ImmutableSet.Builder<Integer> usable = ImmutableSet.builder();
        for (ColumnGroupInstance instance : rowGroup.columnGroupsWith(byId.keySet())) {
            ColumnGroupMetadata metadata = ColumnGroupReader.metadata(fileSystem, tableFolder, rowGroup, instance, ReaderResources.alone(tableFolder, 0), new ReadCounter());
            for (int i = 0; i < metadata.columns().size(); i++) {
                StoredColumn stored = metadata.columns().get(i);
                AlbisColumn column = byId.get(stored.id());
                if (column == null || !instance.columnIds().contains(stored.id()) || metadata.valueList(i).isEmpty()) {
                    continue;
                }
                columnIds.add(stored.id());
                if (stored.hasType(column.type())) {
                    usable.add(stored.id());
                }
            }
        }
        return new StoredIndexes(columnIds.build(), usable.build());
    }
}
