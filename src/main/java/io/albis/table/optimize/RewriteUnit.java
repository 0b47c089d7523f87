package io.albis.table.optimize;

import com.google.common.collect.ImmutableList;
import io.albis.format.metadata.RowGroup;

import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * Row groups that one writer writes again. An optimization replaces them with new row groups that have the same live
 * rows, in the same order unless the writer sorts them. Other procedures replace their column groups.
 */
public record RewriteUnit(List<RowGroup> rowGroups)
{
    public RewriteUnit
    {
        rowGroups = ImmutableList.copyOf(rowGroups);
        checkArgument(!rowGroups.isEmpty(), "rowGroups is empty");
    }

    /**
     * Returns the number of rows that the new row groups have.
     */
    public long liveRows()
    {
        long rows = 0;
        for (RowGroup rowGroup : rowGroups) {
            rows += rowGroup.liveRows();
        }
        return rows;
    }

    /**
     * Returns the estimated size of the live rows on storage in bytes.
     */
    public double liveBytes()
    {
        double bytes = 0;
        for (RowGroup rowGroup : rowGroups) {
            bytes += liveBytes(rowGroup);
        }
        return bytes;
    }

    static double liveBytes(RowGroup rowGroup)
    {
        return rowGroup.currentBytes() * rowGroup.liveRows() / rowGroup.rows();
    }

    /**
     * Returns the size of the row groups on storage in bytes.
     */
    public long bytes()
    {
        long bytes = 0;
        for (RowGroup rowGroup : rowGroups) {
            bytes += rowGroup.bytes();
        }
        return bytes;
    }
}
