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
 * Encodes and decodes the fragments that sinks send to the commit: one for each row group that a sink wrote, one with
 * the sketches of all of its rows, and one for each row group whose rows it deleted.
 */
final class WriteFragments
{
    private static final int FRAGMENT_SIZE = 1024;
    private static final int DELETES_FRAGMENT_SIZE = 64;
    // kinds of fragments: the first byte of a fragment
    private static final int ROW_GROUP = 0;
    private static final int SKETCHES = 1;
    private static final int DELETES = 2;

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
     * Encodes the deleted rows of one merge sink.
     */
    public static List<Slice> encode(List<RowGroupDeletes> deletes)
    {
        ImmutableList.Builder<Slice> fragments = ImmutableList.builder();
        for (RowGroupDeletes delete : deletes) {
            DynamicSliceOutput output = new DynamicSliceOutput(DELETES_FRAGMENT_SIZE);
            output.writeByte(DELETES);
            delete.write(output);
            fragments.add(output.slice());
        }
        return fragments.build();
    }

    /**
     * Decodes fragments.
     *
     * @param fragments of any number of sinks, in any order
     */
    public static WrittenChanges decode(Collection<Slice> fragments)
    {
        ImmutableList.Builder<RowGroup> rowGroups = ImmutableList.builder();
        ImmutableList.Builder<ColumnSketches> sketches = ImmutableList.builder();
        ImmutableList.Builder<RowGroupDeletes> deletes = ImmutableList.builder();
        for (Slice fragment : fragments) {
            SliceInput input = fragment.getInput();
            int kind = input.readUnsignedByte();
            switch (kind) {
                case ROW_GROUP -> rowGroups.add(RowGroupCodec.read(input));
                case SKETCHES -> sketches.add(SketchCodec.read(input));
                case DELETES -> deletes.add(RowGroupDeletes.read(input));
                default -> throw new IllegalArgumentException("Unknown kind of fragment: " + kind);
            }
        }
        return new WrittenChanges(new TableRows(rowGroups.build(), ColumnSketches.merge(sketches.build())), deletes.build());
    }
}
