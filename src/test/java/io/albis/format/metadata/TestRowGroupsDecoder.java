package io.albis.format.metadata;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.DynamicSliceOutput;
import io.airlift.slice.Slice;
import io.airlift.slice.SliceInput;
import io.albis.format.io.AlbisDataException;
import io.albis.format.io.FileFrame;
import io.albis.format.io.FileKind;
import io.albis.format.io.TooNewException;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.format.statistics.ValueOrder;
import io.albis.format.type.FieldIds;
import io.trino.filesystem.Location;
import io.trino.spi.predicate.Domain;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.function.Supplier;

import static io.airlift.slice.SizeOf.instanceSize;
import static io.trino.spi.predicate.TupleDomain.withColumnDomains;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static io.trino.spi.type.IntegerType.INTEGER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
            RowGroup lazy = decode(bytes);
            assertThat(lazy).as("seed %s", seed).isEqualTo(rowGroup).isEqualTo(RowGroupCodec.read(bytes.getInput()));
            assertThat(rowGroup).isEqualTo(lazy).hasSameHashCodeAs(lazy);
            assertThat(encode(lazy)).isEqualTo(bytes);
            for (int columnId = -1; columnId < 12; columnId++) {
                assertThat(lazy.statistics(columnId)).as("seed %s", seed).isEqualTo(rowGroup.statistics(columnId));
            }
            for (int index = 0; index < rowGroup.statistics().size(); index++) {
                assertThat(lazy.statistics().get(index)).isEqualTo(rowGroup.statistics().get(index));
            }
            for (int columnId = 0; columnId < 4; columnId++) {
                for (List<Integer> path : rowGroup.fieldBounds().paths()) {
                    AlbisColumn field = new AlbisColumn(columnId, "field", BIGINT, Optional.empty(), FieldIds.NONE, path);
                    assertThat(lazy.statistics(field)).as("seed %s", seed).isEqualTo(rowGroup.statistics(field));
                }
            }
            assertThat(lazy.withStatistics(ImmutableList.of())).isEqualTo(rowGroup.withStatistics(ImmutableList.of()));
        }
    }

    @Test
    void testSeveral()
    {
        TypeNames types = new TypeNames();
        DynamicSliceOutput entries = new DynamicSliceOutput(64);
        List<RowGroup> expected = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            expected.add(randomRowGroup());
            RowGroupCodec.writeEntry(expected.getLast(), types, entries);
        }
        DynamicSliceOutput output = new DynamicSliceOutput(64);
        output.writeInt(7);
        types.write(output);
        assertThat(types.length()).isEqualTo(output.size() - Integer.BYTES);
        output.writeBytes(entries.slice());
        SliceInput input = output.slice().getInput();
        input.readInt();
        RowGroupsDecoder decoder = new RowGroupsDecoder(input, TypeNames.read(input));
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
                assertThat(decode(bytes).statistics(1).orElseThrow().nullCount()).isEqualTo(nullCount);
            }
            Slice bytes = encode(allNull(rows, rows + 1));
            assertThat(tryRead(() -> RowGroupCodec.read(bytes.getInput()))).isEmpty();
            assertThat(tryRead(() -> decode(bytes))).isEmpty();
        }
    }

    /**
     * A newer writer may add bytes at the end of an entry.
     */
    @Test
    void testMoreBytes()
    {
        for (int more = 1; more < 20; more++) {
            RowGroup rowGroup = randomRowGroup();
            TypeNames types = new TypeNames();
            DynamicSliceOutput entry = new DynamicSliceOutput(64);
            RowGroupCodec.writeEntry(rowGroup, types, entry);
            if (rowGroup.fieldBounds().isEmpty()) {
                if (rowGroup.partition().isEmpty()) {
                    // the number of the values of the partition
                    entry.writeInt(0);
                }
                // the number of fields
                entry.writeInt(0);
            }
            DynamicSliceOutput output = new DynamicSliceOutput(64);
            types.write(output);
            output.writeInt(entry.size() - Integer.BYTES + more);
            output.writeBytes(entry.slice().slice(Integer.BYTES, entry.size() - Integer.BYTES));
            output.writeBytes(new byte[more]);
            output.writeInt(4711);
            SliceInput input = output.slice().getInput();
            assertThat(new RowGroupsDecoder(input, TypeNames.read(input)).read()).as("seed %s", seed).isEqualTo(rowGroup);
            assertThat(input.readInt()).isEqualTo(4711);
            input = output.slice().getInput();
            assertThat(RowGroupCodec.read(input)).as("seed %s", seed).isEqualTo(rowGroup);
            assertThat(input.readInt()).isEqualTo(4711);
        }
    }

    @Test
    void testDamagedPartition()
    {
        RowGroup rowGroup = allNull(10, 10).withPartition(ImmutableList.of(new PartitionValue(1, 5, 16, Optional.of(new byte[] {1, 2, 3})), new PartitionValue(1, 200, 0, Optional.empty())));
        Slice message = encode(rowGroup);
        assertThat(RowGroupCodec.read(message.getInput())).isEqualTo(rowGroup);
        assertThat(decode(message)).isEqualTo(rowGroup);
        // a value of 3 bytes and a null
        int count = message.length() - 4 - (4 + 1 + 4 + 1 + 4 + 3) - (4 + 1 + 4 + 1);
        int length = count + 4 + 4 + 1 + 4 + 1;
        for (int bad : new int[] {-1, 100, Integer.MAX_VALUE}) {
            assertDamaged(withInt(message, count, bad), "values of a partition do not fit into the remaining");
            assertDamaged(withInt(message, length, bad), "the value of a partition with %s bytes".formatted(bad));
        }
        assertDamaged(withInt(message, count + 4, 0), "columnId is not positive: 0");
        assertDamaged(withInt(message, count + 4 + 4 + 1, -1), "parameter is negative: -1");
        assertDamaged(with(message, length - 1, 2), "unknown form of the value of a partition: 2");
        // two values of a function would contradict each other
        PartitionValue value = new PartitionValue(3, 5, 16, Optional.of(new byte[8]));
        PartitionValue other = new PartitionValue(3, 5, 16, Optional.empty());
        assertDamaged(encode(rowGroup.withPartition(ImmutableList.of(value, new PartitionValue(3, 5, 8, Optional.empty()), other))), "the partition has two values of the same function of column 3");
    }

    @Test
    void testDamagedFieldBounds()
    {
        FieldBounds.Builder bounds = new FieldBounds.Builder();
        bounds.add(ImmutableList.of(5, 7), new ColumnStatistics(1, 3, ValueOrder.UNORDERED, Optional.empty(), Optional.empty()));
        RowGroup rowGroup = allNull(10, 10).withFieldBounds(bounds.build());
        Slice message = encode(rowGroup);
        assertThat(RowGroupCodec.read(message.getInput())).isEqualTo(rowGroup);
        assertThat(decode(message)).isEqualTo(rowGroup);
        int path = message.length() - 2 - 2 * 4;
        for (int bad : new int[] {0, 3, 0xFFFF}) {
            Slice damaged = message.copy();
            damaged.setShort(path, bad);
            assertDamaged(damaged, "the path of a field with %s ids".formatted(bad));
        }
        int count = path - 2 - (4 + 8 + 1 + 1) - 4;
        for (int bad : new int[] {-1, 100, Integer.MAX_VALUE}) {
            assertDamaged(withInt(message, count, bad), "%s elements do not fit into the remaining".formatted(bad));
        }
        assertDamaged(withInt(message, count + 4 + 4, 11), "column 1 of a row group with 10 rows has 11 nulls");
    }

    private static Slice withInt(Slice bytes, int offset, int value)
    {
        Slice changed = bytes.copy();
        changed.setInt(offset, value);
        return changed;
    }

    /**
     * A newer writer may use codes that this reader does not know.
     */
    @Test
    void testUnknownCodes()
    {
        RowGroup rowGroup = allNull(10, 10);
        Slice message = encode(rowGroup);
        Slice file = RowsFile.encode(rowGroup.id(), ImmutableList.of(rowGroup));
        // after the number of types, the length, the id, the version, the rows, and the live rows
        int deleted = 2 + 4 + 16 + 3 * 8;
        // after the form of the deleted rows, no column groups, one column, its id, and the number of its nulls
        int order = deleted + 1 + 4 + 4 + 4 + 8;
        // the header, the features, and the number of row groups, which the message does not have
        int frame = 32 + 8 + 4;
        for (int code : new int[] {4, 100, 255}) {
            Slice unknownForm = with(message, deleted, code);
            assertTooNew(() -> RowGroupCodec.read(unknownForm.getInput()), "unknown form of deleted rows: " + code);
            assertTooNew(() -> decode(unknownForm), "unknown form of deleted rows: " + code);
            assertTooNew(rowGroup.id(), with(file, frame + deleted, code), "unknown form of deleted rows: " + code);

            Slice unknownFlags = with(message, order + 1, code);
            assertTooNew(() -> RowGroupCodec.read(unknownFlags.getInput()), "unknown flags %s of bounds".formatted(code));
            assertTooNew(() -> decode(unknownFlags), "unknown flags %s of bounds".formatted(code));
            assertTooNew(rowGroup.id(), with(file, frame + order + 1, code), "unknown flags %s of bounds".formatted(code));

            Slice unknownOrder = with(message, order, code);
            assertThat(RowGroupCodec.read(unknownOrder.getInput())).isEqualTo(rowGroup);
            assertThat(decode(unknownOrder)).isEqualTo(rowGroup);
        }
    }

    @Test
    void testLimits()
    {
        RowGroup rowGroup = new RowGroup(randomId(), 10, ImmutableList.of(new ColumnGroupInstance(randomId(), ImmutableList.of(1), 100, 100)), ImmutableList.of());
        Slice message = encode(rowGroup);
        // after the number of types, the length, and the id
        int version = 2 + 4 + 16;
        Slice noRows = message.copy();
        noRows.setLong(version + 8, 0);
        noRows.setLong(version + 16, 0);
        assertDamaged(noRows, "0 of 0 rows");
        Slice negativeVersion = message.copy();
        negativeVersion.setLong(version, -1);
        assertDamaged(negativeVersion, "is negative: -1");
        // after the live rows, the form of the deleted rows, one column group, its id, and its sizes
        Slice noColumns = message.copy();
        noColumns.setInt(version + 24 + 1 + 4 + 16 + 8 + 4, 0);
        assertDamaged(noColumns, "columnIds is empty");
    }

    private static void assertDamaged(Slice message, String expected)
    {
        for (ThrowingCallable read : ImmutableList.<ThrowingCallable>of(() -> RowGroupCodec.read(message.getInput()), () -> decode(message))) {
            assertThatThrownBy(read)
                    .isInstanceOf(IllegalArgumentException.class)
                    .isNotInstanceOf(TooNewException.class)
                    .hasMessageContaining(expected);
        }
    }

    private static void assertTooNew(ThrowingCallable read, String message)
    {
        assertThatThrownBy(read).isInstanceOf(TooNewException.class).hasMessageContaining(message);
    }

    private static void assertTooNew(UUID id, Slice file, String message)
    {
        Location location = Location.of("memory:///rows");
        Slice framed = FileFrame.frame(FileKind.ROWS, id, file.slice(FileFrame.HEADER_SIZE, file.length() - FileFrame.frameSize()));
        assertThatThrownBy(() -> RowsFile.decode(location, id, framed))
                .isInstanceOfSatisfying(AlbisDataException.class, e -> assertThat(e.reason()).isEqualTo(AlbisDataException.Reason.TOO_NEW))
                .hasMessageContaining(location.toString())
                .hasMessageContaining(message);
    }

    private static Slice with(Slice bytes, int index, int value)
    {
        Slice changed = bytes.copy();
        changed.setByte(index, value);
        return changed;
    }

    /**
     * Bounds of a narrower type than that of the column are converted, and those of any other type are not used.
     */
    @Test
    void testBoundsOfAnotherType()
    {
        byte[] five = new byte[] {5, 0, 0, 0};
        RowGroup rowGroup = new RowGroup(randomId(), 10, ImmutableList.of(), ImmutableList.of(
                new ColumnStatistics(1, 1, ValueOrder.CONSTANT, Optional.of(five), Optional.of(five), Optional.of("integer"))));
        RowGroup read = decode(encode(rowGroup));
        assertThat(read.statistics(1).orElseThrow().boundsType()).contains("integer");
        assertThat(StatisticsDomains.overlaps(read, withColumnDomains(Map.of(AlbisColumn.make(1, "a", INTEGER), Domain.singleValue(INTEGER, 4L))))).isFalse();
        assertThat(StatisticsDomains.overlaps(read, withColumnDomains(Map.of(AlbisColumn.make(1, "a", BIGINT), Domain.singleValue(BIGINT, 4L))))).isFalse();
        assertThat(StatisticsDomains.overlaps(read, withColumnDomains(Map.of(AlbisColumn.make(1, "a", BIGINT), Domain.singleValue(BIGINT, 5L))))).isTrue();
        assertThat(StatisticsDomains.overlaps(read, withColumnDomains(Map.of(AlbisColumn.make(1, "a", DOUBLE), Domain.singleValue(DOUBLE, 4.0))))).isTrue();
        assertThat(StatisticsDomains.toDomain(read.statistics(1).orElseThrow(), DOUBLE, 10)).isEqualTo(Domain.all(DOUBLE));
        assertThatThrownBy(() -> encode(new RowGroup(randomId(), 10, ImmutableList.of(), ImmutableList.of(
                new ColumnStatistics(1, 1, ValueOrder.CONSTANT, Optional.of(five), Optional.of(five))))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the bounds of column 1 have no type");
    }

    @Test
    void testDeletedRows()
            throws IOException
    {
        DeletedRows deletedRows = new DeletedRows(randomId(), 5_000_000_000L, 100, -7, 3);
        RowGroup rowGroup = new RowGroup(randomId(), 10, ImmutableList.of(), ImmutableList.of(), 7, Optional.of(deletedRows));
        RowGroup read = decode(encode(rowGroup));
        assertThat(read).isEqualTo(rowGroup);
        assertThat(read.liveRows()).isEqualTo(7);
        assertThat(RowsFile.decode(Location.of("memory:///rows"), rowGroup.id(), RowsFile.encode(rowGroup.id(), ImmutableList.of(rowGroup)))).containsExactly(rowGroup);
        assertThat(new RowGroup(rowGroup.id(), 10, ImmutableList.of(), ImmutableList.of()).addedBy(7).withDeletedRows(deletedRows)).isEqualTo(rowGroup);
    }

    @Test
    void testMemoryOfDeletedRows()
    {
        RowGroup rowGroup = new RowGroup(randomId(), 10, ImmutableList.of(), ImmutableList.of());
        RowGroup changed = rowGroup.withDeletedRows(new DeletedRows(randomId(), 32, 100, 7, 3));
        assertThat(retainedSize(changed) - retainedSize(rowGroup)).isEqualTo(instanceSize(DeletedRows.class) + instanceSize(UUID.class) + instanceSize(Optional.class));
    }

    private static long retainedSize(RowGroup rowGroup)
    {
        SliceInput input = encode(rowGroup).getInput();
        RowGroupsDecoder decoder = new RowGroupsDecoder(input, TypeNames.read(input));
        decoder.read();
        return decoder.retainedSize();
    }

    /**
     * The positions of deleted rows have 31 bits.
     */
    @Test
    void testTooManyRowsForDeletedRows()
    {
        for (long rows : new long[] {Integer.MAX_VALUE, Integer.MAX_VALUE + 1L, 1L << 40}) {
            Optional<DeletedRows> deletedRows = Optional.of(new DeletedRows(randomId(), 32, 100, 0, 3));
            // the rows have the same number of bytes before and after
            Slice bytes = encode(new RowGroup(randomId(), 10, ImmutableList.of(), ImmutableList.of(), 7, deletedRows)).copy();
            int rowsOffset = Short.BYTES + Integer.BYTES + 16 + Long.BYTES;
            bytes.setLong(rowsOffset, rows);
            bytes.setLong(rowsOffset + Long.BYTES, rows - 3);
            if (rows <= Integer.MAX_VALUE) {
                assertThat(decode(bytes).liveRows()).isEqualTo(rows - 3);
            }
            else {
                assertThatThrownBy(() -> decode(bytes))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage("a row group with deleted rows has %s rows, but at most 2147483647 are allowed".formatted(rows));
            }
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
            Optional<RowGroup> actual = tryRead(() -> decode(damaged));
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

    private static RowGroup decode(Slice bytes)
    {
        SliceInput input = bytes.getInput();
        return new RowGroupsDecoder(input, TypeNames.read(input)).read();
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
            List<Integer> supersededIds = random.nextInt(3) == 0 ? ImmutableList.of(2000 + i, 3000 + i) : ImmutableList.of();
            columnGroups.add(new ColumnGroupInstance(randomId(), ImmutableList.of(i, 1000 + i), supersededIds, random.nextLong(1 << 30), random.nextInt(1 << 20)));
        }
        ImmutableList.Builder<ColumnStatistics> statistics = ImmutableList.builder();
        int count = random.nextInt(6);
        for (int i = 0; i < count; i++) {
            statistics.add(new ColumnStatistics(2 * i, random.nextLong(rows + 1), ValueOrder.values()[random.nextInt(4)], randomBound(), randomBound())
                    .withBoundsType("type" + random.nextInt(3)));
        }
        Optional<DeletedRows> deletedRows = random.nextInt(4) == 0 ? Optional.of(new DeletedRows(randomId(), 32 + random.nextLong(1 << 20), 1 + random.nextInt(1000), random.nextInt(), 1 + random.nextLong(rows))) : Optional.empty();
        return new RowGroup(randomId(), rows, columnGroups.build(), statistics.build(), randomFieldBounds(rows), random.nextInt(3), deletedRows, randomPartition());
    }

    private FieldBounds randomFieldBounds(long rows)
    {
        FieldBounds.Builder bounds = new FieldBounds.Builder();
        for (int i = random.nextInt(5) - 1; i > 0; i--) {
            bounds.add(
                    random.ints(1 + random.nextInt(3), 1, 4).boxed().toList(),
                    new ColumnStatistics(random.nextInt(4), random.nextLong(rows + 1), ValueOrder.values()[random.nextInt(4)], randomBound(), randomBound()).withBoundsType("type" + random.nextInt(3)));
        }
        return bounds.build();
    }

    private List<PartitionValue> randomPartition()
    {
        ImmutableList.Builder<PartitionValue> partition = ImmutableList.builder();
        for (int i = random.nextInt(3); i > 0; i--) {
            partition.add(new PartitionValue(i, random.nextInt(256), random.nextInt(100), randomBound()));
        }
        return partition.build();
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
