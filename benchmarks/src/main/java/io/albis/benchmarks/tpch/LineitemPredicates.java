package io.albis.benchmarks.tpch;

import com.google.common.collect.ImmutableMap;

import java.util.Map;
import java.util.Optional;

/**
 * The predicates on columns of {@code lineitem} alone in the queries of TPC-H. The other queries have none: they read
 * all rows of it, or find rows by joins.
 */
final class LineitemPredicates
{
    private static final Map<Integer, String> PREDICATES = ImmutableMap.<Integer, String>builder()
            .put(1, "shipdate <= DATE '1998-09-02'")
            .put(3, "shipdate > DATE '1995-03-15'")
            .put(4, "commitdate < receiptdate")
            .put(6, "shipdate >= DATE '1994-01-01' AND shipdate < DATE '1995-01-01' AND discount BETWEEN 0.05 AND 0.07 AND quantity < 24")
            .put(7, "shipdate BETWEEN DATE '1995-01-01' AND DATE '1996-12-31'")
            .put(10, "returnflag = 'R'")
            .put(12, "shipmode IN ('MAIL', 'SHIP') AND commitdate < receiptdate AND shipdate < commitdate AND receiptdate >= DATE '1994-01-01' AND receiptdate < DATE '1995-01-01'")
            .put(14, "shipdate >= DATE '1995-09-01' AND shipdate < DATE '1995-10-01'")
            .put(15, "shipdate >= DATE '1996-01-01' AND shipdate < DATE '1996-04-01'")
            .put(19, "shipmode IN ('AIR', 'AIR REG') AND shipinstruct = 'DELIVER IN PERSON' AND quantity BETWEEN 1 AND 30")
            .put(20, "shipdate >= DATE '1994-01-01' AND shipdate < DATE '1995-01-01'")
            .put(21, "receiptdate > commitdate")
            .buildOrThrow();

    private LineitemPredicates() {}

    /**
     * Returns the predicate of a query on the first scan of the table.
     */
    public static Optional<String> of(int query)
    {
        return Optional.ofNullable(PREDICATES.get(query));
    }
}
