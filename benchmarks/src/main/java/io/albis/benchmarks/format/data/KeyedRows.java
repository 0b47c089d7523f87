package io.albis.benchmarks.format.data;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.trino.spi.Page;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.predicate.ValueSet;

import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.spi.type.BigintType.BIGINT;
import static java.lang.Integer.parseInt;

/**
 * A table with a unique key and a payload of nine more columns: some with few distinct values, some with many, and some
 * with all possible values.
 *
 * @param clustered whether rows with neighboring keys are stored next to each other, rather than scattered
 */
public record KeyedRows(boolean clustered, int rows)
        implements Dataset
{
    static final String KIND = "keyed";
    private static final String CLUSTERED = "clustered";
    private static final String SCATTERED = "scattered";
    private static final int PAYLOAD = 9;
    // Multiplying by this prime permutes the keys below any number of rows that is not a multiple of it
    private static final long STRIDE = 2_654_435_761L;

    public KeyedRows
    {
        checkArgument(rows > 0 && rows % STRIDE != 0, "not a number of rows: %s", rows);
    }

    static KeyedRows parse(List<String> parts)
    {
        checkArgument(parts.get(1).equals(CLUSTERED) || parts.get(1).equals(SCATTERED), "Neither clustered nor scattered: %s", parts.get(1));
        return new KeyedRows(parts.get(1).equals(CLUSTERED), parseInt(parts.get(2)));
    }

    @Override
    public String name()
    {
        return "%s-%s-%s".formatted(KIND, clustered ? CLUSTERED : SCATTERED, rows);
    }

    @Override
    public List<Column> columns()
    {
        return IntStream.rangeClosed(0, PAYLOAD)
                .mapToObj(index -> new Column(index == 0 ? "key" : "payload" + index, BIGINT))
                .collect(toImmutableList());
    }

    @Override
    public Iterator<Page> pages()
    {
        ImmutableList.Builder<ValueGenerator> generators = ImmutableList.<ValueGenerator>builder()
                .add((builder, row) -> BIGINT.writeLong(builder, key(row)));
        for (int index = 1; index <= PAYLOAD; index++) {
            SplittableRandom random = new SplittableRandom(index);
            long bound = (long) Math.pow(100, index);
            generators.add((builder, _) -> BIGINT.writeLong(builder, random.nextLong(bound)));
        }
        return new GeneratedPages(columns(), generators.build(), rows);
    }

    private long key(int row)
    {
        return clustered ? row : row * STRIDE % rows;
    }

    /**
     * Returns a predicate that keeps a part of the rows, with keys from the middle of the range.
     *
     * @param fraction fraction of the rows from 0 to 1; at least one row is kept
     */
    public TupleDomain<Integer> predicate(double fraction)
    {
        long count = Math.clamp(Math.round(rows * fraction), 1, rows);
        long low = (rows - count) / 2;
        return TupleDomain.withColumnDomains(ImmutableMap.of(
                0, Domain.create(ValueSet.ofRanges(Range.range(BIGINT, low, true, low + count - 1, true)), false)));
    }
}
