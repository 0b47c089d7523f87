package io.albis.table.model;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * A range of version numbers, both inclusive.
 */
public record VersionRange(long first, long last)
{
    public VersionRange
    {
        checkArgument(first > 0 && first <= last, "range of versions is not valid: %s to %s", first, last);
    }
}
