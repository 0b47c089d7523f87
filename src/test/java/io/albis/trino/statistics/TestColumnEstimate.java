package io.albis.trino.statistics;

import io.airlift.stats.cardinality.HyperLogLog;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.table.sketch.ColumnSketch;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.ValueSet;
import io.trino.spi.statistics.DoubleRange;
import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.util.Optional;

import static io.albis.format.statistics.ValueOrder.UNORDERED;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;

class TestColumnEstimate
{
    /**
     * The number of possible values between the bounds does not determine the number of distinct values.
     */
    @Test
    void testDistinctValuesWithoutSketch()
    {
        ColumnEstimate estimate = new ColumnEstimate(BIGINT);
        estimate.add(new ColumnStatistics(1, 10, UNORDERED, Optional.of(bytes(1)), Optional.of(bytes(100))), 1000, 1000, 0.01);
        io.trino.spi.statistics.ColumnStatistics statistics = estimate.finish(1000, 1000, Optional.empty(), Optional.empty());
        assertThat(statistics.getDistinctValuesCount().isUnknown()).isTrue();
        assertThat(statistics.getRange()).contains(new DoubleRange(1, 100));
        assertThat(statistics.getNullsFraction().getValue()).isEqualTo(0.01);
    }

    @Test
    void testOnlyNulls()
    {
        ColumnEstimate estimate = new ColumnEstimate(BIGINT);
        estimate.add(new ColumnStatistics(1, 1000, UNORDERED, Optional.empty(), Optional.empty()), 1000, 1000, 1);
        assertThat(estimate.finish(1000, 1000, Optional.empty(), Optional.empty()).getDistinctValuesCount().getValue()).isZero();
    }

    /**
     * A row group with an expected match of less than one row counts as one row, which is not null.
     */
    @Test
    void testHardlyAnyRows()
    {
        ColumnEstimate estimate = new ColumnEstimate(BIGINT);
        estimate.add(new ColumnStatistics(1, 0, UNORDERED, Optional.of(bytes(1)), Optional.of(bytes(100))), 1000, 0.1, 0);
        assertThat(estimate.finish(0.1, 1, Optional.empty(), Optional.empty()).getNullsFraction().getValue()).isZero();
    }

    @Test
    void testSpreadWithoutSketch()
    {
        Range span = Range.range(BIGINT, 1L, true, 100L, true);
        ColumnSelectivity range = new ColumnSelectivity(BIGINT, ValueSet.ofRanges(Range.lessThan(BIGINT, 51L)), span, Optional.empty());
        assertThat(range.share(1L, 100L)).isEqualTo(0.5);
        assertThat(range.distinctValues()).isNaN();
        // The number of rows with a given value is unknown
        assertThat(new ColumnSelectivity(BIGINT, ValueSet.of(BIGINT, 51L), span, Optional.empty()).share(1L, 100L)).isNaN();
    }

    @Test
    void testInfiniteBounds()
    {
        Range span = Range.range(DOUBLE, 0.0, true, Double.POSITIVE_INFINITY, true);
        ColumnSelectivity range = new ColumnSelectivity(DOUBLE, ValueSet.ofRanges(Range.lessThan(DOUBLE, 51.0)), span, Optional.of(new ColumnSketch(1, 1000, 0, HyperLogLog.newInstance(2048).serialize())));
        assertThat(range.share(0.0, Double.POSITIVE_INFINITY)).isNaN();
        assertThat(range.distinctValues()).isNaN();
    }

    private static byte[] bytes(long value)
    {
        return ByteBuffer.allocate(Long.BYTES).order(LITTLE_ENDIAN).putLong(value).array();
    }
}
