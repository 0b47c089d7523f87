package io.albis.trino.statistics;

import io.albis.trino.handle.AnswerColumnHandle;
import io.albis.trino.handle.MetadataAnswer;
import io.trino.spi.predicate.NullableValue;
import io.trino.spi.statistics.ColumnStatistics;
import io.trino.spi.statistics.DoubleRange;
import io.trino.spi.statistics.Estimate;
import io.trino.spi.statistics.TableStatistics;
import io.trino.spi.type.Type;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

import static io.trino.spi.statistics.StatsUtil.toStatsRepresentation;
import static java.lang.Math.max;
import static java.lang.Math.min;

/**
 * The exact statistics of rows that were found in the metadata of a table. Without them, the optimizer would not
 * reorder joins with these rows.
 */
public final class AnswerStatistics
{
    private AnswerStatistics() {}

    public static TableStatistics of(MetadataAnswer answer)
    {
        TableStatistics.Builder statistics = TableStatistics.builder().setRowCount(Estimate.of(answer.rows().size()));
        for (AnswerColumnHandle column : answer.columns()) {
            statistics.setColumnStatistics(column, column(column, answer.rows()));
        }
        return statistics.build();
    }

    /**
     * Returns the statistics of a column without the size of its values. Bounds have at most 64 bytes, and such sizes
     * are not reported for other scans either (see {@link ColumnEstimate}).
     */
    private static ColumnStatistics column(AnswerColumnHandle column, List<List<NullableValue>> rows)
    {
        Set<Object> values = new HashSet<>();
        int nulls = 0;
        for (List<NullableValue> row : rows) {
            NullableValue value = row.get(column.index());
            if (value.isNull()) {
                nulls++;
            }
            else {
                values.add(value.getValue());
            }
        }
        return ColumnStatistics.builder()
                .setNullsFraction(rows.isEmpty() ? Estimate.zero() : Estimate.of((double) nulls / rows.size()))
                .setDistinctValuesCount(Estimate.of(values.size()))
                .setRange(range(column.type(), values))
                .build();
    }

    /**
     * @return empty if there are no values, if one of them is NaN, or if the optimizer does not compare them as numbers
     */
    private static Optional<DoubleRange> range(Type type, Set<Object> values)
    {
        double least = Double.POSITIVE_INFINITY;
        double greatest = Double.NEGATIVE_INFINITY;
        for (Object value : values) {
            OptionalDouble number = toStatsRepresentation(type, value);
            if (number.isEmpty() || Double.isNaN(number.getAsDouble())) {
                return Optional.empty();
            }
            least = min(least, number.getAsDouble());
            greatest = max(greatest, number.getAsDouble());
        }
        return values.isEmpty() ? Optional.empty() : Optional.of(new DoubleRange(least, greatest));
    }
}
