package io.albis.benchmarks.chart;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.chart.Drawing.Anchor;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.stream.Collectors.joining;

/**
 * Shows the time of each TPC-DS query on the peers as a multiple of its time on Albis, based on the report of
 * {@code tpcds}.
 */
final class QueriesChart
{
    private static final List<Peer> PEERS = ImmutableList.of(
            new Peer("iceberg", "Iceberg (Parquet, Zstandard)", Palette.PARQUET_ZSTD),
            new Peer("hive", "Hive (Parquet, Snappy)", Palette.PARQUET_SNAPPY));

    private static final int WIDTH = 860;
    private static final int HEIGHT = 480;
    private static final int LEFT = 64;
    private static final int RIGHT = 16;
    private static final int TOP = 84;
    private static final int BOTTOM = HEIGHT - 104;
    private static final double RADIUS = 3.2;

    private QueriesChart() {}

    static String draw(WrittenReport report)
    {
        List<Query> queries = report.table("Each").stream()
                .map(QueriesChart::query)
                .sorted(Comparator.comparingDouble(Query::least).thenComparing(Query::name))
                .collect(toImmutableList());
        Axis axis = Axis.over(queries);

        Drawing drawing = new Drawing(WIDTH, HEIGHT, "Elapsed time of the TPC-DS queries on Iceberg and on Hive, relative to Albis");
        drawing.boldText(16, 24, 16, "%s TPC-DS queries: elapsed time relative to Albis".formatted(queries.size()));
        drawing.text(16, 44, Anchor.START, totals(report));
        legend(drawing);
        grid(drawing, axis);
        double step = (double) (WIDTH - LEFT - RIGHT) / queries.size();
        for (int i = 0; i < queries.size(); i++) {
            Query query = queries.get(i);
            double x = LEFT + (i + 0.5) * step;
            drawing.line(x, axis.y(query.least()), x, axis.y(query.most()), Palette.GRID, 2);
            for (int peer = 0; peer < PEERS.size(); peer++) {
                double ratio = query.ratios().get(peer);
                drawing.point(x, axis.y(ratio), RADIUS, PEERS.get(peer).color(), String.format(Locale.ROOT, "%s on %s: %.2f", query.name(), PEERS.get(peer).catalog(), ratio));
            }
        }
        drawing.text(LEFT + (WIDTH - LEFT - RIGHT) / 2.0, BOTTOM + 20, Anchor.MIDDLE, "queries, ordered by the faster of the two peers");
        drawing.text(16, BOTTOM + 46, Anchor.START, slower(queries));
        drawing.text(16, BOTTOM + 66, Anchor.START, "%s, one server, files on the local disk and in the cache. Ratios of medians of %s alternating rounds.".formatted(report.title(), report.number("Medians of ", " rounds")));
        drawing.text(16, BOTTOM + 86, Anchor.START, Machine.describe(report));
        return drawing.render();
    }

    private static Query query(Map<String, String> row)
    {
        double albis = WrittenReport.figure(row, "elapsed (s) albis");
        return new Query(
                row.get("query"),
                PEERS.stream()
                        .map(peer -> WrittenReport.figure(row, "elapsed (s) " + peer.catalog()) / albis)
                        .collect(toImmutableList()));
    }

    private static String totals(WrittenReport report)
    {
        Map<String, String> elapsed = report.table("Together").stream()
                .filter(row -> row.get("figure").equals("elapsed (s)"))
                .findFirst()
                .orElseThrow();
        return String.format(
                Locale.ROOT,
                "All together: Albis %.0f s, Iceberg %.0f s, Hive %.0f s.",
                WrittenReport.figure(elapsed, "albis"),
                WrittenReport.figure(elapsed, "iceberg"),
                WrittenReport.figure(elapsed, "hive"));
    }

    private static void legend(Drawing drawing)
    {
        double x = LEFT;
        for (Peer peer : PEERS) {
            drawing.point(x + 6, TOP - 19, 4.5, peer.color(), peer.label());
            drawing.text(x + 16, TOP - 15, Anchor.START, peer.label());
            x += 220;
        }
    }

    private static void grid(Drawing drawing, Axis axis)
    {
        for (double tick = axis.firstTick(); tick <= axis.most(); tick *= 2) {
            boolean albis = tick == 1;
            drawing.line(LEFT, axis.y(tick), WIDTH - RIGHT, axis.y(tick), albis ? Palette.ALBIS : Palette.GRID, albis ? 1.5 : 1);
            drawing.text(LEFT - 8, axis.y(tick) + 4, Anchor.END, String.format(Locale.ROOT, tick < 1 ? "%.1f×" : "%.0f×", tick));
        }
        drawing.text(WIDTH - RIGHT, axis.y(1) + 16, Anchor.END, "1× = Albis; below it, the peer is faster");
        drawing.verticalText(18, (TOP + BOTTOM) / 2.0, "time of the peer / time of Albis");
    }

    private static String slower(List<Query> queries)
    {
        List<Query> slower = queries.stream()
                .filter(query -> query.least() < 1)
                .collect(toImmutableList());
        return "A peer is faster in %s of %s queries: %s.".formatted(slower.size(), queries.size(), slower.stream().map(Query::name).collect(joining(", ")));
    }

    private record Peer(String catalog, String label, Palette color) {}

    /**
     * A query of the chart.
     *
     * @param ratios the time on each peer divided by the time on Albis
     */
    private record Query(String name, List<Double> ratios)
    {
        public double least()
        {
            return ratios.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
        }

        public double most()
        {
            return ratios.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
        }
    }

    /**
     * A logarithmic axis, on which twice as fast and twice as slow are at the same distance from 1.
     */
    private record Axis(double least, double most)
    {
        public static Axis over(List<Query> queries)
        {
            return new Axis(
                    queries.stream().mapToDouble(Query::least).min().orElseThrow() * 0.9,
                    queries.stream().mapToDouble(Query::most).max().orElseThrow() * 1.2);
        }

        public double y(double ratio)
        {
            return BOTTOM - (Math.log(ratio) - Math.log(least)) / (Math.log(most) - Math.log(least)) * (BOTTOM - TOP);
        }

        /**
         * Returns the lowest power of two on the axis.
         */
        public double firstTick()
        {
            return Math.pow(2, Math.ceil(Math.log(least) / Math.log(2)));
        }
    }
}
