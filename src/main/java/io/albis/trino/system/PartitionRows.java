package io.albis.trino.system;

import com.google.common.collect.ImmutableList;
import io.albis.format.io.AlbisDataException;
import io.albis.format.metadata.PartitionValue;
import io.albis.format.metadata.RowGroup;
import io.albis.table.model.PartitionField;
import io.albis.table.model.PartitionFields;
import io.albis.table.model.PartitionTypes;
import io.albis.table.model.TableColumn;
import io.albis.table.partition.PartitionBytes;
import io.albis.table.partition.PartitionValues;
import io.albis.table.version.AlbisTable;
import io.albis.trino.relation.PartitionTexts;
import io.trino.spi.block.SqlRow;
import io.trino.spi.type.RowType;
import io.trino.spi.type.Type;
import jakarta.annotation.Nullable;

import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static io.albis.format.io.AlbisDataException.damaged;
import static io.trino.spi.block.RowValueBuilder.buildRowValue;
import static io.trino.spi.type.TypeUtils.writeNativeValue;
import static java.util.Objects.requireNonNull;
import static java.util.function.Function.identity;

/**
 * Converts the partitions of row groups to rows of SQL, with a field for each function by which the rows of the table
 * are partitioned.
 */
final class PartitionRows
{
    private final AlbisTable table;
    private final List<PartitionField> fields;
    private final List<Type> columnTypes;
    private final List<Type> types;
    // empty if rows are not partitioned
    private final Optional<RowType> type;

    PartitionRows(AlbisTable table)
    {
        this.table = requireNonNull(table, "table is null");
        Map<Integer, TableColumn> columns = table.version().columns().stream().collect(toImmutableMap(TableColumn::id, identity()));
        this.fields = PartitionFields.of(table.version().properties());
        this.columnTypes = fields.stream()
                .map(field -> columns.get(field.columnId()).type())
                .collect(toImmutableList());
        ImmutableList.Builder<Type> resultTypes = ImmutableList.builder();
        for (int i = 0; i < fields.size(); i++) {
            resultTypes.add(PartitionTypes.resultType(fields.get(i).transform(), columnTypes.get(i)));
        }
        this.types = resultTypes.build();
        ImmutableList.Builder<RowType.Field> rowFields = ImmutableList.builder();
        for (int i = 0; i < fields.size(); i++) {
            rowFields.add(RowType.field(PartitionTexts.fieldName(fields.get(i), columns.get(fields.get(i).columnId()).name()), types.get(i)));
        }
        this.type = fields.isEmpty() ? Optional.empty() : Optional.of(RowType.from(rowFields.build()));
    }

    List<PartitionField> fields()
    {
        return fields;
    }

    /**
     * Returns the type of the rows; empty if the rows of the table are not partitioned.
     */
    Optional<RowType> type()
    {
        return type;
    }

    /**
     * Returns the partition of a row group; empty if it was written before its rows were partitioned as they are now.
     */
    List<PartitionValue> partition(RowGroup rowGroup)
    {
        return PartitionFields.match(fields, rowGroup.partition()) ? rowGroup.partition() : ImmutableList.of();
    }

    /**
     * Converts a partition of a table whose rows are partitioned.
     *
     * @return null for an empty partition
     */
    @Nullable
    SqlRow toRow(List<PartitionValue> partition)
    {
        if (partition.isEmpty()) {
            return null;
        }
        return buildRowValue(type.orElseThrow(), builders -> {
            for (int i = 0; i < types.size(); i++) {
                int field = i;
                writeNativeValue(types.get(i), builders.get(i), partition.get(i).value()
                        .map(bytes -> nativeValue(field, bytes))
                        .orElse(null));
            }
        });
    }

    private Object nativeValue(int field, byte[] bytes)
    {
        try {
            PartitionValues.check(fields.get(field), columnTypes.get(field), bytes);
            return PartitionBytes.toNativeValue(types.get(field), bytes);
        }
        catch (IllegalArgumentException e) {
            AlbisDataException damaged = damaged("Damaged Albis table %s.%s: a value of the partitions by column %s is not valid for type %s: %s", table.schemaName(), table.tableName(), fields.get(field).columnId(), types.get(field).getDisplayName(), e.getMessage());
            damaged.initCause(e);
            throw new UncheckedIOException(damaged);
        }
    }
}
