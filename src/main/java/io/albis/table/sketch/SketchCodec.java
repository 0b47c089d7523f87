package io.albis.table.sketch;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.SliceInput;
import io.airlift.slice.SliceOutput;
import io.airlift.slice.Slices;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * Sketches as bytes: the end of a manifest, and what a writer hands to the one that commits.
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
            output.writeShort(sketch.distinct().length());
            output.writeBytes(sketch.distinct());
        }
    }

    /**
     * @throws IllegalArgumentException or IndexOutOfBoundsException if these are no sketches
     */
    public static ColumnSketches read(SliceInput input)
    {
        int count = input.readInt();
        checkArgument(count >= 0 && (long) count * HEADER_SIZE <= input.available(), "%s sketches are more than the %s bytes that follow can hold", count, input.available());
        ImmutableList.Builder<ColumnSketch> sketches = ImmutableList.builderWithExpectedSize(count);
        for (int i = 0; i < count; i++) {
            int columnId = input.readInt();
            long values = input.readLong();
            long bytes = input.readLong();
            // a copy: it is kept for longer than the file
            byte[] distinct = new byte[input.readUnsignedShort()];
            input.readBytes(distinct);
            sketches.add(new ColumnSketch(columnId, values, bytes, Slices.wrappedBuffer(distinct)));
        }
        return ColumnSketches.of(sketches.build());
    }
}
