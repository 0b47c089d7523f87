package io.albis.format.metadata;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.DynamicSliceOutput;
import io.airlift.slice.Slice;
import io.airlift.slice.SliceInput;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.format.statistics.ValueOrder;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.function.Supplier;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The decoder accepts and rejects the same bytes as {@link RowGroupCodec}.
 */
final class TestRowGroupsDecoder
{
    private final long seed = new Random().nextLong();
    private final Random random = new Random(seed);

    @Test
    void testRoundTrip()
    {
        for (int i = 0; i < 500; i++) {
            RowGroup rowGroup = randomRowGroup();
            Slice bytes = encode(rowGroup);
            RowGroup lazy = new RowGroupsDecoder(bytes, bytes.getInput()).read();
            assertThat(lazy).as("seed %s", seed).isEqualTo(rowGroup).isEqualTo(RowGroupCodec.read(bytes.getInput()));
            assertThat(rowGroup).isEqualTo(lazy).hasSameHashCodeAs(lazy);
            assertThat(encode(lazy)).isEqualTo(bytes);
            for (int columnId = -1; columnId < 12; columnId++) {
                assertThat(lazy.statistics(columnId)).as("seed %s", seed).isEqualTo(rowGroup.statistics(columnId));
            }
            for (int index = 0; index < rowGroup.statistics().size(); index++) {
                assertThat(lazy.statistics().get(index)).isEqualTo(rowGroup.statistics().get(index));
            }
            assertThat(lazy.withStatistics(ImmutableList.of())).isEqualTo(rowGroup.withStatistics(ImmutableList.of()));
        }
    }

    @Test
    void testSeveral()
    {
        DynamicSliceOutput output = new DynamicSliceOutput(64);
        output.writeInt(7);
        List<RowGroup> expected = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            expected.add(randomRowGroup());
            RowGroupCodec.write(expected.getLast(), output);
        }
        Slice bytes = output.slice();
        SliceInput input = bytes.getInput();
        input.readInt();
        RowGroupsDecoder decoder = new RowGroupsDecoder(bytes, input);
        List<RowGroup> actual = new ArrayList<>();
        expected.forEach(_ -> actual.add(decoder.read()));
        assertThat(actual).as("seed %s", seed).isEqualTo(expected);
        assertThat(input.isReadable()).isFalse();
    }

    @Test
    void testNullCounts()
    {
        for (long rows : new long[] {1, 2, 1000, Long.MAX_VALUE - 1}) {
            for (long nullCount : new long[] {0, rows - 1, rows}) {
                Slice bytes = encode(allNull(rows, nullCount));
                assertThat(RowGroupCodec.read(bytes.getInput()).statistics(1).orElseThrow().nullCount()).isEqualTo(nullCount);
                assertThat(new RowGroupsDecoder(bytes, bytes.getInput()).read().statistics(1).orElseThrow().nullCount()).isEqualTo(nullCount);
            }
            Slice bytes = encode(allNull(rows, rows + 1));
            assertThat(tryRead(() -> RowGroupCodec.read(bytes.getInput()))).isEmpty();
            assertThat(tryRead(() -> new RowGroupsDecoder(bytes, bytes.getInput()).read())).isEmpty();
        }
    }

    private RowGroup allNull(long rows, long nullCount)
    {
        return new RowGroup(randomId(), rows, ImmutableList.of(), ImmutableList.of(new ColumnStatistics(1, nullCount, ValueOrder.UNORDERED, Optional.empty(), Optional.empty())));
    }

    @Test
    void testDamage()
    {
        int accepted = 0;
        for (int i = 0; i < 5_000; i++) {
            Slice bytes = encode(randomRowGroup());
            Slice damaged = bytes.copy(0, random.nextBoolean() ? bytes.length() : random.nextInt(bytes.length()));
            if (damaged.length() > 0) {
                int position = random.nextInt(damaged.length());
                damaged.setByte(position, damaged.getByte(position) ^ (1 << random.nextInt(8)));
            }
            Optional<RowGroup> expected = tryRead(() -> RowGroupCodec.read(damaged.getInput()));
            Optional<RowGroup> actual = tryRead(() -> new RowGroupsDecoder(damaged, damaged.getInput()).read());
            assertThat(actual).as("seed %s", seed).isEqualTo(expected);
            accepted += actual.isPresent() ? 1 : 0;
        }
        // of ids, bounds and the like
        assertThat(accepted).as("seed %s", seed).isBetween(100, 4_900);
    }

    private static Optional<RowGroup> tryRead(Supplier<RowGroup> read)
    {
        try {
            return Optional.of(read.get());
        }
        catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            return Optional.empty();
        }
    }

    private static Slice encode(RowGroup rowGroup)
    {
        DynamicSliceOutput output = new DynamicSliceOutput(64);
        RowGroupCodec.write(rowGroup, output);
        return output.slice();
    }

    private RowGroup randomRowGroup()
    {
        long rows = random.nextInt(4) == 0 ? 1 : 1 + random.nextLong(2000);
        ImmutableList.Builder<ColumnGroupInstance> columnGroups = ImmutableList.builder();
        for (int i = random.nextInt(3); i >= 0; i--) {
            columnGroups.add(new ColumnGroupInstance(randomId(), ImmutableList.of(i, 1000 + i), random.nextLong(1 << 30), random.nextInt(1 << 20)));
        }
        ImmutableList.Builder<ColumnStatistics> statistics = ImmutableList.builder();
        int count = random.nextInt(6);
        for (int i = 0; i < count; i++) {
            statistics.add(new ColumnStatistics(2 * i, random.nextLong(rows + 1), ValueOrder.values()[random.nextInt(4)], randomBound(), randomBound()));
        }
        return new RowGroup(randomId(), rows, columnGroups.build(), statistics.build());
    }

    private Optional<byte[]> randomBound()
    {
        if (random.nextInt(3) == 0) {
            return Optional.empty();
        }
        byte[] bound = new byte[random.nextInt(20) == 0 ? 40_000 : random.nextInt(20)];
        random.nextBytes(bound);
        return Optional.of(bound);
    }

    private UUID randomId()
    {
        return new UUID(random.nextLong(), random.nextLong());
    }
}
