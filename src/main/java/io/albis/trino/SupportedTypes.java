package io.albis.trino;

import io.trino.spi.type.Type;

import java.util.Optional;

import static io.trino.spi.type.StandardTypes.INTERVAL_DAY_TO_SECOND;
import static io.trino.spi.type.StandardTypes.INTERVAL_YEAR_TO_MONTH;
import static io.trino.spi.type.StandardTypes.NUMBER;
import static io.trino.spi.type.VarcharType.VARCHAR;

/**
 * Types that Albis cannot hold and that arrive as another type, from which they can be had back by a cast.
 */
final class SupportedTypes
{
    private SupportedTypes() {}

    public static Optional<Type> nearestTo(Type type)
    {
        return switch (type.getBaseName()) {
            // the bytes of a number are not stable between releases, and no decimal is wide enough
            case NUMBER -> Optional.of(VARCHAR);
            case INTERVAL_DAY_TO_SECOND, INTERVAL_YEAR_TO_MONTH -> Optional.of(VARCHAR);
            default -> Optional.empty();
        };
    }
}
