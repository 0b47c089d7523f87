package io.albis.benchmarks.change;

import io.albis.benchmarks.server.BenchmarkServer;
import io.albis.benchmarks.workload.Fraction;
import io.albis.benchmarks.workload.TpcdsScale;
import io.trino.testing.MaterializedRow;

import java.util.List;

import static io.albis.benchmarks.change.ChangedTable.TABLE;
import static io.albis.benchmarks.server.BenchmarkCatalog.SOURCE;

/**
 * The dates of a fraction of the sales. A range that ends on its first day also ends at a time of that day.
 */
record DateRange(long first, long last, long lastTime)
{
    /**
     * Finds the range in the middle of all dates.
     */
    public static DateRange find(BenchmarkServer server, TpcdsScale scale, Fraction fraction)
    {
        String sales = "FROM %s WHERE ss_sold_date_sk IS NOT NULL AND ss_sold_time_sk IS NOT NULL".formatted(TABLE);
        long rows = (long) server.execute(SOURCE.catalogName(), scale.schema(), "SELECT count(*) FROM " + TABLE).getOnlyValue();
        List<MaterializedRow> dates = server.execute(SOURCE.catalogName(), scale.schema(), "SELECT ss_sold_date_sk, count(*) %s GROUP BY 1 ORDER BY 1".formatted(sales)).getMaterializedRows();
        long wanted = fraction.of(rows);
        int first = first(dates, (rows - wanted) / 2);
        long firstDate = (long) dates.get(first).getField(0);
        long covered = 0;
        for (MaterializedRow date : dates.subList(first, dates.size())) {
            covered += (long) date.getField(1);
            if (covered >= wanted) {
                long lastDate = (long) date.getField(0);
                return new DateRange(firstDate, lastDate, lastDate == firstDate ? time(server, scale, sales, firstDate, wanted) : 0);
            }
        }
        return new DateRange(firstDate, (long) dates.getLast().getField(0), 0);
    }

    private static int first(List<MaterializedRow> dates, long rowsBefore)
    {
        long skipped = 0;
        for (int index = 0; index < dates.size(); index++) {
            skipped += (long) dates.get(index).getField(1);
            if (skipped > rowsBefore) {
                return index;
            }
        }
        return dates.size() - 1;
    }

    private static long time(BenchmarkServer server, TpcdsScale scale, String sales, long date, long rows)
    {
        return (long) server.execute(SOURCE.catalogName(), scale.schema(), "SELECT ss_sold_time_sk %s AND ss_sold_date_sk = %s ORDER BY 1 OFFSET %s LIMIT 1".formatted(sales, date, rows - 1)).getOnlyValue();
    }

    public String predicate()
    {
        if (first == last) {
            return "ss_sold_date_sk = %s AND ss_sold_time_sk <= %s".formatted(first, lastTime);
        }
        return "ss_sold_date_sk BETWEEN %s AND %s".formatted(first, last);
    }
}
