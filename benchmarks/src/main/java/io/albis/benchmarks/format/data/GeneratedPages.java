package io.albis.benchmarks.format.data;

import com.google.common.collect.AbstractIterator;
import com.google.common.collect.ImmutableList;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;

import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * Pages of generated values.
 */
class GeneratedPages
        extends AbstractIterator<Page>
{
    private static final int PAGE_ROWS = 8192;

    private final List<Column> columns;
    private final List<ValueGenerator> generators;
    private final int rows;
    private int done;

    public GeneratedPages(List<Column> columns, List<ValueGenerator> generators, int rows)
    {
        checkArgument(columns.size() == generators.size(), "not a generator for each column");
        this.columns = ImmutableList.copyOf(columns);
        this.generators = ImmutableList.copyOf(generators);
        this.rows = rows;
    }

    @Override
    protected Page computeNext()
    {
        if (done == rows) {
            return endOfData();
        }
        int count = Math.min(PAGE_ROWS, rows - done);
        Block[] blocks = new Block[columns.size()];
        for (int channel = 0; channel < blocks.length; channel++) {
            BlockBuilder builder = columns.get(channel).type().createBlockBuilder(null, count);
            for (int row = done; row < done + count; row++) {
                generators.get(channel).append(builder, row);
            }
            blocks[channel] = builder.build();
        }
        done += count;
        return new Page(count, blocks);
    }
}
