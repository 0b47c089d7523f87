package io.albis.benchmarks.tpch;

import com.google.common.collect.ImmutableSortedMap;
import io.albis.benchmarks.server.BenchmarkServer;
import io.albis.benchmarks.workload.Fraction;
import io.trino.testing.MaterializedRow;

import java.time.LocalDate;
import java.util.List;
import java.util.Map.Entry;
import java.util.SortedMap;

import static io.albis.benchmarks.server.BenchmarkCatalog.SOURCE;
import static io.albis.benchmarks.tpch.TpchTables.LINEITEM;
import static java.util.Objects.requireNonNull;

/**
 * The number of rows of {@code lineitem} until each day.
 *
 * @param until number of rows with a ship date that is not after the day
 */
record Shipdates(SortedMap<LocalDate, Long> until)
{
    public Shipdates
    {
        requireNonNull(until, "until is null");
        until = ImmutableSortedMap.copyOf(until);
    }

    public static Shipdates read(BenchmarkServer server, String schema)
    {
        List<MaterializedRow> days = server.execute(SOURCE.catalogName(), schema, "SELECT shipdate, count(*) FROM %s GROUP BY 1 ORDER BY 1".formatted(LINEITEM)).getMaterializedRows();
        ImmutableSortedMap.Builder<LocalDate, Long> until = ImmutableSortedMap.naturalOrder();
        long rows = 0;
        for (MaterializedRow day : days) {
            rows += (long) day.getField(1);
            until.put((LocalDate) day.getField(0), rows);
        }
        return new Shipdates(until.buildOrThrow());
    }

    public long rows()
    {
        return until.get(until.lastKey());
    }

    /**
     * Returns the first day until which there is at least a fraction of the rows.
     */
    public LocalDate day(Fraction fraction)
    {
        long wanted = fraction.of(rows());
        return until.entrySet().stream()
                .filter(entry -> entry.getValue() >= wanted)
                .map(Entry::getKey)
                .findFirst()
                .orElseThrow();
    }
}
