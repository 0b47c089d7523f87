package io.albis.trino.handle;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.google.common.collect.ImmutableList;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.RowGroupSchema;
import io.albis.format.write.WriterOptions;
import io.albis.table.model.PartitionField;
import io.albis.table.model.SortColumn;
import io.albis.table.model.TableColumnGroup;
import io.trino.spi.connector.ConnectorInsertTableHandle;
import io.trino.spi.connector.ConnectorOutputTableHandle;
import io.trino.spi.connector.SchemaTableName;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static java.util.Objects.requireNonNull;
import static java.util.function.Function.identity;

/**
 * A new or existing table to write to, with the options of its writers.
 *
 * @param build the first property, so that it is checked first, see {@link HandleBuild}
 * @param columns all columns of the table, in the order of the channels of a page
 * @param columnGroups groups of the columns; each column is in exactly one group
 * @param sortedBy columns by which each writer sorts its rows; empty if it writes them in the order in which it gets
 *         them
 * @param partitionedBy functions by which rows are partitioned; empty if they are not partitioned
 */
public record AlbisWritableTableHandle(
        HandleBuild build,
        String schemaName,
        String tableName,
        UUID tableId,
        WriteId writeId,
        String folder,
        List<AlbisColumnHandle> columns,
        List<TableColumnGroup> columnGroups,
        WriterOptions writerOptions,
        List<SortColumn> sortedBy,
        List<PartitionField> partitionedBy)
        implements ConnectorOutputTableHandle, ConnectorInsertTableHandle
{
    @JsonCreator
    public AlbisWritableTableHandle
    {
        HandleBuild.checkPresent(build);
        requireNonNull(schemaName, "schemaName is null");
        requireNonNull(tableName, "tableName is null");
        requireNonNull(tableId, "tableId is null");
        requireNonNull(writeId, "writeId is null");
        requireNonNull(folder, "folder is null");
        columns = ImmutableList.copyOf(columns);
        columnGroups = ImmutableList.copyOf(columnGroups);
        requireNonNull(writerOptions, "writerOptions is null");
        sortedBy = ImmutableList.copyOf(sortedBy);
        partitionedBy = ImmutableList.copyOf(partitionedBy);
    }

    public SchemaTableName schemaTableName()
    {
        return new SchemaTableName(schemaName, tableName);
    }

    public AlbisWritableTableHandle withWriterOptions(WriterOptions writerOptions)
    {
        return new AlbisWritableTableHandle(build, schemaName, tableName, tableId, writeId, folder, columns, columnGroups, writerOptions, sortedBy, partitionedBy);
    }

    public AlbisWritableTableHandle withSortedBy(List<SortColumn> sortedBy)
    {
        return new AlbisWritableTableHandle(build, schemaName, tableName, tableId, writeId, folder, columns, columnGroups, writerOptions, sortedBy, partitionedBy);
    }

    public RowGroupSchema schema()
    {
        List<AlbisColumn> order = columns.stream()
                .map(AlbisColumnHandle::toColumn)
                .collect(toImmutableList());
        Map<Integer, AlbisColumn> byId = order.stream()
                .collect(toImmutableMap(AlbisColumn::id, identity()));
        List<AlbisColumnGroup> groups = columnGroups.stream()
                .map(group -> group.toAlbisColumnGroup(byId))
                .collect(toImmutableList());
        return new RowGroupSchema(order, groups);
    }

    @Override
    public String toString()
    {
        return schemaName + "." + tableName;
    }
}
