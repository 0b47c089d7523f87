package io.albis.trino.handle;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.Maps;
import io.airlift.slice.DynamicSliceOutput;
import io.airlift.slice.SliceInput;
import io.airlift.slice.Slices;
import io.albis.format.metadata.DeletedRows;
import io.albis.format.metadata.RowGroup;
import io.albis.format.metadata.RowGroupCodec;
import io.albis.format.schema.AlbisColumn;
import io.albis.table.partition.RowGroupPredicate;
import io.trino.spi.predicate.TupleDomain;

import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/**
 * The rows of a table that were deleted before a statement. The JSON form is a text in base 64, because it is sent with
 * each task.
 */
public final class EarlierDeletes
{
    public static final EarlierDeletes NONE = new EarlierDeletes(ImmutableList.of());

    // The text takes less than 1 MB
    private static final int MAX_SENT = 10_000;
    // bytes for each row group
    private static final int ESTIMATED_SIZE = 64;

    private final Map<UUID, DeletedRowGroup> rowGroups;

    public EarlierDeletes(List<DeletedRowGroup> rowGroups)
    {
        this.rowGroups = Maps.uniqueIndex(rowGroups, DeletedRowGroup::id);
    }

    /**
     * A row group with deleted rows.
     *
     * @param rows number of its rows, including deleted rows
     */
    public record DeletedRowGroup(UUID id, long rows, DeletedRows deletedRows)
    {
        public DeletedRowGroup
        {
            requireNonNull(id, "id is null");
            requireNonNull(deletedRows, "deletedRows is null");
        }
    }

    /**
     * Returns those row groups that already have deleted rows, and whose bounds and partitions do not exclude a
     * predicate.
     *
     * @throws java.io.UncheckedIOException if a bound or a value of a partition is damaged
     */
    public static EarlierDeletes of(Collection<RowGroup> rowGroups, TupleDomain<AlbisColumn> predicate)
    {
        RowGroupPredicate matching = new RowGroupPredicate(predicate);
        return new EarlierDeletes(rowGroups.stream()
                .filter(rowGroup -> rowGroup.deletedRows().isPresent() && matching.overlaps(rowGroup))
                .map(rowGroup -> new DeletedRowGroup(rowGroup.id(), rowGroup.rows(), rowGroup.deletedRows().get()))
                .collect(toImmutableList()));
    }

    /**
     * Returns these row groups, or nothing if they are too many to be sent with each task.
     */
    public Optional<EarlierDeletes> unlessMany()
    {
        return rowGroups.size() <= MAX_SENT ? Optional.of(this) : Optional.empty();
    }

    @JsonCreator
    public static EarlierDeletes decode(String text)
    {
        SliceInput input = Slices.wrappedBuffer(Base64.getDecoder().decode(text)).getInput();
        ImmutableList.Builder<DeletedRowGroup> rowGroups = ImmutableList.builder();
        while (input.isReadable()) {
            rowGroups.add(new DeletedRowGroup(RowGroupCodec.readId(input), input.readLong(), RowGroupCodec.readDeletedRows(input)));
        }
        return new EarlierDeletes(rowGroups.build());
    }

    @JsonValue
    public String encode()
    {
        DynamicSliceOutput output = new DynamicSliceOutput(rowGroups.size() * ESTIMATED_SIZE);
        for (DeletedRowGroup rowGroup : rowGroups.values()) {
            RowGroupCodec.writeId(rowGroup.id(), output);
            output.writeLong(rowGroup.rows());
            RowGroupCodec.writeDeletedRows(rowGroup.deletedRows(), output);
        }
        return Base64.getEncoder().encodeToString(output.slice().getBytes());
    }

    /**
     * Returns a row group, or empty if it had no deleted rows.
     */
    public Optional<DeletedRowGroup> find(UUID rowGroupId)
    {
        return Optional.ofNullable(rowGroups.get(rowGroupId));
    }

    @Override
    public boolean equals(Object other)
    {
        return other instanceof EarlierDeletes that && rowGroups.equals(that.rowGroups);
    }

    @Override
    public int hashCode()
    {
        return rowGroups.hashCode();
    }

    @Override
    public String toString()
    {
        return "%s row groups with deleted rows".formatted(rowGroups.size());
    }
}
