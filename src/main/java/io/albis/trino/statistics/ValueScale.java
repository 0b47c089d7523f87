package io.albis.trino.statistics;

import io.airlift.slice.Slice;
import io.albis.format.type.OrderKeys;
import io.albis.format.type.ScalarType;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.predicate.Range;
import io.trino.spi.type.Type;

import java.util.OptionalDouble;

import static io.trino.spi.statistics.StatsUtil.toStatsRepresentation;
import static io.trino.spi.type.TypeUtils.writeNativeValue;
import static java.util.Objects.requireNonNull;

/**
 * Maps the values of a column to positions on a line. A greater value never has a smaller position. If values are
 * evenly spread, the distance between two positions tells which part of the values is between them.
 */
final class ValueScale
{
    private final Type type;
    private final OrderKeys orderKeys;
    private final TextScale text;

    /**
     * Creates the scale of the values of a column.
     *
     * @param span range of the values of the column, with both bounds
     */
    ValueScale(Type type, Range span)
    {
        this.type = requireNonNull(type, "type is null");
        this.orderKeys = OrderKeys.of(type);
        this.text = orderKeys.hasKeys() ? null : new TextScale((Slice) span.getLowBoundedValue(), (Slice) span.getHighBoundedValue());
    }

    double position(Object value)
    {
        if (text != null) {
            return text.position((Slice) value);
        }
        OptionalDouble number = toStatsRepresentation(type, value);
        if (number.isPresent()) {
            return number.getAsDouble();
        }
        // types that the optimizer does not compare as numbers, such as time and uuid
        BlockBuilder block = type.createBlockBuilder(null, 1);
        writeNativeValue(type, block, value);
        long[] high = new long[1];
        long[] low = new long[1];
        orderKeys.extract(block.buildValueBlock(), 0, 1, high, low);
        return high[0];
    }

    /**
     * Returns whether the positions of the values are the whole numbers.
     */
    static boolean isWholeNumber(Type type)
    {
        return switch (ScalarType.of(type)) {
            case TINYINT, SMALLINT, INTEGER, BIGINT, DATE -> true;
            case BOOLEAN, REAL, DOUBLE, DECIMAL, TIME, TIME_WITH_TIME_ZONE, TIMESTAMP, TIMESTAMP_WITH_TIME_ZONE, CHAR, VARCHAR, VARBINARY, UUID, JSON, IPADDRESS -> false;
        };
    }
}
