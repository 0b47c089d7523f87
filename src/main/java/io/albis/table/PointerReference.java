package io.albis.table;

import java.util.UUID;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * Which pointer file, that is which name, a table is under. Every version repeats it, so that a pointer that a crashed
 * rename has left behind tells itself from the right one.
 *
 * @param id of the pointer file
 * @param generation one for the pointer of CREATE TABLE, one more with each rename
 */
public record PointerReference(UUID id, long generation)
{
    public PointerReference
    {
        requireNonNull(id, "id is null");
        checkArgument(generation > 0, "generation is not positive: %s", generation);
    }
}
