package io.albis.benchmarks.threshold;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.server.BenchmarkCatalog;
import io.albis.benchmarks.server.BenchmarkServer;
import io.albis.benchmarks.workload.Fraction;
import io.albis.benchmarks.workload.LookupTable;
import io.albis.benchmarks.workload.Projection;
import io.albis.benchmarks.workload.TpcdsTables;

import java.util.List;

import static io.albis.benchmarks.workload.LookupTable.TABLE;
import static java.util.Objects.requireNonNull;

/**
 * Aggregations of rows of {@link LookupTable} that match a range of a column with an index, for ranges of several
 * widths. The rows are scattered over the whole table.
 */
public record ThresholdQueries(List<String> predicates, List<Integer> widths, List<Fraction> fractions)
{
    // The predicate has the columns with an index. These queries aggregate the other ones.
    private static final String FUNCTION = "max";

    public ThresholdQueries
    {
        predicates = ImmutableList.copyOf(predicates);
        widths = ImmutableList.copyOf(widths);
        fractions = ImmutableList.copyOf(fractions);
    }

    /**
     * Returns the queries, and counts their rows.
     *
     * @param catalog a catalog with the table
     */
    public List<ThresholdQuery> create(BenchmarkServer server, TpcdsTables tables, BenchmarkCatalog catalog)
    {
        requireNonNull(server, "server is null");
        String schema = tables.scale().schema();
        LookupTable lookup = new LookupTable(server, tables);
        List<String> columns = lookup.otherColumns();
        long all = (long) server.execute(catalog.catalogName(), schema, "SELECT count(*) FROM " + TABLE).getOnlyValue();
        ImmutableList.Builder<ThresholdQuery> queries = ImmutableList.builder();
        for (String column : predicates) {
            for (Fraction fraction : fractions) {
                String predicate = lookup.predicate(column, fraction);
                long rows = (long) server.execute(catalog.catalogName(), schema, "SELECT count(*) FROM %s WHERE %s".formatted(TABLE, predicate)).getOnlyValue();
                for (int width : widths) {
                    String series = "%s, %s of %s".formatted(column, FUNCTION, width);
                    String sql = "%s WHERE %s".formatted(Projection.of(FUNCTION, TABLE, columns, width).sql(), predicate);
                    queries.add(new ThresholdQuery("%s, %s".formatted(series, fraction), series, sql, (double) rows / all));
                }
            }
        }
        return queries.build();
    }
}
