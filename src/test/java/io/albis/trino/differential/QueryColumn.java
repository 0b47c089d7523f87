package io.albis.trino.differential;

import io.albis.format.RandomBlocks;
import io.albis.format.type.ScalarType;
import io.trino.spi.type.Type;

import java.util.List;
import java.util.Random;

import static java.util.Objects.requireNonNull;

/**
 * A column that random queries use.
 *
 * @param samples some native values of the column
 */
record QueryColumn(String name, Type type, List<Object> samples)
{
    QueryColumn
    {
        requireNonNull(name, "name is null");
        requireNonNull(type, "type is null");
    }

    /**
     * Returns a native value for a comparison, mostly one from the table or its direct neighbor.
     */
    Object randomValue(Random random)
    {
        if (samples.isEmpty() || random.nextInt(5) == 0) {
            return RandomBlocks.randomValue(random, type);
        }
        Object value = samples.get(random.nextInt(samples.size()));
        return random.nextInt(4) == 0 ? neighbour(random, value) : value;
    }

    private Object neighbour(Random random, Object value)
    {
        return switch (ScalarType.of(type)) {
            case TINYINT, SMALLINT, INTEGER, BIGINT, DATE -> {
                long number = (long) value;
                long min = NumberedValues.min(type);
                long max = NumberedValues.max(type);
                yield random.nextBoolean() ? (number == max ? number : number + 1) : (number == min ? number : number - 1);
            }
            case BOOLEAN, REAL, DOUBLE, DECIMAL, TIME, TIME_WITH_TIME_ZONE, TIMESTAMP, TIMESTAMP_WITH_TIME_ZONE, CHAR, VARCHAR, VARBINARY, UUID, JSON, IPADDRESS -> value;
        };
    }

    boolean isOrderable()
    {
        return type.isOrderable();
    }
}
