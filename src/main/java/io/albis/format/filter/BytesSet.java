package io.albis.format.filter;

import io.airlift.slice.Slice;

/**
 * A set of byte strings.
 */
interface BytesSet
{
    boolean contains(Slice slice, int offset, int length);

    /**
     * Without the bytes of values that the domain has anyway.
     */
    long retainedSize();
}
