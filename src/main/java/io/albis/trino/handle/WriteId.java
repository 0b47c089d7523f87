package io.albis.trino.handle;

import java.util.UUID;

import static java.util.Objects.requireNonNull;

/**
 * Of one CREATE TABLE AS or INSERT. Its row groups have ids that begin like it, so that those of attempts that failed can be
 * found by their names, whichever server wrote them.
 */
public record WriteId(UUID id)
{
    public WriteId
    {
        requireNonNull(id, "id is null");
    }

    public static WriteId random()
    {
        return new WriteId(UUID.randomUUID());
    }

    /**
     * An id for a row group or a column group: its other half is random.
     */
    public UUID newId()
    {
        return new UUID(id.getMostSignificantBits(), UUID.randomUUID().getLeastSignificantBits());
    }

    public boolean isOf(UUID rowGroupId)
    {
        return rowGroupId.getMostSignificantBits() == id.getMostSignificantBits();
    }
}
