package io.albis.table.model;

import io.albis.format.metadata.PartitionValue;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * A function of a column by which writers partition rows.
 *
 * @param parameter of the function; 0 if it has none
 */
public record PartitionField(int columnId, PartitionTransform transform, int parameter)
{
    public PartitionField
    {
        checkArgument(columnId > 0, "columnId is not positive: %s", columnId);
        requireNonNull(transform, "transform is null");
        checkArgument(transform.isParameterized() ? parameter > 0 : parameter == 0, "the parameter of %s is %s", transform, parameter);
    }

    /**
     * Returns whether a value is one of this function.
     */
    public boolean describes(PartitionValue value)
    {
        return value.columnId() == columnId && value.transform() == transform.code() && value.parameter() == parameter;
    }

    @Override
    public String toString()
    {
        return columnId + " " + transform.label() + (transform.isParameterized() ? " " + parameter : "");
    }
}
