package io.albis.trino.maintenance;

import io.airlift.slice.Slice;
import io.trino.spi.function.table.Argument;
import io.trino.spi.function.table.ArgumentSpecification;
import io.trino.spi.function.table.ScalarArgument;
import io.trino.spi.function.table.ScalarArgumentSpecification;

import java.util.Map;
import java.util.Optional;

import static io.airlift.slice.Slices.utf8Slice;
import static io.trino.spi.type.VarcharType.VARCHAR;

/**
 * The arguments of the table functions.
 */
final class FunctionArguments
{
    private static final String LOCATION = "LOCATION";

    static final ArgumentSpecification LOCATION_ARGUMENT = ScalarArgumentSpecification.builder()
            .name(LOCATION)
            .type(VARCHAR)
            .defaultValue(null)
            .build();
    static final ArgumentSpecification RETENTION_ARGUMENT = ScalarArgumentSpecification.builder()
            .name(VacuumRetention.ARGUMENT)
            .type(VARCHAR)
            .defaultValue(utf8Slice(VacuumRetention.DEFAULT))
            .build();

    private FunctionArguments() {}

    static Optional<String> location(Map<String, Argument> arguments)
    {
        return Optional.ofNullable(text(arguments, LOCATION));
    }

    /**
     * Returns the retention, possibly null.
     */
    static String retention(Map<String, Argument> arguments)
    {
        return text(arguments, VacuumRetention.ARGUMENT);
    }

    private static String text(Map<String, Argument> arguments, String name)
    {
        Slice value = (Slice) ((ScalarArgument) arguments.get(name)).getValue();
        return value == null ? null : value.toStringUtf8();
    }
}
