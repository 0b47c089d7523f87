package io.albis.trino.fragment;

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
 * the sketches of all of its rows, one for each row group whose rows it deleted, and for column groups that it wrote
 * again the same as for row groups.
 */
public final class WriteFragments
{
    private static final int FRAGMENT_SIZE = 1024;
    private static final int DELETES_FRAGMENT_SIZE = 64;
    // kinds of fragments: the first byte of a fragment
    private static final int ROW_GROUP = 0;
    private static final int SKETCHES = 1;
    private static final int DELETES = 2;
    private static final int REWRITTEN = 3;
    private static final int REWRITTEN_SKETCHES = 4;

    private WriteFragments() {}

    /**
     * Encodes the fragments of one page sink.
     *
     * @param sketches of the rows in these row groups
     * @return no fragment if there are no row groups
     */
    public static List<Slice> encode(List<RowGroup> rowGroups, ColumnSketches sketches)
    {
        return encode(rowGroups, ROW_GROUP, sketches, SKETCHES);
    }

    /**
     * Encodes the new instances of column groups of one merge sink.
     *
     * @param rewritten row groups with only the new instances, and sketches of the new values
     */
    public static List<Slice> encodeRewritten(TableRows rewritten)
    {
        return encode(rewritten.rowGroups(), REWRITTEN, rewritten.sketches(), REWRITTEN_SKETCHES);
    }

    private static List<Slice> encode(List<RowGroup> rowGroups, int rowGroupKind, ColumnSketches sketches, int sketchesKind)
    {
        if (rowGroups.isEmpty()) {
            return ImmutableList.of();
        }
        ImmutableList.Builder<Slice> fragments = ImmutableList.builder();
        for (RowGroup rowGroup : rowGroups) {
            DynamicSliceOutput output = new DynamicSliceOutput(FRAGMENT_SIZE);
            output.writeByte(rowGroupKind);
            RowGroupCodec.write(rowGroup, output);
            fragments.add(output.slice());
        }
        DynamicSliceOutput output = new DynamicSliceOutput(FRAGMENT_SIZE);
        output.writeByte(sketchesKind);
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
        ImmutableList.Builder<RowGroup> rewritten = ImmutableList.builder();
        ImmutableList.Builder<ColumnSketches> rewrittenSketches = ImmutableList.builder();
        for (Slice fragment : fragments) {
            SliceInput input = fragment.getInput();
            int kind = input.readUnsignedByte();
            switch (kind) {
                case ROW_GROUP -> rowGroups.add(RowGroupCodec.read(input));
                case SKETCHES -> sketches.add(SketchCodec.read(input));
                case DELETES -> deletes.add(RowGroupDeletes.read(input));
                case REWRITTEN -> rewritten.add(RowGroupCodec.read(input));
                case REWRITTEN_SKETCHES -> rewrittenSketches.add(SketchCodec.read(input));
                default -> throw new IllegalArgumentException("Unknown kind of fragment: " + kind);
            }
        }
        return new WrittenChanges(
                new TableRows(rowGroups.build(), ColumnSketches.merge(sketches.build())),
                deletes.build(),
                new TableRows(rewritten.build(), ColumnSketches.merge(rewrittenSketches.build())));
    }
}
