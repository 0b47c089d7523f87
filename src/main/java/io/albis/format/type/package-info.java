/**
 * The Trino types that Albis stores, the representation of their values on storage and in Java programs, and the
 * semantics of their comparison. Start with {@link StorageType} for storage, and {@link OrderKeys} for bounds and
 * filters. To add a type, start with the same two classes.
 */
package io.albis.format.type;
