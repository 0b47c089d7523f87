package io.albis.format.scan;

import com.google.common.collect.ImmutableList;
import io.albis.format.schema.AlbisColumn;
import io.trino.spi.predicate.TupleDomain;

import java.util.List;
import java.util.function.Supplier;

import static java.util.Objects.requireNonNull;

/**
 * What to read of a row group.
 *
 * @param columns the projection: channel i of a batch is column i; a column that the row group does not have is null
 * @param predicate about any columns; each domain must be enforceable, unless rows are not filtered
 * @param dynamicPredicate is asked again while reading, as it may narrow; may leave out any rows that do not match it
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
