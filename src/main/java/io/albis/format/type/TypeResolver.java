package io.albis.format.type;

import io.trino.spi.type.Type;

/**
 * Resolves the name of a type on storage, such as {@code decimal(12,2)}. The name is {@link Type#getTypeId()}. In a
 * Trino server, the type manager is the resolver.
 */
@FunctionalInterface
public interface TypeResolver
{
    /**
     * Returns the type with the given id.
     *
     * @throws RuntimeException if there is no such type
     */
    Type resolve(String typeId);
}
