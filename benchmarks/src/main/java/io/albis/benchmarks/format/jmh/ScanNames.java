package io.albis.benchmarks.format.jmh;

import com.google.common.base.Splitter;
import io.albis.benchmarks.format.data.Dataset;
import io.albis.benchmarks.format.data.KeyedRows;
import io.albis.benchmarks.format.file.Scan;
import io.trino.spi.predicate.TupleDomain;

import java.util.List;
import java.util.stream.IntStream;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * Represents scans as text, which can be passed to another process.
 */
public final class ScanNames
{
    private static final String ALL = "all";
    private static final String COLUMNS = "columns";
    private static final String FRACTION = "fraction";

    private ScanNames() {}

    public static String all()
    {
        return ALL;
    }

    /**
     * Returns the name of a scan of the given number of columns, picked evenly.
     */
    public static String columns(int count)
    {
        return COLUMNS + "=" + count;
    }

    /**
     * Returns the name of a scan of all columns that keeps a fraction of the rows of {@link KeyedRows}.
     */
    public static String fraction(double fraction)
    {
        return FRACTION + "=" + fraction;
    }

    public static Scan parse(Dataset dataset, String name)
    {
        int width = dataset.columns().size();
        if (name.equals(ALL)) {
            return Scan.all(width);
        }
        List<String> parts = Splitter.on('=').splitToList(name);
        checkArgument(parts.size() == 2, "not a scan: %s", name);
        return switch (parts.getFirst()) {
            case COLUMNS -> {
                int count = Integer.parseInt(parts.getLast());
                checkArgument(count >= 1 && count <= width, "%s has %s columns, not %s", dataset.name(), width, count);
                yield new Scan(
                        IntStream.range(0, count)
                                .map(index -> (2 * index + 1) * width / (2 * count))
                                .boxed()
                                .collect(toImmutableList()),
                        TupleDomain.all());
            }
            case FRACTION -> new Scan(Scan.all(width).columns(), ((KeyedRows) dataset).predicate(Double.parseDouble(parts.getLast())));
            default -> throw new IllegalArgumentException("not a scan: " + name);
        };
    }
}
