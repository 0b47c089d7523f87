/**
 * The Trino types that Albis stores, the representation of their values on storage and in Java programs, and the
 * semantics of their comparison. Start with {@link StorageType} for storage, and {@link OrderKeys} for bounds and
 * filters. {@link ScalarType} lists the types; add a new one there, and the compiler names
 * the other places.
 */
package io.albis.format.type;
