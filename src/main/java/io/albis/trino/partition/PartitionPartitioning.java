package io.albis.trino.partition;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.google.common.collect.ImmutableList;
import io.albis.table.model.PartitionField;
import io.albis.trino.handle.HandleBuild;
import io.trino.spi.connector.ConnectorPartitioningHandle;

import java.util.List;

import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * Distributes the rows that a statement inserts, so that one writer gets all rows of a partition, unless it has so many
 * rows that the engine uses several writers.
 *
 * @param build the first property, so that it is checked first, see {@link HandleBuild}
 * @param fields functions of the columns of the layout
 */
public record PartitionPartitioning(HandleBuild build, List<PartitionField> fields)
        implements ConnectorPartitioningHandle
{
    @JsonCreator
    public PartitionPartitioning
    {
        HandleBuild.checkPresent(build);
        fields = ImmutableList.copyOf(fields);
    }

    public PartitionPartitioning(List<PartitionField> fields)
    {
        this(HandleBuild.CURRENT, fields);
    }

    /**
     * Returns the ids of the columns of the layout. The engine passes each column once, even if several functions need
     * it.
     */
    public List<Integer> columnIds()
    {
        return fields.stream()
                .map(PartitionField::columnId)
                .distinct()
                .collect(toImmutableList());
    }

    @Override
    public String toString()
    {
        return "partitions by " + fields;
    }
}
