package io.albis.benchmarks.chart;

import io.albis.benchmarks.chart.Drawing.Anchor;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;

import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * Shows how many values per second Trino reads from each file format, based on the report of {@code format}.
 */
final class ScanChart
{
    private static final int WIDTH = 860;
    private static final int LEFT = 220;
    private static final int RIGHT = 70;
    private static final int TOP = 64;
    private static final int BAR_STEP = 30;
    private static final int BAR_HEIGHT = 20;

    private ScanChart() {}

    static String draw(WrittenReport report)
    {
        List<Bar> bars = report.table("Formats").stream()
                .map(row -> new Bar(FormatSeries.of(row.get("format")), WrittenReport.figure(row, "values/s (M)")))
                .sorted(Comparator.comparingDouble(Bar::value).reversed())
                .collect(toImmutableList());
        double tick = Ticks.distance(bars.getFirst().value());
        double most = Math.ceil(bars.getFirst().value() / tick) * tick;
        double scale = (WIDTH - LEFT - RIGHT) / most;
        int bottom = TOP + bars.size() * BAR_STEP;

        Drawing drawing = new Drawing(WIDTH, bottom + 86, "Scan speed of file formats, in million values per second");
        drawing.boldText(16, 24, 16, "Scan speed: from files to pages of Trino, one thread");
        drawing.text(16, 44, Anchor.START, String.format(Locale.ROOT, "All 23 columns of store_sales (TPC-DS), %,d rows. Longer is faster.", report.number("", " rows of 23 columns")));
        for (int i = 0; i * tick <= most; i++) {
            double x = LEFT + i * tick * scale;
            drawing.line(x, TOP - 6, x, bottom, Palette.GRID, 1);
            drawing.text(x, bottom + 16, Anchor.MIDDLE, String.format(Locale.ROOT, "%.0f", i * tick));
        }
        drawing.text(LEFT + most * scale / 2, bottom + 36, Anchor.MIDDLE, "million values per second");
        for (int i = 0; i < bars.size(); i++) {
            Bar bar = bars.get(i);
            double y = TOP + i * BAR_STEP;
            drawing.text(LEFT - 10, y + 15, Anchor.END, bar.series().label());
            drawing.bar(LEFT, y, Math.max(bar.value() * scale, 1), BAR_HEIGHT, bar.series().color());
            drawing.text(LEFT + bar.value() * scale + 6, y + 15, Anchor.START, String.format(Locale.ROOT, "%.1f", bar.value()));
        }
        drawing.text(16, bottom + 58, Anchor.START, "Files in the cache of the operating system. Rounds: %s.".formatted(report.number("Medians of ", " rounds")));
        drawing.text(16, bottom + 76, Anchor.START, Machine.describe(report));
        return drawing.render();
    }

    private record Bar(FormatSeries series, double value) {}
}
