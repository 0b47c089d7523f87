package io.albis.format.filter;

import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.block.ValueBlock;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import static com.google.common.util.concurrent.Uninterruptibles.awaitUninterruptibly;
import static io.albis.format.filter.TestedValues.MAX_VALUES;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.BooleanType.BOOLEAN;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static org.assertj.core.api.Assertions.assertThat;

final class TestTestedValues
{
    @Test
    void testOnce()
    {
        List<Object> tested = new ArrayList<>();
        TestedValues values = new TestedValues(VARCHAR, value -> {
            tested.add(value);
            return value == null || ((Slice) value).length() == 1;
        });
        ValueFilter filter = values.newFilter();
        assertThat(tested).isEmpty();
        for (int i = 0; i < 3; i++) {
            int[] selected = new int[5];
            assertThat(filter.select(block("a", "bb", null, "c", "bb"), 5, selected)).isEqualTo(3);
            assertThat(selected).startsWith(0, 2, 3);
            assertThat(filter.selectsNulls()).isTrue();
        }
        assertThat(tested).containsExactly(Slices.utf8Slice("a"), Slices.utf8Slice("bb"), null, Slices.utf8Slice("c"));
    }

    /**
     * A value that is kept does not change with the bytes from which it was read.
     */
    @Test
    void testReusedBytes()
    {
        TestedValues values = new TestedValues(VARCHAR, value -> ((Slice) value).getByte(0) == 'a');
        byte[] bytes = {'a'};
        Slice reused = Slices.wrappedBuffer(bytes);
        assertThat(values.mayMatch(reused)).isTrue();
        bytes[0] = 'b';
        assertThat(values.mayMatch(Slices.wrappedBuffer(bytes))).isFalse();
        assertThat(values.mayMatch(Slices.utf8Slice("a"))).isTrue();
    }

    /**
     * Several threads that need a value at the same time test it once, and it counts once for the limit.
     */
    @Test
    void testSeveralThreads()
            throws InterruptedException
    {
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger tests = new AtomicInteger();
        TestedValues values = new TestedValues(BIGINT, _ -> {
            tests.incrementAndGet();
            awaitUninterruptibly(release);
            return false;
        });
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            threads.add(Thread.ofPlatform().start(() -> values.mayMatchInteger(0)));
        }
        for (Thread thread : threads) {
            // one thread waits in the test, and the others for the first one
            while (thread.getState() != Thread.State.WAITING && thread.getState() != Thread.State.BLOCKED) {
                Thread.onSpinWait();
            }
        }
        release.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(tests).hasValue(1);
        for (long value = 1; value < MAX_VALUES; value++) {
            assertThat(values.isExhausted()).isFalse();
            assertThat(values.mayMatchInteger(value)).isFalse();
        }
        assertThat(values.isExhausted()).isTrue();
        assertThat(values.mayMatchInteger(MAX_VALUES)).isTrue();
        assertThat(tests).hasValue(MAX_VALUES);
    }

    @Test
    void testLimits()
    {
        int[] tests = new int[1];
        TestedValues values = new TestedValues(BIGINT, _ -> {
            tests[0]++;
            return false;
        });
        for (long value = 0; value < 2 * MAX_VALUES; value++) {
            assertThat(values.mayMatchInteger(value)).isEqualTo(value >= MAX_VALUES);
        }
        assertThat(tests[0]).isEqualTo(MAX_VALUES);
        assertThat(values.mayMatchInteger(5)).isFalse();

        TestedValues texts = new TestedValues(VARCHAR, _ -> false);
        assertThat(texts.mayMatch(Slices.allocate(1024))).isFalse();
        assertThat(texts.mayMatch(Slices.allocate(1025))).isTrue();
    }

    @Test
    void testBooleans()
    {
        TestedValues values = new TestedValues(BOOLEAN, Boolean.TRUE::equals);
        assertThat(values.mayMatchInteger(1)).isTrue();
        assertThat(values.mayMatchInteger(0)).isFalse();
    }

    @Test
    void testMemory()
    {
        TestedValues values = new TestedValues(VARCHAR, _ -> true);
        Object first = new Object();
        Object second = new Object();
        assertThat(values.claim(first)).isZero();
        values.mayMatch(Slices.utf8Slice("some text"));
        long size = values.claim(first);
        assertThat(size).isGreaterThan(9);
        assertThat(values.claim(second)).isZero();
        values.mayMatch(Slices.utf8Slice("some text"));
        values.release(second);
        assertThat(values.claim(first)).isEqualTo(size);
        values.release(first);
        assertThat(values.claim(second)).isEqualTo(size);
    }

    private static ValueBlock block(String... texts)
    {
        BlockBuilder builder = VARCHAR.createBlockBuilder(null, texts.length);
        for (String text : texts) {
            if (text == null) {
                builder.appendNull();
            }
            else {
                VARCHAR.writeString(builder, text);
            }
        }
        return builder.buildValueBlock();
    }
}
