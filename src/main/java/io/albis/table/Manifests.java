package io.albis.table;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.DynamicSliceOutput;
import io.airlift.slice.Slice;
import io.airlift.slice.SliceInput;
import io.airlift.slice.Slices;
import io.albis.format.metadata.FileFrame;
import io.albis.format.metadata.FileKind;
import io.albis.format.metadata.RowGroup;
import io.albis.format.metadata.RowGroupCodec;
import io.albis.format.writer.OutputFiles;
import io.albis.table.sketch.ColumnSketches;
import io.albis.table.sketch.SketchCodec;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.TrinoInputStream;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import static io.albis.format.AlbisDataException.damaged;
import static java.lang.Math.toIntExact;
import static java.util.Objects.requireNonNull;

/**
 * The manifests of one table: files that list row groups. The body of a file is the uuid of the table (16 bytes, as
 * printed), the number of row groups (4 bytes), the row groups, one after the other, and the sketches of their columns.
 */
final class Manifests
{
    private static final int MAX_LENGTH = 1 << 30;
    // a manifest is to be merged with others for as long as its row groups do not fill it
    private static final long MAX_SKETCH_BYTES = ManifestMerge.FULL_LENGTH / 4;

    private final TrinoFileSystem fileSystem;
    private final TableLayout layout;
    private final UUID uuid;

    Manifests(TrinoFileSystem fileSystem, TableLayout layout, UUID uuid)
    {
        this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
        this.layout = requireNonNull(layout, "layout is null");
        this.uuid = requireNonNull(uuid, "uuid is null");
    }

    /**
     * @param content at least one row group
     */
    ManifestEntry write(TableRows content)
            throws IOException
    {
        DynamicSliceOutput body = new DynamicSliceOutput(1024);
        body.writeLong(Long.reverseBytes(uuid.getMostSignificantBits()));
        body.writeLong(Long.reverseBytes(uuid.getLeastSignificantBits()));
        body.writeInt(content.rowGroups().size());
        long rows = 0;
        long bytes = 0;
        for (RowGroup rowGroup : content.rowGroups()) {
            RowGroupCodec.write(rowGroup, body);
            rows += rowGroup.rows();
            bytes += rowGroup.bytes();
        }
        SketchCodec.write(content.sketches().limit(MAX_SKETCH_BYTES), body);
        UUID id = UUID.randomUUID();
        Slice file = FileFrame.frame(FileKind.MANIFEST, id, body.slice());
        try (OutputStream output = OutputFiles.create(fileSystem, layout.manifest(id))) {
            output.write(file.byteArray(), file.byteArrayOffset(), file.length());
        }
        return new ManifestEntry(id, file.length(), content.rowGroups().size(), rows, bytes);
    }

    /**
     * @return the content of each manifest
     */
    List<TableRows> readAll(List<ManifestEntry> entries)
            throws IOException
    {
        ImmutableList.Builder<TableRows> contents = ImmutableList.builder();
        for (ManifestEntry entry : entries) {
            contents.add(read(entry));
        }
        return contents.build();
    }

    /**
     * @throws io.albis.format.AlbisDataException if the file is missing or damaged, or not the one that the version means
     */
    TableRows read(ManifestEntry entry)
            throws IOException
    {
        Location location = layout.manifest(entry.id());
        Slice body = FileFrame.unframe(location, FileKind.MANIFEST, Optional.of(entry.id()), readFile(location, entry));
        try {
            return decode(location, entry, body.getInput());
        }
        catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw damaged("Damaged Albis file %s: %s", location, e.getMessage());
        }
    }

    void deleteQuietly(ManifestEntry entry)
    {
        try {
            fileSystem.deleteFile(layout.manifest(entry.id()));
        }
        catch (IOException | RuntimeException e) {
            // No version names it: it is garbage
        }
    }

    private Slice readFile(Location location, ManifestEntry entry)
            throws IOException
    {
        if (entry.length() > MAX_LENGTH) {
            throw damaged("Damaged Albis file %s: its length cannot be %s bytes", location, entry.length());
        }
        try (TrinoInputStream input = fileSystem.newInputFile(location).newStream()) {
            // The length is only a claim: what is allocated grows with what is there. One byte more tells of what follows
            byte[] file = input.readNBytes(toIntExact(entry.length()) + 1);
            if (file.length > entry.length()) {
                throw damaged("Damaged Albis file %s: it has more than %s bytes", location, entry.length());
            }
            if (file.length < entry.length()) {
                throw damaged("Damaged Albis file %s: it has %s bytes and not %s", location, file.length, entry.length());
            }
            return Slices.wrappedBuffer(file);
        }
        catch (FileNotFoundException e) {
            throw damaged("Damaged Albis file %s: it is missing", location);
        }
    }

    private TableRows decode(Location location, ManifestEntry entry, SliceInput input)
            throws IOException
    {
        UUID table = new UUID(Long.reverseBytes(input.readLong()), Long.reverseBytes(input.readLong()));
        if (!table.equals(uuid)) {
            throw damaged("Damaged Albis file %s: it belongs to table %s and not to %s", location, table, uuid);
        }
        int count = input.readInt();
        if (count != entry.rowGroups()) {
            throw damaged("Damaged Albis file %s: it has %s row groups and not %s", location, count, entry.rowGroups());
        }
        ImmutableList.Builder<RowGroup> rowGroups = ImmutableList.builder();
        long rows = 0;
        for (int i = 0; i < count; i++) {
            RowGroup rowGroup = RowGroupCodec.read(input);
            rows += rowGroup.rows();
            rowGroups.add(rowGroup);
        }
        if (rows != entry.rows()) {
            throw damaged("Damaged Albis file %s: it has other rows than the version says", location);
        }
        ColumnSketches sketches = SketchCodec.read(input);
        if (input.isReadable()) {
            throw damaged("Damaged Albis file %s: %s bytes are left at its end", location, input.available());
        }
        return new TableRows(rowGroups.build(), sketches);
    }
}
