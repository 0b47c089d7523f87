package io.albis.trino.handle;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.google.common.collect.ImmutableList;
import io.albis.table.model.PartitionField;
import io.trino.spi.connector.ConnectorPartitioningHandle;

import java.util.List;

/**
 * Distributes the rows that a statement inserts, so that one writer gets all rows of a partition, unless it has so many
 * rows that the engine uses several writers.
 *
 * @param build the first property, so that it is checked first, see {@link HandleBuild}
 * @param fields functions of the columns of the layout, in the same order
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

    @Override
    public String toString()
    {
        return "partitions by " + fields;
    }
}
