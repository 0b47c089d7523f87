package io.albis.table.manifest;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.airlift.slice.DynamicSliceOutput;
import io.airlift.slice.Slice;
import io.airlift.slice.SliceInput;
import io.albis.format.io.AlbisDataException;
import io.albis.format.io.FileFrame;
import io.albis.format.io.FileKind;
import io.albis.format.io.FileSection;
import io.albis.format.metadata.RowGroup;
import io.albis.format.metadata.RowGroupsDecoder;
import io.albis.format.metadata.TypeNames;
import io.albis.table.model.TableRows;
import io.albis.table.sketch.ColumnSketches;
import io.albis.table.sketch.SketchCodec;
import io.trino.filesystem.Location;

import java.util.List;
import java.util.UUID;

import static com.google.common.base.Preconditions.checkArgument;
import static io.airlift.slice.SizeOf.sizeOfObjectArray;
import static io.albis.format.io.AlbisDataException.damaged;

/**
 * Encodes and decodes the body of a manifest: features (8), the id of the table (16, in the order in which a UUID is
 * printed), the schema id of the writer (4), the names of types, the number of row groups (4), their entries, and
 * sections. The only section so far contains the sketches.
 */
final class ManifestBody
{
    // features, table id, schema id, and number of row groups
    static final int FIXED_SIZE = 3 * Long.BYTES + 2 * Integer.BYTES;

    private static final int SKETCHES = FileSection.IGNORABLE | 1;

    private ManifestBody() {}

    static List<FileSection> sections(ColumnSketches sketches)
    {
        if (sketches.columns().isEmpty()) {
            return ImmutableList.of();
        }
        DynamicSliceOutput output = new DynamicSliceOutput(1024);
        SketchCodec.write(sketches, output);
        return ImmutableList.of(new FileSection(SKETCHES, FileSection.NO_COLUMN, output.slice()));
    }

    /**
     * Encodes the body of a manifest.
     *
     * @param entries encoded row groups
     * @param types names of the types of these entries, and possibly others
     */
    static Slice encode(UUID table, int schemaId, TypeNames types, int count, Slice entries, List<FileSection> sections)
    {
        DynamicSliceOutput body = new DynamicSliceOutput(FIXED_SIZE + types.length() + entries.length() + FileSection.length(sections));
        FileFrame.writeFeatures(body);
        body.writeLong(Long.reverseBytes(table.getMostSignificantBits()));
        body.writeLong(Long.reverseBytes(table.getLeastSignificantBits()));
        body.writeInt(schemaId);
        types.write(body);
        body.writeInt(count);
        body.writeBytes(entries);
        FileSection.write(sections, body);
        return body.slice();
    }

    /**
     * Decodes the body of a manifest.
     *
     * @param length length of the file
     * @throws AlbisDataException TOO_NEW if the manifest requires a newer reader
     * @throws io.albis.format.io.TooNewException if it contains a code that this reader does not know
     * @throws IllegalArgumentException or IndexOutOfBoundsException if the body is not valid
     */
    static Manifest decode(Location location, int length, Slice body)
            throws AlbisDataException
    {
        SliceInput input = body.getInput();
        FileFrame.checkFeatures(location, FileKind.MANIFEST, input);
        UUID table = new UUID(Long.reverseBytes(input.readLong()), Long.reverseBytes(input.readLong()));
        // The schema id is information for people
        input.readInt();
        List<String> types = TypeNames.read(input);
        int count = input.readInt();
        checkArgument(count >= 0 && (long) count * RowGroupsDecoder.MIN_SIZE <= input.available(), "it cannot have %s row groups in the remaining %s bytes", count, input.available());
        RowGroupsDecoder decoder = new RowGroupsDecoder(input, types);
        ImmutableList.Builder<RowGroup> rowGroups = ImmutableList.builderWithExpectedSize(count);
        long rows = 0;
        long liveRows = 0;
        for (int i = 0; i < count; i++) {
            RowGroup rowGroup = decoder.read();
            checkArgument(rowGroup.rows() <= Long.MAX_VALUE - rows, "it has more rows than a table can have");
            rows += rowGroup.rows();
            liveRows += rowGroup.liveRows();
            rowGroups.add(rowGroup);
        }
        ColumnSketches sketches = readSketches(location, input);
        if (input.isReadable()) {
            throw damaged("Damaged Albis file %s: it has %s unexpected bytes at its end", location, input.available());
        }
        long retainedSize = Manifest.INSTANCE_SIZE + body.getRetainedSize() + sizeOfObjectArray(count) + decoder.retainedSize() + sketches.retainedSize();
        return new Manifest(table, length, rows, liveRows, new TableRows(rowGroups.build(), sketches), retainedSize);
    }

    private static ColumnSketches readSketches(Location location, SliceInput input)
            throws AlbisDataException
    {
        List<FileSection> sections = FileSection.read(location, input, ImmutableSet.of(SKETCHES));
        checkArgument(sections.size() <= 1, "it has %s sections with sketches", sections.size());
        if (sections.isEmpty()) {
            return ColumnSketches.NONE;
        }
        SliceInput content = sections.getFirst().content().getInput();
        ColumnSketches sketches = SketchCodec.read(content);
        checkArgument(!content.isReadable(), "its sketches end with %s unexpected bytes", content.available());
        return sketches;
    }
}
