package io.albis.trino.handle;

import com.google.common.collect.ImmutableList;

import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * Says that a scan returns a single row without columns, because the plan already has the results of the aggregate
 * functions over its rows. They were found in the metadata of the table.
 *
 * @param functions the aggregate functions, as {@code EXPLAIN} shows them
 * @param rowGroups number of row groups with matching rows, which are not read
 */
public record MetadataAnswer(List<String> functions, long rowGroups)
{
    public MetadataAnswer
    {
        functions = ImmutableList.copyOf(functions);
        checkArgument(rowGroups >= 0, "rowGroups is negative: %s", rowGroups);
    }
}
