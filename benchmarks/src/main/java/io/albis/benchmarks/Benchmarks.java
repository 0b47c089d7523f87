package io.albis.benchmarks;

import io.airlift.units.Duration;
import io.albis.benchmarks.format.ColumnsBenchmark;
import io.albis.benchmarks.format.CompressionBenchmark;
import io.albis.benchmarks.format.ObjectsBenchmark;
import io.albis.benchmarks.format.SegmentsBenchmark;
import io.albis.benchmarks.format.SelectivityBenchmark;
import io.albis.benchmarks.format.SlicesBenchmark;
import io.albis.benchmarks.format.StoreSalesBenchmark;
import io.albis.benchmarks.format.ThreadsBenchmark;
import io.albis.benchmarks.format.TypesBenchmark;
import io.albis.benchmarks.format.data.SampledType;
import io.albis.benchmarks.format.file.TableFormat;
import io.albis.benchmarks.server.BenchmarkCatalog;
import io.albis.benchmarks.server.SessionProperty;
import io.albis.benchmarks.workload.Fraction;
import io.albis.benchmarks.workload.TpcdsScale;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

import java.util.function.Function;

/**
 * Measures Albis against its peers in one process. The benchmarks are described in docs/benchmarks.md.
 */
@Command(name = "albis-benchmarks", subcommands = {HelpCommand.class, AllBenchmarks.class, ListCommand.class, StoreSalesBenchmark.class, TypesBenchmark.class, ColumnsBenchmark.class, SelectivityBenchmark.class, LoadBenchmark.class, ProjectionBenchmark.class, LookupBenchmark.class, NestedBenchmark.class, TpcdsBenchmark.class, TpchBenchmark.class, ClickBenchBenchmark.class, TopNBenchmark.class, ThresholdsBenchmark.class, BucketsBenchmark.class, PlansBenchmark.class, FirstSplitBenchmark.class, HdfsBenchmark.class, CoLocationBenchmark.class, DiskBenchmark.class, ChangesBenchmark.class, OptimizeBenchmark.class, CommitsBenchmark.class, MixedBenchmark.class, ConcurrencyBenchmark.class, TablesBenchmark.class, JoinBenchmark.class, CifBenchmark.class, DocsCommand.class, ThreadsBenchmark.class, SegmentsBenchmark.class, CompressionBenchmark.class, ObjectsBenchmark.class, SlicesBenchmark.class, RegressionCommand.class})
public final class Benchmarks
        implements Runnable
{
    @Spec
    private CommandSpec spec;

    static void main(String[] arguments)
    {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine()
    {
        return new CommandLine(new Benchmarks())
                .registerConverter(TpcdsScale.class, converter(TpcdsScale::parse))
                .registerConverter(BenchmarkCatalog.class, converter(BenchmarkCatalog::parse))
                .registerConverter(SessionProperty.class, converter(SessionProperty::parse))
                .registerConverter(Fraction.class, converter(Fraction::parse))
                .registerConverter(Duration.class, converter(Duration::valueOf))
                .registerConverter(TableFormat.class, converter(TableFormat::parse))
                .registerConverter(SampledType.class, converter(SampledType::parse));
    }

    @Override
    public void run()
    {
        throw new ParameterException(spec.commandLine(), "No benchmark was given");
    }

    private static <T> ITypeConverter<T> converter(Function<String, T> parser)
    {
        return text -> {
            try {
                return parser.apply(text);
            }
            catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        };
    }
}
