package io.albis.trino.write;

import io.albis.format.write.WriterOptions;
import io.albis.table.model.IndexedColumns;
import io.albis.table.model.PartitionFields;
import io.albis.table.model.SortColumns;
import io.albis.table.model.TableColumn;
import io.albis.table.model.TableColumnGroup;
import io.albis.table.model.TableVersion;
import io.albis.table.version.AlbisTable;
import io.albis.trino.handle.AlbisWritableTableHandle;
import io.albis.trino.handle.HandleBuild;
import io.albis.trino.handle.WriteId;
import io.albis.trino.relation.StoredTableProperties;
import io.albis.trino.relation.TableDescriptions;
import io.trino.filesystem.Location;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.SchemaTableName;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.trino.config.AlbisSessionProperties.getWriterOptions;

/**
 * Creates the handles of tables to write to.
 */
final class WritableHandles
{
    private WritableHandles() {}

    static AlbisWritableTableHandle create(ConnectorSession session, SchemaTableName name, AlbisTable table, WriteId writeId)
    {
        TableVersion version = table.version();
        return create(session, name, table.uuid(), writeId, table.folder(), version.columns(), version.columnGroups(), version.properties());
    }

    static AlbisWritableTableHandle create(
            ConnectorSession session,
            SchemaTableName name,
            UUID tableId,
            WriteId writeId,
            Location folder,
            List<TableColumn> columns,
            List<TableColumnGroup> columnGroups,
            Map<String, String> properties)
    {
        WriterOptions options = StoredTableProperties.writerOptions(properties, getWriterOptions(session))
                .withColumnGroupCompressions(StoredTableProperties.columnGroupCompressions(columnGroups, properties))
                .withIndexedColumns(IndexedColumns.of(properties));
        return new AlbisWritableTableHandle(
                HandleBuild.CURRENT,
                name.getSchemaName(),
                name.getTableName(),
                tableId,
                writeId,
                folder.toString(),
                columns.stream()
                        .map(TableDescriptions::columnHandle)
                        .collect(toImmutableList()),
                columnGroups,
                options,
                SortColumns.of(properties, columns),
                PartitionFields.of(properties));
    }
}
