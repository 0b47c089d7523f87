package io.albis.table.manifest;

import com.google.common.collect.AbstractIterator;
import io.airlift.slice.DynamicSliceOutput;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.albis.format.io.FileFrame;
import io.albis.format.io.FileSection;
import io.albis.format.metadata.RowGroup;
import io.albis.format.metadata.RowGroupCodec;
import io.albis.format.metadata.TypeNames;
import io.albis.format.schema.AlbisColumn;
import io.albis.table.model.ManifestBounds;
import io.albis.table.model.TableException;
import io.albis.table.model.TableRows;
import io.albis.table.model.TableVersion;
import io.albis.table.model.VersionRange;
import io.albis.table.sketch.ColumnSketches;

import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
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
    // Sketches take at most a quarter of a piece, because a manifest that is full of sketches would never be merged
    private static final int SKETCH_SHARE = 4;

    private final UUID table;
    private final int schemaId;
    private final List<AlbisColumn> columns;
    private final Set<Integer> columnIds;
    private final ManifestOptions options;
    private final Iterator<RowGroup> rowGroups;
    // Shared by all pieces, so that an entry can go to the next piece after it was encoded
    private final TypeNames types = new TypeNames();
    private final List<FileSection> otherSections;

    private List<FileSection> sections;
    // The entry of the next row group, which did not fit into the previous piece
    private Slice nextEntry = Slices.EMPTY_SLICE;
    private RowGroup nextRowGroup;

    /**
     * The body of a manifest.
     *
     * @param rowGroups number of row groups
     * @param rows total number of rows of the row groups
     * @param liveRows total number of rows that are not deleted
     * @param bytes total size of the row groups on storage, in bytes
     * @param firstVersion least version that added a row group, of those that are known
     * @param lastVersion greatest version that added a row group, of those that are known
     * @param hasNew whether the version that adds a row group is not known yet
     * @param bounds bounds of the columns over the row groups
     */
    record Piece(Slice body, int rowGroups, long rows, long liveRows, long bytes, long firstVersion, long lastVersion, boolean hasNew, ManifestBounds bounds)
    {
        /**
         * Returns the range of the versions that added the row groups.
         *
         * @param version the version that adds new row groups
         */
        VersionRange addedVersions(long version)
        {
            return hasNew ? new VersionRange(Math.min(firstVersion, version), version) : new VersionRange(firstVersion, lastVersion);
        }

        Piece withoutBody()
        {
            return new Piece(Slices.EMPTY_SLICE, rowGroups, rows, liveRows, bytes, firstVersion, lastVersion, hasNew, bounds);
        }
    }

    /**
     * Creates the sequence of the pieces with the content of a table.
     *
     * @param version a version with the columns of the table
     */
    ManifestPieces(TableVersion version, TableRows content, ManifestOptions options)
    {
        this.table = version.uuid();
        this.schemaId = version.schemaId();
        this.columns = version.schema().columns();
        this.columnIds = columns.stream().map(AlbisColumn::id).collect(toImmutableSet());
        this.options = options;
        this.rowGroups = content.rowGroups().iterator();
        ColumnSketches limited = content.sketches().limit(options.pieceLength() / SKETCH_SHARE);
        this.sections = ManifestBody.sections(limited);
        this.otherSections = ManifestBody.sections(limited.withoutValues());
        advance();
    }

    @Override
    protected Piece computeNext()
    {
        if (nextRowGroup == null) {
            return endOfData();
        }
        DynamicSliceOutput entries = new DynamicSliceOutput(1024);
        long others = FRAME_SIZE + ManifestBody.FIXED_SIZE + FileSection.length(sections);
        if (others + types.length() + nextEntry.length() > options.maxLength()) {
            throw new TableException(
                    NOT_SUPPORTED,
                    "The manifest entry of row group %s with %s columns takes %s bytes, but a manifest can have at most %s bytes: give the table fewer columns or fewer column groups",
                    nextRowGroup.id(),
                    nextRowGroup.columnIds().size(),
                    nextEntry.length(),
                    options.maxLength());
        }
        PieceSummary summary = new PieceSummary(columns);
        int count = 0;
        int typesLength;
        do {
            typesLength = types.length();
            entries.writeBytes(nextEntry);
            summary.add(nextRowGroup);
            count++;
            advance();
        }
        while (nextRowGroup != null && others + typesLength + entries.size() < options.pieceLength() && others + types.length() + entries.size() + nextEntry.length() <= options.maxLength());

        Slice body = ManifestBody.encode(table, schemaId, types, count, entries.slice(), sections);
        sections = otherSections;
        return summary.finish(body);
    }

    private void advance()
    {
        nextRowGroup = null;
        if (rowGroups.hasNext()) {
            // Column groups of which all columns were dropped are not read
            nextRowGroup = rowGroups.next().withColumns(columnIds);
            DynamicSliceOutput output = new DynamicSliceOutput(1024);
            RowGroupCodec.writeEntry(nextRowGroup, types, output);
            nextEntry = output.slice();
        }
    }
}
