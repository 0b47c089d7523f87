package io.albis.format.filter;

import io.airlift.slice.Slice;

/**
 * A set of byte strings.
 */
interface BytesSet
{
    boolean contains(Slice slice, int offset, int length);

    /**
     * Returns the memory of this set in bytes, excluding the bytes of the values, which the domain retains.
     */
    long retainedSize();
}
