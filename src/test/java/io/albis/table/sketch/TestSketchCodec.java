package io.albis.table.sketch;

import com.google.common.collect.ImmutableList;
import com.sun.management.ThreadMXBean;
import io.airlift.slice.DynamicSliceOutput;
import io.airlift.slice.Slice;
import io.airlift.slice.SliceInput;
import io.airlift.slice.Slices;
import io.airlift.stats.cardinality.HyperLogLog;
import io.albis.format.schema.AlbisColumn;
import io.trino.spi.Page;
import io.trino.spi.block.BlockBuilder;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import static io.albis.format.DocumentedDump.documented;
import static io.albis.format.DocumentedDump.dump;
import static io.albis.format.DocumentedDump.parse;
import static io.albis.table.sketch.ColumnSketch.BUCKETS;
import static io.trino.spi.type.BigintType.BIGINT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

class TestSketchCodec
{
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @Test
    void testRoundTrip()
    {
        assertThat(SketchCodec.read(encode(ColumnSketches.NONE).getInput())).isEqualTo(ColumnSketches.NONE);
        for (ColumnSketches sketches : samples()) {
            ColumnSketches read = SketchCodec.read(encode(sketches).getInput());
            assertThat(read.columns().keySet()).isEqualTo(sketches.columns().keySet());
            sketches.columns().forEach((columnId, sketch) -> {
                ColumnSketch actual = read.get(columnId).orElseThrow();
                assertThat(actual.values()).isEqualTo(sketch.values());
                assertThat(actual.bytes()).isEqualTo(sketch.bytes());
                if (sketch.distinct().length() <= 72) {
                    assertThat(actual).isEqualTo(sketch);
                }
                assertThat(dense(actual)).isEqualTo(dense(sketch));
                // Nothing is lost from then on
                assertThat(SketchCodec.read(encode(read).getInput())).isEqualTo(read);
            });
        }
    }

    /**
     * Tests the example of short buckets in docs/format.md.
     */
    @Test
    void testExample()
            throws IOException
    {
        PageSketcher sketcher = new PageSketcher(ImmutableList.of(AlbisColumn.make(1, "n", BIGINT)));
        BlockBuilder values = BIGINT.createBlockBuilder(null, 20);
        for (int value = 1; value <= 20; value++) {
            BIGINT.writeLong(values, value);
        }
        sketcher.append(new Page(values.build()));
        assertThat(dump(encode(sketcher.finish()).getBytes())).isEqualTo(documented("sketches"));

        ColumnSketch sketch = SketchCodec.read(Slices.wrappedBuffer(parse(documented("sketches"))).getInput()).get(1).orElseThrow();
        assertThat(sketch.values()).isEqualTo(20);
        assertThat(sketch.distinctValues()).isEqualTo(20);
    }

    /**
     * An INSERT of a few rows writes few bytes, and the estimates stay as exact as the sketches are.
     */
    @Test
    void testLengths()
    {
        long seed = new Random().nextLong();
        System.out.println("Short sketches by seed " + seed);
        Random random = new Random(seed);
        for (int values : new int[] {0, 1, 2, 10, 24, 25, 50, 70, 100, 200, 256, 257, 500, 1000, 2000, 5000, 100_000}) {
            HyperLogLog distinct = HyperLogLog.newInstance(BUCKETS);
            for (int i = 0; i < values; i++) {
                distinct.addHash(random.nextLong());
            }
            ColumnSketch sketch = new ColumnSketch(1, values, 0, distinct.serialize());
            ColumnSketches sketches = ColumnSketches.of(ImmutableList.of(sketch));
            int length = encode(sketches).length();
            System.out.printf("%s distinct values: %s bytes, %s before%n", values, length, 26 + sketch.distinct().length());
            assertThat(length).as("seed %s, %s values", seed, values).isLessThanOrEqualTo(Math.min(26 + sketch.distinct().length(), 90 + (int) (1.2 * values)));
            ColumnSketch read = SketchCodec.read(encode(sketches).getInput()).get(1).orElseThrow();
            assertThat((double) read.distinctValues()).as("seed %s, %s values", seed, values).isBetween(values * 0.85 - 1, values * 1.15 + 1);
        }
    }

    /**
     * A manifest with very many sketches, whether crafted or of a wide table, takes little more memory than its file.
     */
    @Test
    void testMemoryOfManySketches()
    {
        int count = 100_000;
        DynamicSliceOutput output = new DynamicSliceOutput(count * 27);
        output.writeInt(count);
        for (int columnId = 0; columnId < count; columnId++) {
            output.writeInt(columnId);
            output.writeLong(1);
            output.writeLong(0);
            output.writeShort(3);
            // The first bucket has the value 1
            output.writeBytes(new byte[] {4, 11, 1});
        }
        Slice bytes = output.slice();
        long before = THREADS.getCurrentThreadAllocatedBytes();
        ColumnSketches sketches = SketchCodec.read(bytes.getInput());
        long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
        System.out.printf("%s bytes of sketches: %s bytes allocated, %s bytes retained%n", bytes.length(), allocated, sketches.retainedSize());
        assertThat(sketches.get(1).orElseThrow().distinctValues()).isEqualTo(1);
        assertThat(sketches.retainedSize()).isLessThan(10L * bytes.length());
        assertThat(allocated).isLessThan(40L * bytes.length());
        assertThat(encode(sketches)).isEqualTo(bytes);
    }

    /**
     * The sketches of many writers are merged for the manifest, and again when manifests are merged.
     */
    @Test
    void testMergedSketchesStayShort()
    {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        List<ColumnSketch> parts = new ArrayList<>();
        for (int part = 0; part < 4; part++) {
            HyperLogLog distinct = HyperLogLog.newInstance(BUCKETS);
            for (int i = 0; i < 100; i++) {
                distinct.addHash(random.nextLong());
            }
            ColumnSketch sketch = new ColumnSketch(1, 100, 0, distinct.serialize());
            parts.add(SketchCodec.read(encode(ColumnSketches.of(ImmutableList.of(sketch))).getInput()).get(1).orElseThrow());
            assertThat(parts.getLast().distinct().length()).as("seed %s", seed).isLessThan(200);
        }
        ColumnSketch merged = ColumnSketch.merge(parts);
        assertThat(merged.distinct().length()).as("seed %s", seed).isLessThan(600);
        assertThat((double) merged.distinctValues()).as("seed %s", seed).isBetween(350.0, 450.0);
    }

    private static Slice dense(ColumnSketch sketch)
    {
        HyperLogLog distinct = HyperLogLogFormat.toHyperLogLog(sketch.distinct());
        distinct.makeDense();
        return distinct.serialize();
    }

    /**
     * Reading arbitrary bytes either fails with an error or returns a usable sketch.
     */
    @Test
    void testDamage()
    {
        long seed = new Random().nextLong();
        System.out.println("Damaged sketches by seed " + seed);
        Random random = new Random(seed);
        for (ColumnSketches sketches : samples()) {
            byte[] bytes = encode(sketches).getBytes();
            for (int round = 0; round < 500; round++) {
                byte[] damaged = random.nextInt(3) == 0 ? Arrays.copyOf(bytes, random.nextInt(bytes.length + 10)) : bytes.clone();
                for (int i = random.nextInt(4); i > 0 && damaged.length > 0; i--) {
                    // Damage near the beginning has the most effect
                    damaged[random.nextInt(random.nextBoolean() ? damaged.length : Math.min(damaged.length, 40))] = (byte) random.nextInt();
                }
                Throwable failure = catchThrowable(() -> use(SketchCodec.read(Slices.wrappedBuffer(damaged).getInput())));
                if (failure != null) {
                    assertThat(failure).isInstanceOfAny(IllegalArgumentException.class, IndexOutOfBoundsException.class);
                }
            }
        }
    }

    private static void use(ColumnSketches sketches)
    {
        assertThat(ColumnSketches.merge(ImmutableList.of(sketches, sketches)).columns()).hasSameSizeAs(sketches.columns());
        sketches.columns().values().forEach(sketch -> {
            assertThat(sketch.distinctValues()).isBetween(0L, sketch.values());
            sketch(500).mergeWith(HyperLogLogFormat.toHyperLogLog(sketch.distinct()));
        });
    }

    /**
     * A newer writer may store sketches in another form. A reader then does not know the number of distinct values, and
     * reads the sketches of the other columns.
     */
    @Test
    void testUnknownForms()
    {
        byte[] known = sketch(3).serialize().getBytes();
        for (byte[] unknown : List.of(new byte[] {5}, new byte[] {1, 11}, new byte[] {-1, 99, 1, 2, 3}, new byte[] {2, 12}, new byte[] {3, 10, 0}, new byte[] {4, 12, 1})) {
            DynamicSliceOutput output = new DynamicSliceOutput(100);
            output.writeInt(3);
            for (int columnId = 1; columnId <= 3; columnId++) {
                byte[] distinct = columnId == 2 ? unknown : known;
                output.writeInt(columnId);
                output.writeLong(3);
                output.writeLong(0);
                output.writeShort(distinct.length);
                output.writeBytes(distinct);
            }
            SliceInput input = output.slice().getInput();
            ColumnSketches sketches = SketchCodec.read(input);
            assertThat(sketches.columns()).as(Arrays.toString(unknown)).containsOnlyKeys(1, 3);
            assertThat(sketches.get(3).orElseThrow().distinctValues()).isEqualTo(3);
            assertThat(input.isReadable()).isFalse();
        }
    }

    @Test
    void testRefused()
    {
        Slice dense = sketch(10_000).serialize();
        Slice sparse = sketch(3).serialize();
        assertRefused(dense, 0, 5, "kind 5");
        assertRefused(dense, 0, 1, "kind 1");
        assertRefused(dense, 1, 12, "2^12 buckets");
        assertRefused(sparse, 1, 10, "2^10 buckets");
        assertRefused(dense, 2, -1, "baseline");
        assertRefused(dense, 2, 60, "baseline");
        assertRefused(sparse, 2, 4, "entries");
        assertRefused(sparse, 3, 0x80, "entries");
        assertRefused(sparse, 7, 0xFF, "not in order");
        Slice shortForm = ShortRegisters.shorten(sketch(100).serialize());
        assertRefused(shortForm, 1, 12, "2^12 buckets");
        assertRefused(shortForm, 2, 0, "the invalid value 0");
        assertThatThrownBy(() -> new ColumnSketch(1, 3, 0, Slices.wrappedBuffer(new byte[] {4, 11, (byte) 0xF9, (byte) 0xFF, (byte) 0xFF})))
                .hasMessageContaining("out of range");
        assertThatThrownBy(() -> new ColumnSketch(1, 3, 0, Slices.wrappedBuffer(new byte[] {4, 11, 7, 55})))
                .hasMessageContaining("the invalid value 55");
        assertThatThrownBy(() -> new ColumnSketch(1, 3, 0, Slices.wrappedBuffer(new byte[] {4, 11, 7})))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> new ColumnSketch(1, -1, 0, sparse)).hasMessageContaining("values is negative");
        assertThatThrownBy(() -> new ColumnSketch(1, 0, -1, sparse)).hasMessageContaining("bytes is negative");
        ColumnSketch sketch = new ColumnSketch(1, 3, 0, sparse);
        assertThatThrownBy(() -> ColumnSketches.of(ImmutableList.of(sketch, sketch))).isInstanceOf(IllegalArgumentException.class);
    }

    private static void assertRefused(Slice sketch, int offset, int value, String message)
    {
        Slice damaged = sketch.copy();
        damaged.setByte(offset, value);
        assertThatThrownBy(() -> new ColumnSketch(1, 3, 0, damaged))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    private static List<ColumnSketches> samples()
    {
        return IntStream.of(0, 1, 5, 250, 300, 3000, 200_000)
                .mapToObj(count -> ColumnSketches.of(ImmutableList.of(
                        new ColumnSketch(7, count, 10L * count, sketch(count).serialize()),
                        new ColumnSketch(3, 0, 0, sketch(0).serialize()))))
                .toList();
    }

    private static HyperLogLog sketch(int count)
    {
        HyperLogLog sketch = HyperLogLog.newInstance(BUCKETS);
        for (int i = 0; i < count; i++) {
            sketch.addHash(HashBatch.mix(i));
        }
        return sketch;
    }

    private static Slice encode(ColumnSketches sketches)
    {
        DynamicSliceOutput output = new DynamicSliceOutput(100);
        SketchCodec.write(sketches, output);
        return output.slice();
    }
}
