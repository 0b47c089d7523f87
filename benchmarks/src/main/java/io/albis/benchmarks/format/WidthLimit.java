package io.albis.benchmarks.format;

import io.albis.benchmarks.format.file.AlbisShape;
import io.albis.benchmarks.format.file.AlbisShape.Width;
import io.albis.benchmarks.format.jmh.MachineLimit;
import io.albis.format.type.StorageType;

import java.util.Map;
import java.util.function.ToDoubleFunction;

import static io.albis.benchmarks.format.jmh.MachineLimit.CHECKSUM;
import static io.albis.benchmarks.format.jmh.MachineLimit.READ;
import static io.albis.benchmarks.format.jmh.MachineLimit.READ_SMALL;

/**
 * Computes the minimum time for reading a file with values of given widths on a machine. It includes only the steps
 * that were measured on the machine: reading the bytes, computing their checksum, and filling the arrays.
 */
final class WidthLimit
{
    private WidthLimit() {}

    /**
     * Returns the minimum time for the files.
     *
     * @param nanos time of one operation for each limit
     */
    public static double nanos(AlbisShape shape, ToDoubleFunction<MachineLimit> nanos)
    {
        double read = Math.min(perUnit(READ, nanos), perUnit(READ_SMALL, nanos));
        double total = shape.dataBytes() * (read + perUnit(CHECKSUM, nanos));
        for (Map.Entry<Width, Long> entry : shape.values().entrySet()) {
            total += entry.getValue() * perUnit(filling(entry.getKey()), nanos);
        }
        return total;
    }

    private static double perUnit(MachineLimit limit, ToDoubleFunction<MachineLimit> nanos)
    {
        return nanos.applyAsDouble(limit) / limit.work();
    }

    private static MachineLimit filling(Width width)
    {
        boolean ints = width.storageType() == StorageType.INT;
        if (!ints && width.storageType() != StorageType.LONG) {
            throw new IllegalArgumentException("There is no limit for values of " + width);
        }
        return switch (width.bytes()) {
            // Values of width 0 only repeat the base. The cheapest limit is used, because no limit measures less work.
            case 0, 1 -> ints ? MachineLimit.INTS_FROM_1 : MachineLimit.LONGS_FROM_1;
            case 2 -> ints ? MachineLimit.INTS_FROM_2 : MachineLimit.LONGS_FROM_2;
            case 3 -> ints ? MachineLimit.INTS_FROM_3 : MachineLimit.LONGS_FROM_3;
            case 4 -> ints ? MachineLimit.INTS_FROM_4 : MachineLimit.LONGS_FROM_4;
            case 5, 6, 7 -> MachineLimit.LONGS_FROM_6;
            case 8 -> MachineLimit.LONGS_FROM_8;
            default -> throw new IllegalArgumentException("There is no limit for values of " + width);
        };
    }
}
