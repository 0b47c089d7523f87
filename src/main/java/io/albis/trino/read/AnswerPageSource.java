package io.albis.trino.read;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.trino.handle.AnswerColumnHandle;
import io.trino.plugin.base.metrics.LongCount;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.SourcePage;
import io.trino.spi.metrics.Metrics;
import io.trino.spi.predicate.NullableValue;

import java.util.List;
import java.util.OptionalLong;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.spi.type.TypeUtils.writeNativeValue;

/**
 * Returns the rows of a scan whose result is known, in a single page. It reads no files.
 */
class AnswerPageSource
        implements ConnectorPageSource
{
    private final long rowGroups;
    private final List<List<NullableValue>> rows;
    private final List<AnswerColumnHandle> columns;

    private boolean finished;

    /**
     * @param rowGroups number of row groups that are not read
     * @param rows at most as many rows as a page can have
     * @param columns columns of these rows
     */
    AnswerPageSource(long rowGroups, List<List<NullableValue>> rows, List<ColumnHandle> columns)
    {
        this.rowGroups = rowGroups;
        this.rows = ImmutableList.copyOf(rows);
        this.columns = columns.stream()
                .map(AnswerColumnHandle.class::cast)
                .collect(toImmutableList());
    }

    @Override
    public SourcePage getNextSourcePage()
    {
        if (finished) {
            return null;
        }
        finished = true;
        if (rows.isEmpty()) {
            return null;
        }
        Block[] blocks = columns.stream()
                .map(this::block)
                .toArray(Block[]::new);
        return SourcePage.create(new Page(rows.size(), blocks));
    }

    private Block block(AnswerColumnHandle column)
    {
        BlockBuilder values = column.type().createBlockBuilder(null, rows.size());
        for (List<NullableValue> row : rows) {
            writeNativeValue(column.type(), values, row.get(column.index()).getValue());
        }
        return values.build();
    }

    @Override
    public boolean isFinished()
    {
        return finished;
    }

    @Override
    public long getCompletedBytes()
    {
        return 0;
    }

    @Override
    public OptionalLong getCompletedPositions()
    {
        return OptionalLong.of(finished ? rows.size() : 0);
    }

    @Override
    public long getReadTimeNanos()
    {
        return 0;
    }

    @Override
    public Metrics getMetrics()
    {
        return new Metrics(ImmutableMap.of("Albis row groups answered", new LongCount(rowGroups)));
    }

    @Override
    public void close()
    {
        finished = true;
    }
}
