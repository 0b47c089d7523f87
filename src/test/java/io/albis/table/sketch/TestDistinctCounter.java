package io.albis.table.sketch;

import io.airlift.stats.cardinality.HyperLogLog;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.Random;

import static io.albis.table.sketch.ColumnSketch.BUCKETS;
import static org.assertj.core.api.Assertions.assertThat;

class TestDistinctCounter
{
    /**
     * The counter gives the same result as the library's HyperLogLog, only faster.
     */
    @Test
    void testSameAsLibrary()
    {
        long seed = new Random().nextLong();
        System.out.println("Hashes by seed " + seed);
        Random random = new Random(seed);
        for (int count : new int[] {0, 1, 2, 100, 255, 256, 257, 258, 1000, 5000, 100_000, 1_000_000}) {
            DistinctCounter counter = new DistinctCounter();
            HyperLogLog expected = HyperLogLog.newInstance(BUCKETS);
            long[] hashes = random.longs(count).toArray();
            for (int start = 0; start < count; ) {
                long[] batch = Arrays.copyOfRange(hashes, start, Math.min(count, start + 1 + random.nextInt(500)));
                counter.add(batch, batch.length);
                counter.add(batch, random.nextInt(batch.length + 1));
                start += batch.length;
            }
            for (long hash : hashes) {
                expected.addHash(hash);
            }
            HyperLogLog actual = counter.finish();
            if (count < 250) {
                assertThat(actual.serialize()).isEqualTo(expected.serialize());
            }
            HyperLogLogFormat.check(actual.serialize());
            actual.makeDense();
            expected.makeDense();
            assertThat(actual.serialize()).as("%s values", count).isEqualTo(expected.serialize());
            HyperLogLogFormat.check(actual.serialize());
        }
    }

    @Test
    void testEveryRegister()
    {
        for (int zeros = 0; zeros <= 64; zeros++) {
            long rest = zeros == 64 ? 0 : Long.MIN_VALUE >>> zeros;
            // More values than the sparse set holds
            long[] hashes = new long[BUCKETS / 7];
            HyperLogLog expected = HyperLogLog.newInstance(BUCKETS);
            for (int i = 0; i < hashes.length; i++) {
                hashes[i] = ((long) (7 * i) << 53) | (rest >>> 11);
                expected.addHash(hashes[i]);
            }
            DistinctCounter counter = new DistinctCounter();
            counter.add(hashes, hashes.length);
            assertThat(counter.finish().serialize()).isEqualTo(expected.serialize());
        }
    }
}
