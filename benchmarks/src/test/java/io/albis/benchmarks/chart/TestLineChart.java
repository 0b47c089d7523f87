package io.albis.benchmarks.chart;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.chart.LineChart.Line;
import io.albis.benchmarks.chart.VerticalAxis.Tick;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

import javax.xml.parsers.DocumentBuilderFactory;

import java.io.ByteArrayInputStream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class TestLineChart
{
    @Test
    void testChart()
            throws Exception
    {
        String svg = new LineChart(
                "Speed <fast & slow>",
                "Some files",
                "threads",
                "Gbit/s",
                false,
                ImmutableList.of("1", "2"),
                ImmutableList.of(
                        new Line("Albis", Palette.ALBIS, ImmutableList.of(10.0, 20.0)),
                        new Line("Parquet", Palette.PARQUET_SNAPPY, ImmutableList.of(2.5, 19.9))),
                ImmutableList.of("Source")).draw();
        Document document = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new ByteArrayInputStream(svg.getBytes(UTF_8)));
        assertThat(document.getDocumentElement().getAttribute("width")).isEqualTo("860");
        assertThat(document.getElementsByTagName("title").item(0).getTextContent()).isEqualTo("Speed <fast & slow>");
        // A point for each value and for each label
        assertThat(document.getElementsByTagName("circle").getLength()).isEqualTo(6);
        assertThat(svg).contains(">threads<", ">Gbit/s<", ">Source<", ">20<", "Parquet, 1: 2.50");
        // The labels of neighboring ends are not on top of each other
        assertThat(svg).contains("y=\"74.0\" text-anchor=\"start\">Albis<", "y=\"90.0\" text-anchor=\"start\">Parquet<");
    }

    @Test
    void testLogarithmicAxis()
    {
        VerticalAxis axis = VerticalAxis.logarithmic(0.3, 3.9);
        assertThat(axis.ticks()).extracting(Tick::label).containsExactly("1/4", "1/2", "1", "2", "4");
        assertThat(axis.position(0.25)).isEqualTo(0);
        assertThat(axis.position(1)).isEqualTo(0.5);
        assertThat(axis.position(4)).isEqualTo(1);
        assertThat(VerticalAxis.linear(3.9).ticks()).extracting(Tick::label).containsExactly("0.0", "0.5", "1.0", "1.5", "2.0", "2.5", "3.0", "3.5", "4.0");
    }

    @Test
    void testTicks()
    {
        assertThat(Ticks.distance(100)).isEqualTo(20);
        assertThat(Ticks.distance(8)).isEqualTo(2);
        assertThat(Ticks.distance(1.3)).isEqualTo(0.2);
        assertThat(Ticks.label(0.4, 0.2)).isEqualTo("0.4");
        assertThat(Ticks.label(1500, 500)).isEqualTo("1,500");
    }
}
