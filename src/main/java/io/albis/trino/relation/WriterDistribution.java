package io.albis.trino.relation;

import io.albis.table.model.PartitionField;
import io.albis.table.model.PartitionFields;
import io.albis.table.model.TableColumn;
import io.albis.trino.partition.PartitionPartitioning;
import io.trino.spi.connector.ConnectorTableLayout;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableMap.toImmutableMap;

/**
 * Describes to the engine how new rows are distributed to writers.
 */
public final class WriterDistribution
{
    private WriterDistribution() {}

    /**
     * Returns the layout of new rows.
     *
     * @param properties stored properties of the table
     * @return empty if rows are not partitioned, so any writer can write any row
     */
    public static Optional<ConnectorTableLayout> of(Map<String, String> properties, List<TableColumn> columns)
    {
        List<PartitionField> fields = PartitionFields.of(properties);
        if (fields.isEmpty()) {
            return Optional.empty();
        }
        Map<Integer, String> names = columns.stream().collect(toImmutableMap(TableColumn::id, TableColumn::name));
        PartitionPartitioning partitioning = new PartitionPartitioning(fields);
        List<String> partitionColumns = partitioning.columnIds().stream()
                .map(names::get)
                .collect(toImmutableList());
        return Optional.of(new ConnectorTableLayout(partitioning, partitionColumns, true));
    }
}
