package io.albis.table.optimize;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.albis.format.metadata.DeletedRows;
import io.albis.format.metadata.PartitionValue;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisColumn;
import io.albis.table.model.PartitionField;
import io.albis.table.model.PartitionFields;
import io.albis.table.partition.RowGroupPredicate;
import io.albis.table.version.AlbisTable;
import io.trino.spi.predicate.TupleDomain;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * The row groups of a version that a statement writes again. {@link ColumnRewritePlan} chooses those some of whose
 * columns are written again. This class chooses those that an optimization replaces: small row groups that fit together
 * into one, and row groups with deleted rows. A row group that is nearly full and has no deleted rows remains. A small
 * one remains if no other fits. Each optimization therefore leaves fewer row groups or fewer deleted rows,
 * unless the new row groups are stored less compactly, and repeating it comes to an end. If it also sorts the rows, it
 * replaces all row groups, so that those of one unit get ranges of their own.
 *
 * @param units row groups that are written together; each row group is in at most one unit
 */
public record OptimizePlan(List<RewriteUnit> units)
{
    // A row group or a unit with this share of its target size is full: filling the rest is not worth writing it again
    private static final double FULL = 0.75;
    // The share of the bytes of a row group that must be current, so that it need not be written again
    private static final double MIN_CURRENT = 0.75;
    // A unit is one split, which names all its row groups and their column groups
    private static final int MAX_ROW_GROUPS = 1000;
    private static final int MAX_COLUMN_GROUPS = 10_000;
    // One thread sorts the rows of a unit
    private static final long MAX_SORTED_BYTES = 4L << 30;
    // Bounds the time for a table with very many row groups
    private static final int MAX_OPEN = 100;

    public OptimizePlan
    {
        units = ImmutableList.copyOf(units);
    }

    /**
     * Makes the plan for those row groups of a table whose bounds and partitions do not exclude a predicate.
     *
     * @param targetBytes size of a full row group in bytes
     * @param targetRows number of rows of a full row group
     * @param sorted whether all selected row groups are replaced, because the rows of each unit are sorted. A unit then
     *         has as many row groups as one writer can sort
     */
    public static OptimizePlan of(AlbisTable table, TupleDomain<AlbisColumn> predicate, long targetBytes, long targetRows, boolean sorted)
    {
        if (predicate.isNone()) {
            return new OptimizePlan(ImmutableList.of());
        }
        RowGroupPredicate matching = new RowGroupPredicate(predicate);
        List<RowGroup> selected = table.select(predicate).rowGroups().stream()
                .filter(matching::overlaps)
                .collect(toImmutableList());
        List<PartitionField> partitionedBy = PartitionFields.of(table.version().properties());
        if (sorted) {
            return sorted(selected, partitionedBy, targetBytes);
        }
        return partitionedBy.isEmpty() ? of(selected, targetBytes, targetRows, false) : of(selected, partitionedBy, targetBytes, targetRows, false);
    }

    /**
     * Makes the plan for row groups that are all replaced. As many as possible are put together, even if they are full.
     *
     * @param partitionedBy empty if the rows of the table are not partitioned
     */
    static OptimizePlan sorted(List<RowGroup> rowGroups, List<PartitionField> partitionedBy, long targetBytes)
    {
        long unitBytes = Math.max(targetBytes, MAX_SORTED_BYTES);
        return partitionedBy.isEmpty() ? of(rowGroups, unitBytes, Long.MAX_VALUE, true) : of(rowGroups, partitionedBy, unitBytes, Long.MAX_VALUE, true);
    }

    /**
     * Makes the plan for row groups of a table whose rows are partitioned. Only row groups of the same partition are
     * put together. Those that were written before the table was partitioned in this way are all replaced.
     *
     * @param unitBytes maximum size of a unit of several row groups in bytes
     * @param unitRows maximum number of live rows of such a unit
     * @param all whether row groups that are full or fit to no other one are replaced too
     */
    static OptimizePlan of(List<RowGroup> rowGroups, List<PartitionField> partitionedBy, long unitBytes, long unitRows, boolean all)
    {
        Map<List<PartitionValue>, List<RowGroup>> partitions = new LinkedHashMap<>();
        List<RowGroup> others = new ArrayList<>();
        for (RowGroup rowGroup : rowGroups) {
            if (PartitionFields.match(partitionedBy, rowGroup.partition())) {
                partitions.computeIfAbsent(rowGroup.partition(), _ -> new ArrayList<>()).add(rowGroup);
            }
            else {
                others.add(rowGroup);
            }
        }
        ImmutableList.Builder<RewriteUnit> units = ImmutableList.builder();
        for (List<RowGroup> partition : partitions.values()) {
            units.addAll(of(partition, unitBytes, unitRows, all).units());
        }
        units.addAll(of(others, unitBytes, unitRows, true).units());
        return new OptimizePlan(units.build());
    }

    /**
     * Makes the plan for row groups. Row groups that are near each other in the list are put together if they fit,
     * because they were often written at about the same time.
     *
     * @param unitBytes maximum size of a unit of several row groups in bytes
     * @param unitRows maximum number of live rows of such a unit
     * @param all whether row groups that are full or fit to no other one are replaced too
     */
    static OptimizePlan of(List<RowGroup> rowGroups, long unitBytes, long unitRows, boolean all)
    {
        checkArgument(unitBytes > 0, "unitBytes is not positive: %s", unitBytes);
        checkArgument(unitRows > 0, "unitRows is not positive: %s", unitRows);
        long maxRows = Math.min(unitRows, DeletedRows.MAX_ROWS);
        List<Bin> bins = new ArrayList<>();
        List<Bin> open = new ArrayList<>();
        for (RowGroup rowGroup : rowGroups) {
            double share = share(rowGroup, unitBytes, maxRows);
            if (!all && share >= FULL && !hasGarbage(rowGroup)) {
                continue;
            }
            Bin bin = firstFit(open, share);
            if (bin == null) {
                bin = new Bin();
                bins.add(bin);
                open.add(bin);
            }
            bin.add(rowGroup, share);
            if (bin.isFull()) {
                open.remove(bin);
            }
            else if (open.size() > MAX_OPEN) {
                open.removeFirst();
            }
        }
        return new OptimizePlan(bins.stream()
                .filter(bin -> all || bin.isWorthwhile())
                .map(bin -> new RewriteUnit(bin.rowGroups))
                .collect(toImmutableList()));
    }

    /**
     * Returns which share of a full unit the live rows of a row group are.
     */
    private static double share(RowGroup rowGroup, long unitBytes, long unitRows)
    {
        return Math.max(RewriteUnit.liveBytes(rowGroup) / unitBytes, (double) rowGroup.liveRows() / unitRows);
    }

    /**
     * Returns whether files have bytes that nobody reads: deleted rows, or many columns of which an UPDATE has written
     * new values to other files.
     */
    private static boolean hasGarbage(RowGroup rowGroup)
    {
        return rowGroup.deletedRows().isPresent() || rowGroup.currentBytes() < MIN_CURRENT * rowGroup.bytes();
    }

    private static Bin firstFit(List<Bin> open, double share)
    {
        for (Bin bin : open) {
            if (bin.share + share <= 1) {
                return bin;
            }
        }
        return null;
    }

    private static final class Bin
    {
        private final List<RowGroup> rowGroups = new ArrayList<>();
        private double share;
        private int columnGroups;

        void add(RowGroup rowGroup, double share)
        {
            rowGroups.add(rowGroup);
            this.share += share;
            columnGroups += rowGroup.columnGroups().size();
        }

        boolean isFull()
        {
            return share >= FULL || rowGroups.size() == MAX_ROW_GROUPS || columnGroups >= MAX_COLUMN_GROUPS;
        }

        boolean isWorthwhile()
        {
            return rowGroups.size() > 1 || hasGarbage(rowGroups.getFirst());
        }
    }

    /**
     * Returns the ids of all row groups that are replaced.
     */
    public Set<UUID> rowGroupIds()
    {
        ImmutableSet.Builder<UUID> ids = ImmutableSet.builder();
        for (RewriteUnit unit : units) {
            unit.rowGroups().forEach(rowGroup -> ids.add(rowGroup.id()));
        }
        return ids.build();
    }
}
