package io.albis.table.sketch;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.Slice;
import io.airlift.slice.SliceInput;
import io.airlift.slice.SliceOutput;
import io.airlift.slice.Slices;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * Encodes and decodes sketches. Those of some hundred distinct values become shorter and less exact. They are stored at
 * the end of a manifest, and a writer passes them to the coordinator in this form.
 */
public final class SketchCodec
{
    private static final int HEADER_SIZE = Integer.BYTES + 2 * Long.BYTES + Short.BYTES;

    private SketchCodec() {}

    public static void write(ColumnSketches sketches, SliceOutput output)
    {
        output.writeInt(sketches.columns().size());
        for (ColumnSketch sketch : sketches.columns().values()) {
            output.writeInt(sketch.columnId());
            output.writeLong(sketch.values());
            output.writeLong(sketch.bytes());
            Slice distinct = ShortRegisters.shorten(sketch.distinct());
            output.writeShort(distinct.length());
            output.writeBytes(distinct);
        }
    }

    /**
     * Decodes sketches. Those in a form that only a newer version knows are left out.
     *
     * @throws IllegalArgumentException or IndexOutOfBoundsException if the bytes are not valid
     */
    public static ColumnSketches read(SliceInput input)
    {
        int count = input.readInt();
        checkArgument(count >= 0 && (long) count * HEADER_SIZE <= input.available(), "there cannot be %s sketches in the remaining %s bytes", count, input.available());
        ImmutableList.Builder<ColumnSketch> sketches = ImmutableList.builderWithExpectedSize(count);
        for (int i = 0; i < count; i++) {
            int columnId = input.readInt();
            long values = input.readLong();
            long bytes = input.readLong();
            // A copy, because the sketch is retained longer than the bytes of the file
            byte[] distinct = new byte[input.readUnsignedShort()];
            input.readBytes(distinct);
            Slice sketch = Slices.wrappedBuffer(distinct);
            if (HyperLogLogFormat.isKnown(sketch)) {
                sketches.add(new ColumnSketch(columnId, values, bytes, sketch));
            }
        }
        return ColumnSketches.of(sketches.build());
    }
}
