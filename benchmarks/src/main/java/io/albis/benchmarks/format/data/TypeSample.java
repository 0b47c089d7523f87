package io.albis.benchmarks.format.data;

import com.google.common.collect.ImmutableList;
import io.trino.spi.Page;

import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;

import static com.google.common.base.Preconditions.checkArgument;
import static java.lang.Integer.parseInt;

/**
 * A table with a single column.
 *
 * @param nulls whether the column contains nulls
 */
public record TypeSample(SampledType type, boolean nulls, int rows)
        implements Dataset
{
    static final String KIND = "type";
    private static final String WITH_NULLS = "nulls";
    private static final String WITHOUT_NULLS = "none";
    private static final double NULL_FRACTION = 0.1;

    public TypeSample
    {
        checkArgument(rows > 0, "rows is not positive: %s", rows);
    }

    static TypeSample parse(List<String> parts)
    {
        checkArgument(parts.get(2).equals(WITH_NULLS) || parts.get(2).equals(WITHOUT_NULLS), "Neither with nor without nulls: %s", parts.get(2));
        return new TypeSample(SampledType.parse(parts.get(1)), parts.get(2).equals(WITH_NULLS), parseInt(parts.get(3)));
    }

    @Override
    public String name()
    {
        return "%s-%s-%s-%s".formatted(KIND, type.label(), nulls ? WITH_NULLS : WITHOUT_NULLS, rows);
    }

    @Override
    public List<Column> columns()
    {
        return ImmutableList.of(new Column("c", type.type()));
    }

    @Override
    public Iterator<Page> pages()
    {
        ValueGenerator values = type.generator();
        if (!nulls) {
            return new GeneratedPages(columns(), ImmutableList.of(values), rows);
        }
        SplittableRandom random = new SplittableRandom(name().hashCode());
        ValueGenerator sometimes = (builder, row) -> {
            if (random.nextDouble() < NULL_FRACTION) {
                builder.appendNull();
            }
            else {
                values.append(builder, row);
            }
        };
        return new GeneratedPages(columns(), ImmutableList.of(sometimes), rows);
    }
}
