package io.albis.table.model;

import com.google.common.collect.ImmutableMap;

import java.util.Map;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * All row groups of a version together, and their names in summaries. They are those of Iceberg, whose data files are
 * row groups here.
 *
 * @param rows number of rows that are not deleted
 * @param rowGroups number of row groups
 * @param bytes size of the row groups on storage in bytes, without manifests and versions
 */
public record VersionTotals(long rows, long rowGroups, long bytes)
{
    public static final VersionTotals NONE = new VersionTotals(0, 0, 0);

    public VersionTotals
    {
        checkArgument(rows >= 0, "rows is negative: %s", rows);
        checkArgument(rowGroups >= 0, "rowGroups is negative: %s", rowGroups);
        checkArgument(bytes >= 0, "bytes is negative: %s", bytes);
    }

    /**
     * Returns the sums over the manifests of a version. No manifest is read.
     */
    public static VersionTotals of(TableVersion version)
    {
        long rowGroups = 0;
        for (ManifestEntry manifest : version.manifests()) {
            rowGroups += manifest.rowGroups();
        }
        return new VersionTotals(version.rowCount(), rowGroups, version.bytes());
    }

    /**
     * Returns what the summary of this version says about its content.
     */
    public Map<String, String> totals()
    {
        return ImmutableMap.of(
                "total-records", String.valueOf(rows),
                "total-data-files", String.valueOf(rowGroups),
                "total-files-size", String.valueOf(bytes));
    }

    /**
     * Returns what the summary of the next version says if it has none of these row groups.
     */
    public Map<String, String> removed()
    {
        return ImmutableMap.of(
                "deleted-records", String.valueOf(rows),
                "deleted-data-files", String.valueOf(rowGroups),
                "removed-files-size", String.valueOf(bytes));
    }
}
