package io.albis.format.scan;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.ElementAccess;
import io.albis.format.schema.FieldSelection;
import io.trino.spi.predicate.TupleDomain;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

import static java.util.Objects.requireNonNull;

/**
 * The rows and columns of a row group to read.
 *
 * @param columns the projection: channel i of a batch is column i, and a column that the row group does not have reads
 *         as its initial value
 * @param predicate predicate on any columns of the table; each domain must be enforceable, unless rows are not filtered
 * @param dynamicPredicate provides the current dynamic predicate, which may narrow during the scan; the reader may skip
 *         any rows that do not match it
 * @param share the segments to read
 * @param fields by the id of a nested column, the parts of it to read; other nested columns are read as a whole. Only
 *         the Java API uses it: Trino reads each field as a column of its own, which has a path
 * @param accesses by channel, what to read instead of the arrays or maps of the column; the initial value of such a
 *         column is null
 * @param order the order in which segments are read; empty for that of the row group. Segments in another order are not
 *         read ahead
 */
public record RowGroupScan(List<AlbisColumn> columns, TupleDomain<AlbisColumn> predicate, Supplier<TupleDomain<AlbisColumn>> dynamicPredicate, SegmentShare share, Map<Integer, FieldSelection> fields, Map<Integer, ElementAccess> accesses, Optional<SegmentOrder> order)
{
    public RowGroupScan
    {
        columns = ImmutableList.copyOf(columns);
        requireNonNull(predicate, "predicate is null");
        requireNonNull(dynamicPredicate, "dynamicPredicate is null");
        requireNonNull(share, "share is null");
        fields = ImmutableMap.copyOf(fields);
        accesses = ImmutableMap.copyOf(accesses);
        requireNonNull(order, "order is null");
    }

    public RowGroupScan(List<AlbisColumn> columns, TupleDomain<AlbisColumn> predicate, Supplier<TupleDomain<AlbisColumn>> dynamicPredicate, SegmentShare share)
    {
        this(columns, predicate, dynamicPredicate, share, ImmutableMap.of(), ImmutableMap.of(), Optional.empty());
    }

    public static RowGroupScan of(List<AlbisColumn> columns, TupleDomain<AlbisColumn> predicate)
    {
        return new RowGroupScan(columns, predicate, TupleDomain::all, SegmentShare.ALL);
    }

    /**
     * Returns the same scan of some parts of nested columns.
     */
    public RowGroupScan withFields(Map<Integer, FieldSelection> fields)
    {
        return new RowGroupScan(columns, predicate, dynamicPredicate, share, fields, accesses, order);
    }

    /**
     * Returns the same scan of elements of some arrays or maps.
     */
    public RowGroupScan withAccesses(Map<Integer, ElementAccess> accesses)
    {
        return new RowGroupScan(columns, predicate, dynamicPredicate, share, fields, accesses, order);
    }

    /**
     * Returns the same scan with its segments in an order.
     */
    public RowGroupScan withOrder(Optional<SegmentOrder> order)
    {
        return new RowGroupScan(columns, predicate, dynamicPredicate, share, fields, accesses, order);
    }

    /**
     * Returns what to read instead of the arrays or maps of a channel; empty to read the column.
     */
    Optional<ElementAccess> access(int channel)
    {
        return Optional.ofNullable(accesses.get(channel));
    }

    /**
     * Returns the columns with the types of the blocks that the channels have.
     */
    List<AlbisColumn> returnedColumns()
    {
        List<AlbisColumn> returned = new ArrayList<>(columns);
        accesses.forEach((channel, access) -> {
            AlbisColumn column = columns.get(channel);
            returned.set(channel, new AlbisColumn(column.id(), column.name(), access.resultType(column.type())));
        });
        return returned;
    }
}
