package io.albis.benchmarks.format;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.format.data.SampledType;
import io.albis.benchmarks.format.data.TypeSample;
import io.albis.benchmarks.format.jmh.ScanNames;
import io.albis.benchmarks.report.ChartRule;
import io.albis.benchmarks.report.ReportContent;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.util.List;

import static io.albis.benchmarks.measure.Figure.ALLOCATED_PER_ROW;
import static io.albis.benchmarks.measure.Figure.BYTES_ON_DISK;
import static io.albis.benchmarks.measure.Figure.GOODPUT;
import static io.albis.benchmarks.measure.Figure.OPERATION;
import static io.albis.benchmarks.measure.Figure.OPERATION_CPU;
import static io.albis.benchmarks.measure.Figure.VALUE_RATE;

@Command(name = "types", description = "Each type on its own, with nulls and without (Figure 5b of the Albis paper)")
public class TypesBenchmark
        extends ComparisonBenchmark
{
    @Option(names = "--types", split = ",", paramLabel = "LIST", description = "all if not given")
    private List<SampledType> types = ImmutableList.copyOf(SampledType.values());

    @Override
    protected List<ReadCase> cases()
    {
        ImmutableList.Builder<ReadCase> cases = ImmutableList.builder();
        for (SampledType type : types) {
            cases.add(new ReadCase(type.label(), new TypeSample(type, false, rows), ScanNames.all()));
            cases.add(new ReadCase(type.label() + " with nulls", new TypeSample(type, true, rows), ScanNames.all()));
        }
        return cases.build();
    }

    @Override
    protected ReportContent content()
    {
        return new ReportContent(
                "Each type on its own: %,d rows".formatted(rows),
                "type",
                ImmutableList.of(),
                ImmutableList.of(VALUE_RATE, GOODPUT, BYTES_ON_DISK, ALLOCATED_PER_ROW),
                ImmutableList.of(OPERATION, OPERATION_CPU))
                .withCharts(ChartRule.bars(VALUE_RATE, "Scan speed of each type"));
    }
}
