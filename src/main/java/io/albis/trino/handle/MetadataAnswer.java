package io.albis.trino.handle;

import com.google.common.collect.ImmutableList;
import io.trino.spi.predicate.NullableValue;

import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * The rows that a scan returns instead of those of the table. They are the results of aggregate functions that were
 * found in the metadata of the table. Without group keys, there is a single row without columns, because the plan has
 * the results as constants.
 *
 * @param functions the aggregate functions, as {@code EXPLAIN} shows them
 * @param columns columns of the rows: the group keys, and then the results of the functions
 * @param rowGroups number of row groups with matching rows, which are not read
 * @param rows a value of each column for each group
 */
public record MetadataAnswer(List<String> functions, List<AnswerColumnHandle> columns, long rowGroups, List<List<NullableValue>> rows)
{
    public MetadataAnswer
    {
        functions = ImmutableList.copyOf(functions);
        columns = ImmutableList.copyOf(columns);
        checkArgument(rowGroups >= 0, "rowGroups is negative: %s", rowGroups);
        rows = rows.stream()
                .map(ImmutableList::copyOf)
                .collect(toImmutableList());
    }

    /**
     * Creates the answer to functions without group keys.
     */
    public MetadataAnswer(List<String> functions, long rowGroups)
    {
        this(functions, ImmutableList.of(), rowGroups, ImmutableList.of(ImmutableList.of()));
    }

    @Override
    public String toString()
    {
        if (columns.isEmpty()) {
            return functions.toString();
        }
        List<String> keys = columns.subList(0, columns.size() - functions.size()).stream()
                .map(AnswerColumnHandle::name)
                .collect(toImmutableList());
        return "%s by %s".formatted(functions, keys);
    }
}
