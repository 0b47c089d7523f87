package io.albis.table.partition;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.DynamicSliceOutput;
import io.airlift.slice.Slice;
import io.albis.format.metadata.PartitionValue;
import io.albis.table.model.PartitionField;
import io.albis.table.model.TableException;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.type.Type;

import java.util.List;
import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;
import static io.albis.table.model.TableException.Reason.NOT_SUPPORTED;

/**
 * Encodes the partition of a row as bytes, which are the same for all rows of the partition. Thread safe.
 */
public final class PartitionKeys
{
    /**
     * The maximum length of a value in bytes. Manifests and query plans contain the values of partitions, so the limit
     * is much lower than that of values of columns.
     */
    public static final int MAX_VALUE_LENGTH = 1024;

    private static final int BUFFER_SIZE = 64;
    private static final int NULL = 0;
    private static final int VALUE = 1;
    private static final int LENGTH_OFFSET = 1;
    private static final int HEADER_SIZE = LENGTH_OFFSET + Integer.BYTES;

    private final List<PartitionField> fields;
    private final List<PartitionFunction> functions;
    private final int[] channels;

    /**
     * @param types types of the columns of the functions
     * @param channels channels of these columns in a page
     */
    public PartitionKeys(List<PartitionField> fields, List<Type> types, int[] channels)
    {
        checkArgument(!fields.isEmpty() && fields.size() == types.size() && fields.size() == channels.length, "%s functions have %s types and %s channels", fields.size(), types.size(), channels.length);
        this.fields = ImmutableList.copyOf(fields);
        ImmutableList.Builder<PartitionFunction> builder = ImmutableList.builder();
        for (int i = 0; i < fields.size(); i++) {
            builder.add(PartitionFunction.of(fields.get(i), types.get(i)));
        }
        this.functions = builder.build();
        this.channels = channels.clone();
    }

    /**
     * Creates a buffer for partitions.
     */
    public static DynamicSliceOutput newBuffer()
    {
        return new DynamicSliceOutput(BUFFER_SIZE);
    }

    /**
     * Returns the partition of a row.
     *
     * @param output buffer of the calling thread, of which the content is replaced
     * @return bytes that are valid until the buffer is used again
     * @throws TableException with the reason NOT_SUPPORTED if a value is too long
     */
    public Slice get(Page page, int position, DynamicSliceOutput output)
    {
        output.reset();
        for (int i = 0; i < channels.length; i++) {
            Block block = page.getBlock(channels[i]);
            if (block.isNull(position)) {
                output.writeByte(NULL);
                continue;
            }
            int start = output.size();
            output.writeByte(VALUE);
            output.writeInt(0);
            functions.get(i).append(block, position, output);
            int length = output.size() - start - HEADER_SIZE;
            if (length > MAX_VALUE_LENGTH) {
                throw new TableException(NOT_SUPPORTED, "Rows cannot be partitioned by a value of %s bytes, because the values of a partition can have at most %s bytes. Use the function truncate or bucket in the table property partitioned_by", length, MAX_VALUE_LENGTH);
            }
            output.getUnderlyingSlice().setInt(start + LENGTH_OFFSET, length);
        }
        return output.slice();
    }

    /**
     * Returns the values of a partition.
     *
     * @param key bytes that {@link #get} has returned
     */
    List<PartitionValue> values(Slice key)
    {
        ImmutableList.Builder<PartitionValue> values = ImmutableList.builder();
        int offset = 0;
        for (PartitionField field : fields) {
            Optional<byte[]> value = Optional.empty();
            if (key.getByte(offset) == VALUE) {
                int length = key.getInt(offset + LENGTH_OFFSET);
                value = Optional.of(key.getBytes(offset + HEADER_SIZE, length));
                offset += HEADER_SIZE + length;
            }
            else {
                offset++;
            }
            values.add(new PartitionValue(field.columnId(), field.transform().code(), field.parameter(), value));
        }
        return values.build();
    }
}
