package io.albis.trino.write;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.DynamicSliceOutput;
import io.airlift.slice.Slice;
import io.airlift.slice.SliceInput;
import io.albis.format.metadata.RowGroup;
import io.albis.format.metadata.RowGroupCodec;
import io.albis.table.model.TableRows;
import io.albis.table.sketch.ColumnSketches;
import io.albis.table.sketch.SketchCodec;

import java.util.Collection;
import java.util.List;

/**
 * Encodes and decodes the fragments that page sinks send to the commit: one for each row group that a sink wrote, and
 * one with the sketches of all of its rows.
 */
final class WriteFragments
{
    private static final int FRAGMENT_SIZE = 1024;
    // kinds of fragments: the first byte of a fragment
    private static final int ROW_GROUP = 0;
    private static final int SKETCHES = 1;

    private WriteFragments() {}

    /**
     * Encodes the fragments of one page sink.
     *
     * @param sketches of the rows in these row groups
     * @return no fragment if there are no row groups
     */
    public static List<Slice> encode(List<RowGroup> rowGroups, ColumnSketches sketches)
    {
        if (rowGroups.isEmpty()) {
            return ImmutableList.of();
        }
        ImmutableList.Builder<Slice> fragments = ImmutableList.builder();
        for (RowGroup rowGroup : rowGroups) {
            DynamicSliceOutput output = new DynamicSliceOutput(FRAGMENT_SIZE);
            output.writeByte(ROW_GROUP);
            RowGroupCodec.write(rowGroup, output);
            fragments.add(output.slice());
        }
        DynamicSliceOutput output = new DynamicSliceOutput(FRAGMENT_SIZE);
        output.writeByte(SKETCHES);
        SketchCodec.write(sketches, output);
        fragments.add(output.slice());
        return fragments.build();
    }

    /**
     * Decodes fragments.
     *
     * @param fragments of any number of page sinks, in any order
     */
    public static TableRows decode(Collection<Slice> fragments)
    {
        ImmutableList.Builder<RowGroup> rowGroups = ImmutableList.builder();
        ImmutableList.Builder<ColumnSketches> sketches = ImmutableList.builder();
        for (Slice fragment : fragments) {
            SliceInput input = fragment.getInput();
            int kind = input.readUnsignedByte();
            switch (kind) {
                case ROW_GROUP -> rowGroups.add(RowGroupCodec.read(input));
                case SKETCHES -> sketches.add(SketchCodec.read(input));
                default -> throw new IllegalArgumentException("Unknown kind of fragment: " + kind);
            }
        }
        return new TableRows(rowGroups.build(), ColumnSketches.merge(sketches.build()));
    }
}
