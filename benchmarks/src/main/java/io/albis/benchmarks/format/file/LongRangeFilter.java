package io.albis.benchmarks.format.file;

import io.trino.spi.block.Block;
import io.trino.spi.block.LongArrayBlock;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;

import static com.google.common.base.Preconditions.checkArgument;
import static io.trino.spi.type.BigintType.BIGINT;

/**
 * Equivalent of the code that the engine generates for {@code low <= column AND column <= high} on a bigint column.
 */
class LongRangeFilter
{
    private final int channel;
    private final long low;
    private final long high;

    public LongRangeFilter(int channel, Domain domain)
    {
        checkArgument(channel >= 0, "the column of the filter is not read");
        checkArgument(domain.getType().equals(BIGINT) && !domain.isNullAllowed(), "not a filter of bigint: %s", domain);
        Range range = domain.getValues().getRanges().getSpan();
        checkArgument(domain.getValues().getRanges().getRangeCount() == 1 && range.isLowInclusive() && range.isHighInclusive(), "not a closed range: %s", domain);
        this.channel = channel;
        this.low = (long) range.getLowBoundedValue();
        this.high = (long) range.getHighBoundedValue();
    }

    public int channel()
    {
        return channel;
    }

    /**
     * Selects the rows that match.
     *
     * @param positions receives the positions of the rows that match
     * @return number of rows that match
     */
    public int select(Block block, int[] positions)
    {
        ValueBlock values = block.getUnderlyingValueBlock();
        if (values == block && values instanceof LongArrayBlock longs && !longs.mayHaveNull()) {
            return select(longs, positions);
        }
        int selected = 0;
        for (int position = 0; position < block.getPositionCount(); position++) {
            if (block.isNull(position)) {
                continue;
            }
            long value = BIGINT.getLong(values, block.getUnderlyingValuePosition(position));
            positions[selected] = position;
            selected += value >= low && value <= high ? 1 : 0;
        }
        return selected;
    }

    private int select(LongArrayBlock block, int[] positions)
    {
        int selected = 0;
        for (int position = 0; position < block.getPositionCount(); position++) {
            long value = block.getLong(position);
            positions[selected] = position;
            selected += value >= low && value <= high ? 1 : 0;
        }
        return selected;
    }
}
