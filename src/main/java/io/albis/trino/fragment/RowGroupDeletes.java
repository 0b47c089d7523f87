package io.albis.trino.fragment;

import io.airlift.slice.SliceInput;
import io.airlift.slice.SliceOutput;
import io.albis.format.metadata.DeletedRows;
import io.albis.format.metadata.RowGroupCodec;

import java.util.UUID;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * The rows of a row group that are deleted once a statement is committed.
 *
 * @param rowGroup id of the row group
 * @param added number of rows that the statement deletes
 * @param deletedRows reference to all deleted rows, including those that were deleted before
 */
public record RowGroupDeletes(UUID rowGroup, long added, DeletedRows deletedRows)
{
    public RowGroupDeletes
    {
        requireNonNull(rowGroup, "rowGroup is null");
        checkArgument(added > 0, "added is not positive: %s", added);
        requireNonNull(deletedRows, "deletedRows is null");
    }

    void write(SliceOutput output)
    {
        RowGroupCodec.writeId(rowGroup, output);
        output.writeLong(added);
        RowGroupCodec.writeDeletedRows(deletedRows, output);
    }

    static RowGroupDeletes read(SliceInput input)
    {
        return new RowGroupDeletes(RowGroupCodec.readId(input), input.readLong(), RowGroupCodec.readDeletedRows(input));
    }
}
