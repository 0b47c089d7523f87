package io.albis.trino;

import io.albis.format.metadata.ColumnStatistics;
import io.trino.spi.statistics.DoubleRange;
import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.util.Optional;

import static io.albis.format.metadata.ValueOrder.UNORDERED;
import static io.trino.spi.type.BigintType.BIGINT;
import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;

class TestColumnEstimate
{
    /**
     * How many values there are between the bounds says nothing of how many different ones a column has.
     */
    @Test
    void testDistinctValuesWithoutSketch()
    {
        ColumnEstimate estimate = new ColumnEstimate(BIGINT);
        estimate.add(new ColumnStatistics(1, 10, UNORDERED, Optional.of(bytes(1)), Optional.of(bytes(100))), 1000, 1000, 0.01);
        io.trino.spi.statistics.ColumnStatistics statistics = estimate.finish(1000, Optional.empty(), Optional.empty());
        assertThat(statistics.getDistinctValuesCount().isUnknown()).isTrue();
        assertThat(statistics.getRange()).contains(new DoubleRange(1, 100));
        assertThat(statistics.getNullsFraction().getValue()).isEqualTo(0.01);
    }

    @Test
    void testOnlyNulls()
    {
        ColumnEstimate estimate = new ColumnEstimate(BIGINT);
        estimate.add(new ColumnStatistics(1, 1000, UNORDERED, Optional.empty(), Optional.empty()), 1000, 1000, 1);
        assertThat(estimate.finish(1000, Optional.empty(), Optional.empty()).getDistinctValuesCount().getValue()).isZero();
    }

    private static byte[] bytes(long value)
    {
        return ByteBuffer.allocate(Long.BYTES).order(LITTLE_ENDIAN).putLong(value).array();
    }
}
