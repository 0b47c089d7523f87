package io.albis.format.type;

import io.trino.spi.type.Type;

/**
 * Finds the type of the name that is on storage, which is {@link Type#getTypeId()}, such as {@code decimal(12,2)}.
 * In a Trino server this is its type manager.
 */
@FunctionalInterface
public interface TypeResolver
{
    /**
     * @throws RuntimeException if there is no such type
     */
    Type resolve(String typeId);
}
