package io.albis.format.run;

import org.junit.jupiter.api.Test;

import java.util.BitSet;
import java.util.Random;

import static io.albis.format.io.PageChecksum.PAGE_SIZE;
import static org.assertj.core.api.Assertions.assertThat;

final class TestRunPages
{
    @Test
    void testBytes()
    {
        RunPages pages = new RunPages();
        pages.add(0, 0);
        pages.add(3 * PAGE_SIZE, 3 * PAGE_SIZE);
        assertThat(pages.known()).isEqualTo(bits());
        pages.add(PAGE_SIZE - 1, PAGE_SIZE);
        assertThat(pages.known()).isEqualTo(bits(0));
        pages.add(2 * PAGE_SIZE - 1, 2 * PAGE_SIZE + 1);
        assertThat(pages.known()).isEqualTo(bits(0, 1, 2));
        pages.add(5 * PAGE_SIZE, 8 * PAGE_SIZE);
        assertThat(pages.known()).isEqualTo(bits(0, 1, 2, 5, 6, 7));
    }

    @Test
    void testValues()
    {
        RunPages pages = new RunPages();
        // the second value begins in page 0 and ends in page 1
        pages.addValues(PAGE_SIZE - 20, 16, new int[] {7, 1, Run.MAX_ROWS + 1000}, 1, 3);
        assertThat(pages.known()).isEqualTo(bits(0, 1, (PAGE_SIZE - 20 + 16 * 1000) / PAGE_SIZE));
    }

    @Test
    void testCost()
    {
        RunPages pages = new RunPages();
        assertThat(pages.cost(100)).isZero();
        pages.add(PAGE_SIZE, 3 * PAGE_SIZE);
        pages.add(9 * PAGE_SIZE, 9 * PAGE_SIZE + 1);
        assertThat(pages.cost(100)).isEqualTo(3 * PAGE_SIZE + 200);
        pages.expect(2);
        assertThat(pages.cost(100)).isEqualTo(5 * PAGE_SIZE + 400);
    }

    @Test
    void testGaps()
    {
        RunPages none = new RunPages();
        none.closeGaps(Integer.MAX_VALUE);
        assertThat(none.known()).isEqualTo(bits());

        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int round = 0; round < 1000; round++) {
            RunPages pages = new RunPages();
            BitSet expected = new BitSet();
            int last = -1;
            int maxGap = random.nextInt(4);
            for (int page = 0; page < 40; page++) {
                if (random.nextInt(5) == 0) {
                    pages.add(page * PAGE_SIZE, (page + 1) * PAGE_SIZE);
                    expected.set(last >= 0 && page - last - 1 <= maxGap ? last : page, page + 1);
                    last = page;
                }
            }
            // a part of a page does not count
            pages.closeGaps(maxGap * PAGE_SIZE + random.nextInt(PAGE_SIZE));
            assertThat(pages.known()).as("seed %s", seed).isEqualTo(expected);
        }
    }

    private static BitSet bits(int... pages)
    {
        BitSet bits = new BitSet();
        for (int page : pages) {
            bits.set(page);
        }
        return bits;
    }
}
