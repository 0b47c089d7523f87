package io.albis.trino.system;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Iterators;
import io.albis.format.io.AlbisDataException;
import io.albis.format.metadata.PartitionValue;
import io.albis.format.metadata.RowGroup;
import io.albis.table.model.PartitionField;
import io.albis.table.model.PartitionFields;
import io.albis.table.model.PartitionTypes;
import io.albis.table.model.TableColumn;
import io.albis.table.partition.PartitionBytes;
import io.albis.table.version.AlbisTable;
import io.albis.trino.relation.PartitionTexts;
import io.trino.spi.block.SqlRow;
import io.trino.spi.connector.ColumnMetadata;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.connector.SystemTable;
import io.trino.spi.type.RowType;
import io.trino.spi.type.Type;

import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.format.io.AlbisDataException.damaged;
import static io.albis.table.model.PartitionTransform.IDENTITY;
import static io.trino.spi.block.RowValueBuilder.buildRowValue;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.TypeUtils.writeNativeValue;

/**
 * The partitions of a version. Row groups that were written before the rows were partitioned as they are now have a
 * partition that is null.
 */
final class PartitionsTable
{
    private final AlbisTable table;
    private final List<PartitionField> fields;
    private final List<Type> types;
    private final RowType partitionType;
    private final List<TableColumn> dataColumns;

    private PartitionsTable(AlbisTable table)
    {
        this.table = table;
        Map<Integer, TableColumn> columns = new LinkedHashMap<>();
        table.version().columns().forEach(column -> columns.put(column.id(), column));
        this.fields = PartitionFields.of(table.version().properties());
        this.types = fields.stream()
                .map(field -> PartitionTypes.resultType(field.transform(), columns.get(field.columnId()).type()))
                .collect(toImmutableList());
        ImmutableList.Builder<RowType.Field> rowFields = ImmutableList.builder();
        for (int i = 0; i < fields.size(); i++) {
            rowFields.add(RowType.field(PartitionTexts.fieldName(fields.get(i), columns.get(fields.get(i).columnId()).name()), types.get(i)));
        }
        this.partitionType = fields.isEmpty() ? null : RowType.from(rowFields.build());
        fields.stream()
                .filter(field -> field.transform() == IDENTITY)
                .forEach(field -> columns.remove(field.columnId()));
        this.dataColumns = PartitionBounds.columns(columns.values());
    }

    static SystemTable create(SchemaTableName name, AlbisTable table)
    {
        PartitionsTable partitions = new PartitionsTable(table);
        return new RowsTable(name, partitions.columns(), _ -> partitions.rows());
    }

    private List<ColumnMetadata> columns()
    {
        ImmutableList.Builder<ColumnMetadata> columns = ImmutableList.builder();
        if (partitionType != null) {
            columns.add(new ColumnMetadata("partition", partitionType));
        }
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
        for (RowGroup rowGroup : table.rowGroups()) {
            List<PartitionValue> partition = PartitionFields.match(fields, rowGroup.partition()) ? rowGroup.partition() : ImmutableList.of();
            partitions.computeIfAbsent(partition, _ -> new Totals(dataColumns)).add(rowGroup);
        }
        return Iterators.transform(partitions.entrySet().iterator(), entry -> row(entry.getKey(), entry.getValue()));
    }

    private Object[] row(List<PartitionValue> partition, Totals totals)
    {
        Object[] row = new Object[columns().size()];
        int channel = 0;
        if (partitionType != null) {
            row[channel++] = partition.isEmpty() ? null : value(partition);
        }
        row[channel++] = totals.rows;
        row[channel++] = totals.rowGroups;
        row[channel++] = totals.bytes;
        if (!dataColumns.isEmpty()) {
            row[channel] = totals.bounds.finish();
        }
        return row;
    }

    private SqlRow value(List<PartitionValue> partition)
    {
        return buildRowValue(partitionType, builders -> {
            for (int i = 0; i < types.size(); i++) {
                Type type = types.get(i);
                PartitionValue value = partition.get(i);
                writeNativeValue(type, builders.get(i), value.value()
                        .map(bytes -> nativeValue(value, type, bytes))
                        .orElse(null));
            }
        });
    }

    private Object nativeValue(PartitionValue value, Type type, byte[] bytes)
    {
        try {
            return PartitionBytes.toNativeValue(type, bytes);
        }
        catch (IllegalArgumentException e) {
            AlbisDataException damaged = damaged("Damaged Albis table %s.%s: a value of the partitions by column %s is not valid for type %s: %s", table.schemaName(), table.tableName(), value.columnId(), type.getDisplayName(), e.getMessage());
            damaged.initCause(e);
            throw new UncheckedIOException(damaged);
        }
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
