package io.albis.table.row;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisColumn;
import io.albis.table.model.ManifestEntry;
import io.albis.table.partition.RowGroupPredicate;
import io.trino.spi.predicate.TupleDomain;

import java.util.List;
import java.util.Optional;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Collections.disjoint;
import static java.util.Objects.requireNonNull;

/**
 * The rows that a write has read from the table to which it writes. With the isolation level SERIALIZABLE, the write
 * conflicts with commits that have changed them since.
 */
public final class ReadSet
{
    /**
     * The write has not read its table.
     */
    public static final ReadSet BLIND = new ReadSet(ImmutableList.of(), false, false);

    private final List<Scan> scans;
    private final boolean commutesWithDeletes;
    private final boolean onlyDeletes;

    /**
     * Rows that a write has read.
     *
     * @param predicate the rows match it
     * @param columns ids of the columns that were read, including those of the predicate; empty for all columns
     */
    public record Scan(RowGroupPredicate predicate, Optional<Set<Integer>> columns)
    {
        public Scan
        {
            requireNonNull(predicate, "predicate is null");
            columns = columns.map(ImmutableSet::copyOf);
        }

        public Scan(TupleDomain<AlbisColumn> predicate, Optional<Set<Integer>> columns)
        {
            this(new RowGroupPredicate(predicate), columns);
        }

        /**
         * Returns the scan of all columns of the rows that match a predicate.
         */
        public static Scan of(TupleDomain<AlbisColumn> predicate)
        {
            return new Scan(predicate, Optional.empty());
        }

        private boolean reads(Set<Integer> changedColumns)
        {
            return !disjoint(columns.orElse(changedColumns), changedColumns);
        }
    }

    private ReadSet(List<Scan> scans, boolean commutesWithDeletes, boolean onlyDeletes)
    {
        this.scans = scans.stream()
                .filter(scan -> !scan.predicate().predicate().isNone())
                .collect(toImmutableList());
        this.commutesWithDeletes = commutesWithDeletes;
        this.onlyDeletes = onlyDeletes;
    }

    /**
     * Returns the read set of a write that has read the whole table. It conflicts with every commit that adds, updates,
     * or removes rows.
     */
    public static ReadSet wholeTable()
    {
        return ofScans(ImmutableList.of(Scan.of(TupleDomain.all())));
    }

    /**
     * Returns the read set of a write such as a MERGE, or an INSERT with a query on its own table. It conflicts with
     * commits that add rows to those that it has read, remove rows from them, or change their columns. A row that it
     * deletes or updates, and that another write has deleted in the meantime, is a conflict with every isolation level.
     */
    public static ReadSet ofScans(List<Scan> scans)
    {
        return new ReadSet(scans, false, false);
    }

    /**
     * Returns the read set of an UPDATE that decides about each row by this row alone. It conflicts with commits that
     * add rows that may match the predicate, or change columns that it has read. Rows that others have deleted in the
     * meantime are a conflict only if the write deletes them too, if the others may have added them again, or, with the
     * isolation level SERIALIZABLE, if the others may have decided by columns that the write updates in place.
     */
    public static ReadSet ofUpdate(Scan scan)
    {
        return new ReadSet(ImmutableList.of(scan), true, false);
    }

    /**
     * Returns the read set of a DELETE that decides about each row by this row alone. It conflicts with commits that
     * add rows that may match the predicate, or change columns that it has read. Rows that others have deleted in the
     * meantime are a conflict only with the isolation level SERIALIZABLE, and only if the write deletes them too.
     */
    public static ReadSet ofDelete(Scan scan)
    {
        return new ReadSet(ImmutableList.of(scan), true, true);
    }

    /**
     * Returns the read set of a write that stores values in other files and changes none of them. Rows that others have
     * deleted in the meantime remain deleted, and row groups that they have removed remain removed. Column groups that
     * they have replaced are a conflict with every isolation level.
     */
    public static ReadSet ofCopy()
    {
        return new ReadSet(ImmutableList.of(), true, true);
    }

    boolean isBlind()
    {
        return scans.isEmpty();
    }

    /**
     * Returns whether rows that others have deleted are no conflict, unless the write changes the same rows.
     */
    boolean commutesWithDeletes()
    {
        return commutesWithDeletes;
    }

    /**
     * Returns whether the write only deletes rows, so it does not matter who deletes them.
     */
    boolean onlyDeletes()
    {
        return onlyDeletes;
    }

    /**
     * Returns the ids of the columns by which a DELETE decides about each row by this row alone; empty if they are
     * unknown, or if other rows decide too.
     */
    Optional<Set<Integer>> decidingColumns()
    {
        return onlyDeletes && scans.size() == 1 ? scans.getFirst().columns() : Optional.empty();
    }

    /**
     * Returns whether the write may have read rows of a manifest.
     */
    boolean overlaps(ManifestEntry manifest)
    {
        for (Scan scan : scans) {
            if (manifest.overlaps(scan.predicate().predicate())) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns whether the write may have read rows of a row group.
     */
    boolean overlaps(RowGroup rowGroup)
    {
        for (Scan scan : scans) {
            if (scan.predicate().overlaps(rowGroup)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns whether the write may have read one of several columns of a row group.
     */
    boolean reads(RowGroup rowGroup, Set<Integer> columns)
    {
        for (Scan scan : scans) {
            if (scan.reads(columns) && scan.predicate().overlaps(rowGroup)) {
                return true;
            }
        }
        return false;
    }
}
