package io.albis.trino.handle;

import io.albis.format.metadata.RowGroup;

import java.util.UUID;

import static java.util.Objects.requireNonNull;

/**
 * The id of one CREATE TABLE AS or INSERT. It is the first half of the ids of its row groups. The row groups of failed
 * attempts can be found by their names, no matter which node wrote them.
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
     * Returns a new id for a row group or a column group. Its second half is random.
     */
    public UUID newId()
    {
        return new UUID(id.getMostSignificantBits(), UUID.randomUUID().getLeastSignificantBits());
    }

    /**
     * Returns whether a folder of a table may contain row groups of this write. These are 16 of the 256 folders,
     * because the name of the folder begins with the first digit of the id.
     *
     * @param fanOut name of the folder, see {@link RowGroup#fanOut}
     */
    public boolean mayUse(String fanOut)
    {
        return fanOut.length() == 2 && fanOut.charAt(0) == RowGroup.fanOut(id).charAt(0);
    }

    /**
     * Returns whether this write made a row group.
     */
    public boolean isOf(UUID rowGroupId)
    {
        return rowGroupId.getMostSignificantBits() == id.getMostSignificantBits();
    }
}
