package io.albis.benchmarks.chart;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Lists;
import io.albis.benchmarks.chart.ChartPoints.ChartPoint;
import org.jetbrains.letsPlot.commons.encoding.UnsupportedRGBEncoder;
import org.jetbrains.letsPlot.commons.geometry.DoubleVector;
import org.jetbrains.letsPlot.core.util.PlotSvgExportCommon;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * A plot as Lets-Plot specifies it: the grammar of ggplot2 as maps and lists, which the library may change.
 */
class Plot
{
    static final String TEXT = "#24292f";

    private static final int WIDTH = 860;
    private static final Pattern ID = Pattern.compile(" id=\"([^\"]+)\"");

    private final Map<String, Object> specification = new LinkedHashMap<>();
    private final List<Object> scales = new ArrayList<>();
    private final List<Object> layers = new ArrayList<>();
    private final Map<String, Object> theme = options("name", "minimal")
            .with("text", options("color", TEXT))
            // Readable on pages of any color
            .with("plot_background", options("blank", false).with("fill", "white").with("color", "white"))
            .with("panel_grid_minor", options("blank", true))
            .with("plot_margin", options("t", 10).with("r", 20).with("b", 10).with("l", 10))
            .with("plot_title", options("face", "bold"))
            .with("plot_subtitle", options("size", 14))
            .with("plot_caption", options("hjust", 0).with("size", 12))
            .with("axis_title", options("size", 14))
            .with("legend_title", options("blank", true))
            .with("legend_position", "top");

    Plot(String title, String subtitle, List<String> caption)
    {
        specification.put("kind", "plot");
        specification.put("ggtitle", options("text", title).with("subtitle", subtitle));
        specification.put("caption", options("text", String.join("\n", caption)));
        specification.put("theme", theme);
        specification.put("scales", scales);
        specification.put("layers", layers);
    }

    Plot data(List<ChartPoint> points, Function<ChartPoint, Object> position)
    {
        specification.put("data", options("contender", list(Lists.transform(points, point -> Series.label(point.contender()))))
                .with("position", list(Lists.transform(points, position::apply)))
                .with("panel", list(Lists.transform(points, ChartPoint::panel)))
                .with("value", list(Lists.transform(points, ChartPoint::value))));
        return this;
    }

    /**
     * Puts each panel of the points into a plot of its own, next to the others.
     */
    Plot panels()
    {
        specification.put("facet", options("name", "wrap").with("facets", list(ImmutableList.of("panel"))).with("ncol", 2));
        return this;
    }

    Plot theme(String element, Object value)
    {
        theme.put(element, value);
        return this;
    }

    Plot scale(String aesthetic, Options options)
    {
        scales.add(options.with("aesthetic", aesthetic));
        return this;
    }

    /**
     * Adds a layer with all of its data, of which the library would otherwise drop a part at random.
     *
     * @param mapping what the aesthetics of the points show, such as their value
     */
    Plot layer(String geometry, Map<String, String> mapping, Options options)
    {
        layers.add(options
                .with("geom", geometry)
                .with("stat", "identity")
                .with("sampling", "none")
                .with("tooltips", "none")
                .with("mapping", new LinkedHashMap<>(mapping)));
        return this;
    }

    String render(int height)
    {
        return stable(PlotSvgExportCommon.INSTANCE.buildSvgImageFromRawSpecs(specification, new DoubleVector(WIDTH, height), new UnsupportedRGBEncoder(), false)) + "\n";
    }

    /**
     * Numbers the identifiers, which are random, so that the same figures always give the same image.
     */
    private static String stable(String svg)
    {
        Set<String> identifiers = new LinkedHashSet<>();
        ID.matcher(svg).results().forEach(match -> identifiers.add(match.group(1)));
        String stable = svg;
        int number = 0;
        for (String identifier : identifiers) {
            number++;
            stable = stable.replace(identifier, "id" + number);
        }
        return stable;
    }

    static List<Object> list(List<?> values)
    {
        return new ArrayList<>(values);
    }

    static Options options(String name, Object value)
    {
        return new Options().with(name, value);
    }

    /**
     * Named options of a part of a plot.
     */
    static final class Options
            extends LinkedHashMap<String, Object>
    {
        Options with(String name, Object value)
        {
            put(name, value);
            return this;
        }
    }
}
