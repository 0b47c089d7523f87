package io.albis.table.version;

import com.google.common.collect.ImmutableList;
import io.albis.format.metadata.RowGroup;
import io.albis.format.metadata.StatisticsDomains;
import io.albis.format.schema.AlbisColumn;
import io.albis.table.model.ManifestEntry;
import io.trino.spi.predicate.TupleDomain;

import java.util.List;

import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * The rows that a write has read from the table to which it writes. With the isolation level SERIALIZABLE, the write
 * conflicts with commits that have changed them since.
 */
public final class ReadSet
{
    /**
     * The write has not read its table.
     */
    public static final ReadSet BLIND = new ReadSet(ImmutableList.of(), false);

    private final List<TupleDomain<AlbisColumn>> predicates;
    private final boolean commutesWithDeletes;

    private ReadSet(List<TupleDomain<AlbisColumn>> predicates, boolean commutesWithDeletes)
    {
        this.predicates = predicates.stream()
                .filter(predicate -> !predicate.isNone())
                .collect(toImmutableList());
        this.commutesWithDeletes = commutesWithDeletes;
    }

    /**
     * Returns the read set of a write that has read the whole table. It conflicts with every commit that adds or
     * removes rows.
     */
    public static ReadSet wholeTable()
    {
        return of(ImmutableList.of(TupleDomain.all()));
    }

    /**
     * Returns the read set of a write that has read the rows that match one of the predicates, such as an UPDATE, a
     * MERGE, or an INSERT with a query on its own table. It conflicts with commits that add rows to them or remove rows
     * from them. A row that it deletes, and that another write has deleted in the meantime, is a conflict with every
     * isolation level.
     */
    public static ReadSet of(List<TupleDomain<AlbisColumn>> predicates)
    {
        return new ReadSet(predicates, false);
    }

    /**
     * Returns the read set of a DELETE that decides about each row by this row alone. It conflicts with commits that
     * add rows that may match the predicate. Rows that others have deleted in the meantime are no conflict.
     */
    public static ReadSet ofDelete(TupleDomain<AlbisColumn> predicate)
    {
        return new ReadSet(ImmutableList.of(predicate), true);
    }

    boolean isBlind()
    {
        return predicates.isEmpty();
    }

    /**
     * Returns whether rows that others have deleted are no conflict.
     */
    boolean commutesWithDeletes()
    {
        return commutesWithDeletes;
    }

    /**
     * Returns whether the write may have read rows of a manifest.
     */
    boolean overlaps(ManifestEntry manifest)
    {
        for (TupleDomain<AlbisColumn> predicate : predicates) {
            if (manifest.overlaps(predicate)) {
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
        for (TupleDomain<AlbisColumn> predicate : predicates) {
            if (StatisticsDomains.overlaps(rowGroup, predicate)) {
                return true;
            }
        }
        return false;
    }
}
