package io.albis.table.partition;

import io.albis.format.io.AlbisDataException;
import io.albis.format.metadata.RowGroup;
import io.albis.format.metadata.StatisticsDomains;
import io.albis.format.schema.AlbisColumn;
import io.trino.spi.predicate.TupleDomain;

import java.io.UncheckedIOException;

import static java.util.Objects.requireNonNull;

/**
 * Decides by the metadata of a row group whether its rows match a predicate: by the bounds of the columns, and by the
 * partition. Thread safe.
 */
public final class RowGroupPredicate
{
    private final TupleDomain<AlbisColumn> predicate;
    private final PartitionPredicate partitions;

    public RowGroupPredicate(TupleDomain<AlbisColumn> predicate)
    {
        this.predicate = requireNonNull(predicate, "predicate is null");
        this.partitions = new PartitionPredicate(predicate);
    }

    public TupleDomain<AlbisColumn> predicate()
    {
        return predicate;
    }

    /**
     * Returns whether a row of the row group may match.
     *
     * @throws UncheckedIOException with an {@link AlbisDataException} as its cause if a bound or a value of the
     *         partition is damaged
     */
    public boolean overlaps(RowGroup rowGroup)
    {
        return !predicate.isNone() && partitions.overlaps(rowGroup) && StatisticsDomains.overlaps(rowGroup, predicate);
    }

    /**
     * Returns whether all rows of the row group are known to match.
     *
     * @throws UncheckedIOException with an {@link AlbisDataException} as its cause if a bound or a value of the
     *         partition is damaged
     */
    public boolean containsAll(RowGroup rowGroup)
    {
        return StatisticsDomains.containsAll(rowGroup, partitions.undecided(rowGroup));
    }
}
