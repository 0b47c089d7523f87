package io.albis.table.manifest;

import com.google.common.collect.AbstractIterator;
import io.airlift.slice.DynamicSliceOutput;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.albis.format.io.FileFrame;
import io.albis.format.metadata.RowGroup;
import io.albis.format.metadata.RowGroupCodec;
import io.albis.table.model.TableException;
import io.albis.table.model.TableRows;
import io.albis.table.sketch.ColumnSketches;
import io.albis.table.sketch.SketchCodec;

import java.util.Iterator;
import java.util.UUID;

import static io.albis.table.model.TableException.Reason.NOT_SUPPORTED;

/**
 * Encodes row groups as the bodies of one or more manifests. Each body is encoded on demand, so that only one is in
 * memory. A piece ends once it is full, or before a row group that would exceed the maximum length. The first piece
 * contains the sketches, which cover all row groups. The other pieces contain sketches without values, so that merging
 * the sketches of all pieces yields those of the first.
 */
final class ManifestPieces
        extends AbstractIterator<ManifestPieces.Piece>
{
    private static final int FRAME_SIZE = FileFrame.frameSize();
    private static final int HEADER_SIZE = 2 * Long.BYTES + Integer.BYTES;
    // Sketches take at most a quarter of a piece, because a manifest that is full of sketches would never be merged
    private static final int SKETCH_SHARE = 4;

    private final UUID table;
    private final ManifestOptions options;
    private final Iterator<RowGroup> rowGroups;
    private final Slice otherSketches;

    private Slice sketches;
    // The entry of the next row group, which did not fit into the previous piece
    private Slice nextEntry = Slices.EMPTY_SLICE;
    private RowGroup nextRowGroup;

    /**
     * The body of a manifest.
     *
     * @param rowGroups number of row groups
     * @param rows total number of rows of the row groups
     * @param bytes total size of the row groups on storage, in bytes
     */
    record Piece(Slice body, int rowGroups, long rows, long bytes) {}

    ManifestPieces(UUID table, TableRows content, ManifestOptions options)
    {
        this.table = table;
        this.options = options;
        this.rowGroups = content.rowGroups().iterator();
        ColumnSketches limited = content.sketches().limit(options.pieceLength() / SKETCH_SHARE);
        this.sketches = encode(limited);
        this.otherSketches = encode(limited.withoutValues());
        advance();
    }

    @Override
    protected Piece computeNext()
    {
        if (nextRowGroup == null) {
            return endOfData();
        }
        DynamicSliceOutput entries = new DynamicSliceOutput(1024);
        long others = FRAME_SIZE + HEADER_SIZE + sketches.length();
        if (others + nextEntry.length() > options.maxLength()) {
            throw new TableException(
                    NOT_SUPPORTED,
                    "The manifest entry of row group %s with %s columns takes %s bytes, but a manifest can have at most %s bytes: give the table fewer columns or fewer column groups",
                    nextRowGroup.id(),
                    nextRowGroup.columnIds().size(),
                    nextEntry.length(),
                    options.maxLength());
        }
        int count = 0;
        long rows = 0;
        long bytes = 0;
        do {
            entries.writeBytes(nextEntry);
            count++;
            rows += nextRowGroup.rows();
            bytes += nextRowGroup.bytes();
            advance();
        }
        while (nextRowGroup != null && others + entries.size() < options.pieceLength() && others + entries.size() + nextEntry.length() <= options.maxLength());

        DynamicSliceOutput body = new DynamicSliceOutput(HEADER_SIZE + entries.size() + sketches.length());
        body.writeLong(Long.reverseBytes(table.getMostSignificantBits()));
        body.writeLong(Long.reverseBytes(table.getLeastSignificantBits()));
        body.writeInt(count);
        body.writeBytes(entries.slice());
        body.writeBytes(sketches);
        sketches = otherSketches;
        return new Piece(body.slice(), count, rows, bytes);
    }

    private void advance()
    {
        nextRowGroup = null;
        if (rowGroups.hasNext()) {
            nextRowGroup = rowGroups.next();
            DynamicSliceOutput output = new DynamicSliceOutput(1024);
            RowGroupCodec.write(nextRowGroup, output);
            nextEntry = output.slice();
        }
    }

    private static Slice encode(ColumnSketches sketches)
    {
        DynamicSliceOutput output = new DynamicSliceOutput(1024);
        SketchCodec.write(sketches, output);
        return output.slice();
    }
}
