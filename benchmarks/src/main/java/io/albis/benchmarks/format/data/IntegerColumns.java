package io.albis.benchmarks.format.data;

import com.google.common.collect.ImmutableList;
import io.trino.spi.Page;

import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.spi.type.IntegerType.INTEGER;
import static java.lang.Integer.parseInt;

/**
 * A table with many integer columns. The columns range from a few distinct values to all possible values.
 */
public record IntegerColumns(int width, int rows)
        implements Dataset
{
    static final String KIND = "integers";

    public IntegerColumns
    {
        checkArgument(width > 0, "width is not positive: %s", width);
        checkArgument(rows > 0, "rows is not positive: %s", rows);
    }

    static IntegerColumns parse(List<String> parts)
    {
        return new IntegerColumns(parseInt(parts.get(1)), parseInt(parts.get(2)));
    }

    @Override
    public String name()
    {
        return "%s-%s-%s".formatted(KIND, width, rows);
    }

    @Override
    public List<Column> columns()
    {
        return IntStream.range(0, width)
                .mapToObj(index -> new Column("c" + index, INTEGER))
                .collect(toImmutableList());
    }

    @Override
    public Iterator<Page> pages()
    {
        ImmutableList.Builder<ValueGenerator> generators = ImmutableList.builder();
        for (int index = 0; index < width; index++) {
            SplittableRandom random = new SplittableRandom(index);
            int bound = (int) Math.pow(10, 1 + index % 9);
            generators.add((builder, _) -> INTEGER.writeLong(builder, random.nextInt(bound)));
        }
        return new GeneratedPages(columns(), generators.build(), rows);
    }
}
