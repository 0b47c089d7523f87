package io.albis.format.scan;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.format.predicate.ColumnTest;
import io.albis.format.predicate.RowAlternatives;
import io.albis.format.run.SegmentShare;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.FieldSelection;
import io.trino.spi.predicate.TupleDomain;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

import static java.util.Objects.requireNonNull;

/**
 * The rows and columns of a row group to read.
 *
 * @param columns the projection: channel i of a batch is column i, or the part of it that was requested. A column that
 *         the row group does not have reads as its initial value, and a part of one as null
 * @param predicate predicate on any columns of the table; each domain must be enforceable, unless rows are not filtered
 * @param dynamicPredicate provides the current dynamic predicate, which may narrow during the scan; the reader may skip
 *         any rows that do not match it
 * @param share the segments to read
 * @param fields by the id of a nested column, the parts of it to read; other nested columns are read as a whole. Only
 *         the Java API uses it: Trino reads each field as a column of its own, which has a path
 * @param order the order in which segments are read; empty for that of the row group. Segments in another order are not
 *         read ahead
 * @param tests tests of the distinct values of columns; the reader may skip any rows that cannot match one of them
 * @param alternatives the reader may skip any rows that do not match one of these
 */
public record RowGroupScan(List<AlbisColumn> columns, TupleDomain<AlbisColumn> predicate, Supplier<TupleDomain<AlbisColumn>> dynamicPredicate, SegmentShare share, Map<Integer, FieldSelection> fields, Optional<SegmentOrder> order, List<ColumnTest> tests, List<RowAlternatives> alternatives)
{
    public RowGroupScan
    {
        columns = ImmutableList.copyOf(columns);
        requireNonNull(predicate, "predicate is null");
        requireNonNull(dynamicPredicate, "dynamicPredicate is null");
        requireNonNull(share, "share is null");
        fields = ImmutableMap.copyOf(fields);
        requireNonNull(order, "order is null");
        tests = ImmutableList.copyOf(tests);
        alternatives = ImmutableList.copyOf(alternatives);
    }

    public RowGroupScan(List<AlbisColumn> columns, TupleDomain<AlbisColumn> predicate, Supplier<TupleDomain<AlbisColumn>> dynamicPredicate, SegmentShare share)
    {
        this(columns, predicate, dynamicPredicate, share, ImmutableMap.of(), Optional.empty(), ImmutableList.of(), ImmutableList.of());
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
        return new RowGroupScan(columns, predicate, dynamicPredicate, share, fields, order, tests, alternatives);
    }

    /**
     * Returns the same scan with its segments in an order.
     */
    public RowGroupScan withOrder(Optional<SegmentOrder> order)
    {
        return new RowGroupScan(columns, predicate, dynamicPredicate, share, fields, order, tests, alternatives);
    }

    /**
     * Returns the same scan with tests of the distinct values of columns.
     */
    public RowGroupScan withTests(List<ColumnTest> tests)
    {
        return new RowGroupScan(columns, predicate, dynamicPredicate, share, fields, order, tests, alternatives);
    }

    /**
     * Returns the same scan with alternatives.
     */
    public RowGroupScan withAlternatives(List<RowAlternatives> alternatives)
    {
        return new RowGroupScan(columns, predicate, dynamicPredicate, share, fields, order, tests, alternatives);
    }
}
