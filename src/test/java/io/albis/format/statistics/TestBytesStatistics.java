package io.albis.format.statistics;

import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.type.BytesBounds;
import io.trino.spi.block.VariableWidthBlock;
import io.trino.spi.block.VariableWidthBlockBuilder;
import io.trino.spi.type.CharType;
import io.trino.spi.type.Chars;
import io.trino.spi.type.Type;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;

import static io.trino.spi.type.CharType.createCharType;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares bounds and orders of random values with those of the untruncated values. Most values differ near the byte at
 * which bounds are truncated.
 */
final class TestBytesStatistics
{
    private static final byte[] LAST_BYTES = {0, '\t', ' ', 'a', 'b', (byte) 0xFF};

    @Test
    void testVarchar()
    {
        assertStatistics(VARCHAR, Comparator.naturalOrder());
    }

    @Test
    void testChar()
    {
        assertStatistics(createCharType(100), Chars::compareChars);
    }

    private static void assertStatistics(Type type, Comparator<Slice> comparator)
    {
        long firstSeed = new Random().nextLong();
        for (long seed = firstSeed; seed < firstSeed + 5000; seed++) {
            Random random = new Random(seed);
            List<Slice> values = values(random, type instanceof CharType);
            if (random.nextInt(3) == 0) {
                values.sort(random.nextBoolean() ? comparator : comparator.reversed());
            }
            AlbisColumn column = AlbisColumn.make(1, "text", type);
            ColumnStatistics expected = expected(values, comparator, type instanceof CharType);
            assertThat(collect(column, values, random)).as("seed %s, values %s", seed, values).isEqualTo(expected);
        }
    }

    private static List<Slice> values(Random random, boolean padded)
    {
        byte fill = LAST_BYTES[random.nextInt(LAST_BYTES.length)];
        List<Slice> values = new ArrayList<>();
        int count = 1 + random.nextInt(6);
        for (int i = 0; i < count; i++) {
            Slice value = Slices.allocate(random.nextInt(10) == 0 ? random.nextInt(4) : BytesBounds.MAX_LENGTH - 2 + random.nextInt(6));
            value.fill(fill);
            for (int at = Math.max(0, value.length() - 4); at < value.length(); at++) {
                if (random.nextInt(3) == 0) {
                    value.setByte(at, LAST_BYTES[random.nextInt(LAST_BYTES.length)]);
                }
            }
            int length = value.length();
            while (padded && length > 0 && value.getByte(length - 1) == ' ') {
                length--;
            }
            values.add(value.slice(0, length));
        }
        return values;
    }

    /**
     * Collects statistics of pages that are overwritten as soon as they are released.
     */
    private static ColumnStatistics collect(AlbisColumn column, List<Slice> values, Random random)
    {
        StatisticsCollector collector = StatisticsCollector.create(column, new KeyScratch());
        int next = 0;
        while (next < values.size()) {
            int rows = 1 + random.nextInt(values.size() - next);
            VariableWidthBlockBuilder builder = new VariableWidthBlockBuilder(null, rows, 0);
            values.subList(next, next + rows).forEach(builder::writeEntry);
            VariableWidthBlock page = (VariableWidthBlock) builder.build();
            int split = random.nextInt(rows + 1);
            collector.append(page, 0, split);
            collector.append(page, split, rows - split);
            collector.releasePage();
            page.getRawSlice().fill((byte) '#');
            next += rows;
        }
        return collector.finish();
    }

    private static ColumnStatistics expected(List<Slice> values, Comparator<Slice> comparator, boolean padded)
    {
        OrderTracker order = new OrderTracker();
        for (int i = 1; i < values.size(); i++) {
            order.next(comparator.compare(values.get(i), values.get(i - 1)));
        }
        Slice min = values.stream().min(comparator).orElseThrow();
        Slice max = values.stream().max(comparator).orElseThrow();
        if (padded) {
            return new ColumnStatistics(1, 0, order.order(), BytesBounds.exact(min), BytesBounds.exact(max));
        }
        return new ColumnStatistics(1, 0, order.order(), Optional.of(BytesBounds.lower(min)), BytesBounds.upper(max));
    }
}
