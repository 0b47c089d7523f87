package io.albis.trino.relation;

import io.trino.spi.type.StandardTypes;
import io.trino.spi.type.Type;

import java.util.Optional;

import static io.trino.spi.type.DecimalType.createDecimalType;

/**
 * Replaces types that a table cannot store.
 */
public final class SupportedTypes
{
    private static final Type ROUNDED_NUMBER = createDecimalType(38, 10);

    private SupportedTypes() {}

    /**
     * Returns the type of a column that stores values of a type; empty if it is the type itself, or if there is none.
     */
    public static Optional<Type> replacement(Type type)
    {
        return type.getBaseName().equals(StandardTypes.NUMBER) ? Optional.of(ROUNDED_NUMBER) : Optional.empty();
    }
}
