package io.albis.trino.system;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Iterators;
import io.albis.format.metadata.PartitionValue;
import io.albis.format.metadata.RowGroup;
import io.albis.table.model.PartitionField;
import io.albis.table.model.TableColumn;
import io.albis.table.version.AlbisTable;
import io.trino.spi.connector.ColumnMetadata;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.connector.SystemTable;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.albis.table.model.PartitionTransform.IDENTITY;
import static io.trino.spi.type.BigintType.BIGINT;

/**
 * The partitions of a version. Row groups that were written before the rows were partitioned as they are now have a
 * partition that is null.
 */
final class PartitionsTable
{
    private final AlbisTable table;
    private final PartitionRows partitionRows;
    private final List<TableColumn> dataColumns;

    private PartitionsTable(AlbisTable table)
    {
        this.table = table;
        this.partitionRows = new PartitionRows(table);
        Set<Integer> partitions = partitionRows.fields().stream()
                .filter(field -> field.transform() == IDENTITY)
                .map(PartitionField::columnId)
                .collect(toImmutableSet());
        this.dataColumns = PartitionBounds.columns(table.version().columns().stream()
                .filter(column -> !partitions.contains(column.id()))
                .collect(toImmutableList()));
    }

    static SystemTable create(SchemaTableName name, AlbisTable table)
    {
        PartitionsTable partitions = new PartitionsTable(table);
        return new RowsTable(name, partitions.columns(), _ -> partitions.rows());
    }

    private List<ColumnMetadata> columns()
    {
        ImmutableList.Builder<ColumnMetadata> columns = ImmutableList.builder();
        partitionRows.type().ifPresent(type -> columns.add(new ColumnMetadata("partition", type)));
        columns.add(new ColumnMetadata("record_count", BIGINT));
        columns.add(new ColumnMetadata("file_count", BIGINT));
        columns.add(new ColumnMetadata("total_size", BIGINT));
        if (!dataColumns.isEmpty()) {
            columns.add(new ColumnMetadata("data", PartitionBounds.type(dataColumns)));
        }
        return columns.build();
    }

    private Iterator<Object[]> rows()
    {
        Map<List<PartitionValue>, Totals> partitions = new LinkedHashMap<>();
        table.manifestRowGroups().forEachRemaining(manifest -> {
            for (RowGroup rowGroup : manifest.rowGroups()) {
                partitions.computeIfAbsent(partitionRows.partition(rowGroup), _ -> new Totals(dataColumns)).add(rowGroup);
            }
        });
        return Iterators.transform(partitions.entrySet().iterator(), entry -> row(entry.getKey(), entry.getValue()));
    }

    private Object[] row(List<PartitionValue> partition, Totals totals)
    {
        Object[] row = new Object[columns().size()];
        int channel = 0;
        if (partitionRows.type().isPresent()) {
            row[channel++] = partitionRows.toRow(partition);
        }
        row[channel++] = totals.rows;
        row[channel++] = totals.rowGroups;
        row[channel++] = totals.bytes;
        if (!dataColumns.isEmpty()) {
            row[channel] = totals.bounds.finish();
        }
        return row;
    }

    private static final class Totals
    {
        private final PartitionBounds bounds;
        private long rows;
        private long rowGroups;
        private long bytes;

        private Totals(List<TableColumn> dataColumns)
        {
            this.bounds = new PartitionBounds(dataColumns);
        }

        private void add(RowGroup rowGroup)
        {
            rows += rowGroup.liveRows();
            rowGroups++;
            bytes += rowGroup.bytes();
            bounds.add(rowGroup);
        }
    }
}
