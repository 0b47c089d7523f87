package io.albis.format.write;

import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.DictionaryBlock;
import io.trino.spi.block.RunLengthEncodedBlock;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.block.VariableWidthBlock;
import org.junit.jupiter.api.Test;

import java.util.Collections;
import java.util.Optional;

import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests into how many regions a page is divided.
 */
final class TestFlatRegions
{
    private static final int ROWS = 8192;
    private static final int MAX_BYTES = 1 << 22;

    @Test
    void testColumnsWithoutBytes()
    {
        Block text = texts(5 << 10);
        int alone = count(new Page(text), MAX_BYTES);
        assertThat(alone).isBetween(10, 13);
        for (Block other : new Block[] {
                RunLengthEncodedBlock.create(BIGINT, null, ROWS),
                RunLengthEncodedBlock.create(BIGINT, 7L, ROWS),
                RunLengthEncodedBlock.create(VARCHAR, null, ROWS),
                RunLengthEncodedBlock.create(VARCHAR, Slices.EMPTY_SLICE, ROWS),
        }) {
            assertThat(count(page(other, 999, text), MAX_BYTES)).isEqualTo(alone);
        }
        // small compared to the other values
        assertThat(count(page(RunLengthEncodedBlock.create(VARCHAR, Slices.utf8Slice("x"), ROWS), 999, text), MAX_BYTES)).isLessThan(2 * alone);
    }

    @Test
    void testColumnsShareTheBytes()
    {
        int single = count(new Page(texts(5 << 10)), MAX_BYTES);
        assertThat(count(page(texts(5 << 10), 3, texts(5 << 10)), MAX_BYTES)).isBetween(3 * single, 5 * single);
        // a single row may have more
        assertThat(count(page(texts(100 << 10), 99, texts(100 << 10)), 100 * (100 << 10))).isEqualTo(ROWS);
    }

    private static Page page(Block other, int others, Block text)
    {
        Block[] blocks = new Block[others + 1];
        for (int i = 0; i < others; i++) {
            blocks[i] = other;
        }
        blocks[others] = text;
        return new Page(blocks);
    }

    private static Block texts(int size)
    {
        Slice values = Slices.allocate(2 * size);
        return DictionaryBlock.create(ROWS, new VariableWidthBlock(2, values, new int[] {0, size, 2 * size}, Optional.empty()), alternating());
    }

    private static int[] alternating()
    {
        int[] ids = new int[ROWS];
        for (int row = 0; row < ROWS; row++) {
            ids[row] = row % 2;
        }
        return ids;
    }

    private static int count(Page page, long maxBytes)
    {
        // the type matters only for nested values
        FlatRegions regions = new FlatRegions(Collections.nCopies(page.getChannelCount(), VARCHAR), page);
        int count = 0;
        int rows = 0;
        for (int next = regions.next(); next > 0; next = regions.next()) {
            count++;
            rows += next;
            long bytes = 0;
            for (ValueBlock block : regions.blocks()) {
                assertThat(block.getPositionCount()).isEqualTo(next);
                if (block instanceof VariableWidthBlock values) {
                    for (int row = 0; row < next; row++) {
                        bytes += values.isNull(row) ? 0 : values.getSliceLength(row);
                    }
                }
            }
            assertThat(bytes).isLessThanOrEqualTo(maxBytes);
        }
        assertThat(rows).isEqualTo(ROWS);
        return count;
    }
}
