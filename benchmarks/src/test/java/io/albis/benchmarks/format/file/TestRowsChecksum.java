package io.albis.benchmarks.format.file;

import com.google.common.collect.ImmutableList;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.block.DictionaryBlock;
import io.trino.spi.type.Type;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.Iterator;
import java.util.List;

import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static org.assertj.core.api.Assertions.assertThat;

class TestRowsChecksum
{
    private static final List<Type> TYPES = ImmutableList.of(BIGINT, BIGINT);

    @Test
    void testSameRows()
            throws IOException
    {
        RowsChecksum checksum = checksum(TYPES, page(bigints(1L, 2L, null), bigints(4L, 5L, 6L)));
        assertThat(checksum.rows()).isEqualTo(3);
        // Divided into other pages and in another order
        assertThat(checksum(TYPES, page(bigints(2L, null), bigints(5L, 6L)), page(bigints(1L), bigints(4L)))).isEqualTo(checksum);
        // In another kind of block
        Block dictionary = DictionaryBlock.create(3, bigints(null, 2L, 1L), new int[] {2, 1, 0});
        assertThat(checksum(TYPES, page(dictionary, bigints(4L, 5L, 6L)))).isEqualTo(checksum);
    }

    @Test
    void testOtherRows()
            throws IOException
    {
        RowsChecksum checksum = checksum(TYPES, page(bigints(1L, 2L, null), bigints(4L, 5L, 6L)));
        // Another value
        assertThat(checksum(TYPES, page(bigints(1L, 3L, null), bigints(4L, 5L, 6L)))).isNotEqualTo(checksum);
        // Zero instead of null
        assertThat(checksum(TYPES, page(bigints(1L, 2L, 0L), bigints(4L, 5L, 6L)))).isNotEqualTo(checksum);
        // The values of a column in other rows
        assertThat(checksum(TYPES, page(bigints(2L, 1L, null), bigints(4L, 5L, 6L)))).isNotEqualTo(checksum);
        // The columns in another order
        assertThat(checksum(TYPES, page(bigints(4L, 5L, 6L), bigints(1L, 2L, null)))).isNotEqualTo(checksum);
        // One row fewer
        assertThat(checksum(TYPES, page(bigints(1L, 2L), bigints(4L, 5L)))).isNotEqualTo(checksum);
        // One row twice
        assertThat(checksum(TYPES, page(bigints(1L, 2L, 2L), bigints(4L, 5L, 5L)))).isNotEqualTo(checksum);
    }

    @Test
    void testNegativeZero()
            throws IOException
    {
        assertThat(checksum(ImmutableList.of(DOUBLE), page(doubles(0.0)))).isNotEqualTo(checksum(ImmutableList.of(DOUBLE), page(doubles(-0.0))));
    }

    private static RowsChecksum checksum(List<Type> types, Page... pages)
            throws IOException
    {
        Iterator<Page> iterator = ImmutableList.copyOf(pages).iterator();
        return RowsChecksum.of(
                new Pages()
                {
                    @Override
                    public Page next()
                    {
                        return iterator.hasNext() ? iterator.next() : null;
                    }

                    @Override
                    public void close() {}
                },
                types);
    }

    private static Page page(Block... blocks)
    {
        return new Page(blocks);
    }

    private static Block bigints(Long... values)
    {
        BlockBuilder builder = BIGINT.createBlockBuilder(null, values.length);
        for (Long value : values) {
            if (value == null) {
                builder.appendNull();
            }
            else {
                BIGINT.writeLong(builder, value);
            }
        }
        return builder.build();
    }

    private static Block doubles(double... values)
    {
        BlockBuilder builder = DOUBLE.createBlockBuilder(null, values.length);
        for (double value : values) {
            DOUBLE.writeDouble(builder, value);
        }
        return builder.build();
    }
}
