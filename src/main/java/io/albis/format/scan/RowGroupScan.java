package io.albis.format.scan;

import com.google.common.collect.ImmutableList;
import io.albis.format.schema.AlbisColumn;
import io.trino.spi.predicate.TupleDomain;

import java.util.List;
import java.util.function.Supplier;

import static java.util.Objects.requireNonNull;

/**
 * The rows and columns of a row group to read.
 *
 * @param columns the projection: channel i of a batch is column i, and a column that the row group does not have reads
 *         as null
 * @param predicate predicate on any columns of the table; each domain must be enforceable, unless rows are not filtered
 * @param dynamicPredicate provides the current dynamic predicate, which may narrow during the scan; the reader may skip
 *         any rows that do not match it
 * @param share the segments to read
 */
public record RowGroupScan(List<AlbisColumn> columns, TupleDomain<AlbisColumn> predicate, Supplier<TupleDomain<AlbisColumn>> dynamicPredicate, SegmentShare share)
{
    public RowGroupScan
    {
        columns = ImmutableList.copyOf(columns);
        requireNonNull(predicate, "predicate is null");
        requireNonNull(dynamicPredicate, "dynamicPredicate is null");
        requireNonNull(share, "share is null");
    }

    public static RowGroupScan of(List<AlbisColumn> columns, TupleDomain<AlbisColumn> predicate)
    {
        return new RowGroupScan(columns, predicate, TupleDomain::all, SegmentShare.ALL);
    }
}
