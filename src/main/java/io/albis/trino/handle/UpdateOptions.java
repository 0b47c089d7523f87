package io.albis.trino.handle;

import com.google.common.collect.ImmutableList;

import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * How a statement updates rows.
 *
 * @param columns ids of the columns that it may change; empty if it does not update rows
 * @param rewriteThreshold share of the rows of a row group above which new instances of column groups are written
 * @param bufferBytes memory of a writer for new values, in bytes
 */
public record UpdateOptions(List<Integer> columns, double rewriteThreshold, long bufferBytes)
{
    public UpdateOptions
    {
        columns = ImmutableList.copyOf(columns);
        checkArgument(rewriteThreshold >= 0, "rewriteThreshold is negative: %s", rewriteThreshold);
        checkArgument(bufferBytes >= 0, "bufferBytes is negative: %s", bufferBytes);
    }

    /**
     * Returns whether the statement may write new instances of column groups.
     */
    public boolean canRewrite()
    {
        return !columns.isEmpty() && rewriteThreshold < 1;
    }
}
