package io.albis.format.metadata;

import java.util.UUID;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * A reference from a row group to the file that lists its deleted rows. The format reserves it: no writer creates such
 * files yet, and a reader refuses a row group that has one.
 *
 * @param id id of the file
 * @param length length of the file in bytes
 * @param count number of deleted rows, at least one
 */
public record DeletedRows(UUID id, int length, long count)
{
    public DeletedRows
    {
        requireNonNull(id, "id is null");
        checkArgument(length > 0, "length is not positive: %s", length);
        checkArgument(count > 0, "count is not positive: %s", count);
    }
}
