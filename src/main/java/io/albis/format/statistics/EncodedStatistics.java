package io.albis.format.statistics;

import com.google.common.collect.AbstractIterator;
import com.google.common.collect.ImmutableList;
import io.airlift.slice.Slice;

import java.util.AbstractSequentialList;
import java.util.Iterator;
import java.util.ListIterator;
import java.util.Optional;

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

    // the bytes of the whole manifest
    private final Slice bytes;
    private final int offset;
    private final int count;

    /**
     * @param bytes immutable bytes whose entries at {@code offset} {@link StatisticsCodec#skip} has validated
     * @param offset offset of the first entry
     * @param count number of entries
     */
    public EncodedStatistics(Slice bytes, int offset, int count)
    {
        this.bytes = requireNonNull(bytes, "bytes is null");
        this.offset = offset;
        this.count = count;
    }

    /**
     * Returns the statistics of a column, or empty if there are none.
     */
    public Optional<ColumnStatistics> find(int columnId)
    {
        int position = offset;
        for (int i = 0; i < count; i++) {
            if (bytes.getInt(position) == columnId) {
                return Optional.of(read(position));
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
                ColumnStatistics next = read(position);
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

    private ColumnStatistics read(int position)
    {
        return StatisticsCodec.readOne(bytes.slice(position, bytes.length() - position).getInput());
    }
}
