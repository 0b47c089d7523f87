package io.albis.trino.fragment;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.DynamicSliceOutput;
import io.airlift.slice.Slice;
import io.airlift.slice.SliceInput;
import io.airlift.slice.Slices;

import java.util.Base64;
import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * The result of one unit of a plan: the row groups, or the column groups of row groups, that it has written.
 *
 * @param unit index of the unit in the plan
 * @param fragments of the sink that wrote its rows, or of the new column groups; empty if nothing was written
 */
public record OptimizedUnit(int unit, List<Slice> fragments)
{
    public OptimizedUnit
    {
        checkArgument(unit >= 0, "unit is negative: %s", unit);
        fragments = ImmutableList.copyOf(fragments);
    }

    /**
     * Returns a text, because the column of the scan that carries it has the type VARCHAR.
     */
    public Slice encode()
    {
        DynamicSliceOutput output = new DynamicSliceOutput(Long.BYTES);
        output.writeInt(unit);
        output.writeInt(fragments.size());
        for (Slice fragment : fragments) {
            output.writeInt(fragment.length());
            output.writeBytes(fragment);
        }
        return Slices.wrappedBuffer(Base64.getEncoder().encode(output.slice().getBytes()));
    }

    public static OptimizedUnit decode(Slice text)
    {
        SliceInput input = Slices.wrappedBuffer(Base64.getDecoder().decode(text.getBytes())).getInput();
        int unit = input.readInt();
        int count = input.readInt();
        ImmutableList.Builder<Slice> fragments = ImmutableList.builder();
        for (int i = 0; i < count; i++) {
            fragments.add(input.readSlice(input.readInt()));
        }
        return new OptimizedUnit(unit, fragments.build());
    }
}
