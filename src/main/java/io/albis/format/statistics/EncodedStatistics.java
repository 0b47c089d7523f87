package io.albis.format.statistics;

import com.google.common.collect.AbstractIterator;
import com.google.common.collect.ImmutableList;
import io.airlift.slice.Slice;
import io.airlift.slice.SliceInput;

import java.util.AbstractSequentialList;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import java.util.Optional;
import java.util.function.IntPredicate;

import static com.google.common.base.Preconditions.checkArgument;
import static io.airlift.slice.SizeOf.instanceSize;
import static java.util.Objects.requireNonNull;

/**
 * The statistics of a row group in the encoded form of a manifest. Statistics objects are created on demand. A table
 * with many row groups and columns has millions of them, the objects take three times the space of the bytes, and a
 * query needs only a few columns. Immutable.
 */
public final class EncodedStatistics
        extends AbstractSequentialList<ColumnStatistics>
{
    public static final int INSTANCE_SIZE = instanceSize(EncodedStatistics.class);

    // the bytes of the entry of the row group; for merged bounds, the bytes of all of them
    private final Slice bytes;
    private final int offset;
    private final int count;
    // the names of types by their indexes, which follow the entries; empty if there are none
    private final List<String> types;
    private final int typesOffset;

    /**
     * Creates statistics whose bounds have no type names.
     *
     * @param bytes immutable bytes whose entries at {@code offset} {@link StatisticsCodec#skip} has validated
     * @param offset offset of the first entry
     * @param count number of entries
     */
    public EncodedStatistics(Slice bytes, int offset, int count)
    {
        this(bytes, offset, count, ImmutableList.of(), 0);
    }

    /**
     * Creates statistics whose bounds have the names of their types.
     *
     * @param bytes immutable bytes whose entries at {@code offset} {@link StatisticsCodec#skip} has validated
     * @param offset offset of the first entry
     * @param count number of entries
     * @param types names of the types of the bounds by index
     * @param typesOffset offset of the indexes of the types of all entries, which have 2 bytes each
     */
    public EncodedStatistics(Slice bytes, int offset, int count, List<String> types, int typesOffset)
    {
        this.bytes = requireNonNull(bytes, "bytes is null");
        this.offset = offset;
        this.count = count;
        this.types = requireNonNull(types, "types is null");
        this.typesOffset = typesOffset;
    }

    /**
     * Validates and skips statistics that are followed by the index of the type of each bound.
     *
     * @param bytes immutable bytes, which {@code input} reads from the beginning
     * @param rows number of rows of the row group
     * @param types names of the types by index
     * @throws IllegalArgumentException or IndexOutOfBoundsException if the input does not contain valid statistics
     */
    public static EncodedStatistics readTyped(Slice bytes, SliceInput input, long rows, List<String> types)
    {
        int offset = (int) input.position() + Integer.BYTES;
        int count = StatisticsCodec.skip(input, rows);
        int typesOffset = (int) input.position();
        int position = offset;
        for (int i = 0; i < count; i++) {
            int type = input.readUnsignedShort();
            checkArgument(type < types.size() || !StatisticsCodec.hasBounds(bytes, position), "a bound has a type with the index %s, but there are %s types", type, types.size());
            position = StatisticsCodec.next(bytes, position);
        }
        return new EncodedStatistics(bytes, offset, count, types, typesOffset);
    }

    /**
     * Returns the statistics of a column, or empty if there are none.
     */
    public Optional<ColumnStatistics> find(int columnId)
    {
        return find(columnId, _ -> true);
    }

    /**
     * Returns the first statistics of a column whose index is accepted, or empty if there are none.
     */
    public Optional<ColumnStatistics> find(int columnId, IntPredicate indexes)
    {
        int position = offset;
        for (int i = 0; i < count; i++) {
            if (bytes.getInt(position) == columnId && indexes.test(i)) {
                return Optional.of(read(position, i));
            }
            position = StatisticsCodec.next(bytes, position);
        }
        return Optional.empty();
    }

    @Override
    public int size()
    {
        return count;
    }

    @Override
    public Iterator<ColumnStatistics> iterator()
    {
        return new AbstractIterator<>()
        {
            private int position = offset;
            private int index;

            @Override
            protected ColumnStatistics computeNext()
            {
                if (index == count) {
                    return endOfData();
                }
                ColumnStatistics next = read(position, index);
                position = StatisticsCodec.next(bytes, position);
                index++;
                return next;
            }
        };
    }

    @Override
    public ListIterator<ColumnStatistics> listIterator(int index)
    {
        return ImmutableList.copyOf(iterator()).listIterator(index);
    }

    private ColumnStatistics read(int position, int index)
    {
        ColumnStatistics statistics = StatisticsCodec.readOne(bytes.slice(position, bytes.length() - position).getInput());
        if (types.isEmpty() || !statistics.hasBounds()) {
            return statistics;
        }
        return statistics.withBoundsType(types.get(bytes.getUnsignedShort(typesOffset + index * Short.BYTES)));
    }
}
