package io.albis.format.io;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Readers that follow each other use the same arrays, and readers at the same time do not.
 */
final class TestBufferPool
{
    private static final int SIZE = 1 << 16;

    @Test
    void testLaterReader()
    {
        BufferPool pool = new BufferPool(3 * SIZE);
        ReadBuffers first = new ReadBuffers(SIZE, pool);
        byte[] free = first.take(10);
        byte[] used = first.take(10);
        first.giveBack(free);
        first.release();
        assertThat(pool.retainedSize()).isEqualTo(SIZE);
        assertThat(first.retainedSize()).isEqualTo(SIZE);

        ReadBuffers second = new ReadBuffers(SIZE, pool);
        assertThat(second.take(20)).isSameAs(free);
        assertThat(second.retainedSize()).isEqualTo(SIZE);
        assertThat(pool.retainedSize()).isZero();
        // the array that the first reader still uses is not given to others
        assertThat(second.take(20)).isNotSameAs(used).isNotSameAs(free);
    }

    @Test
    void testReadersAtTheSameTime()
    {
        BufferPool pool = new BufferPool(3 * SIZE);
        ReadBuffers earlier = new ReadBuffers(SIZE, pool);
        earlier.giveBack(earlier.take(SIZE));
        earlier.release();
        ReadBuffers first = new ReadBuffers(SIZE, pool);
        ReadBuffers second = new ReadBuffers(SIZE, pool);
        assertThat(first.take(SIZE)).isNotSameAs(second.take(SIZE));
    }

    @Test
    void testLimits()
    {
        BufferPool pool = new BufferPool(SIZE);
        pool.offer(new byte[SIZE]);
        pool.offer(new byte[1]);
        assertThat(pool.retainedSize()).isEqualTo(SIZE);
        assertThat(pool.poll(SIZE + 1)).isNull();
        assertThat(pool.poll(SIZE)).hasSize(SIZE);
        assertThat(pool.poll(0)).isNull();
        assertThat(pool.retainedSize()).isZero();

        BufferPool none = BufferPool.none();
        none.offer(new byte[SIZE]);
        assertThat(none.retainedSize()).isZero();
        assertThatThrownBy(() -> new BufferPool(-1)).isInstanceOf(IllegalArgumentException.class);
    }
}
