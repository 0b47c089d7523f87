package io.albis.trino.documented;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.SliceInput;
import io.airlift.slice.Slices;
import io.albis.format.io.FileFrame;
import io.albis.format.io.FileKind;
import io.albis.format.io.FileSection;
import io.albis.format.metadata.TypeNames;
import io.trino.filesystem.Location;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a manifest says, read as docs/format.md describes it.
 *
 * @param addedVersions for each row group, the version that added it, or 0
 * @param deletes for each row group, the bitmap of its deleted rows
 * @param columnGroups ids of the column groups of all row groups
 * @param supersededColumns number of superseded columns of all column groups
 * @param fields number of fields with bounds in the entries of all row groups
 * @param sketches first byte and number of values of each sketch
 */
record StoredManifest(List<Long> addedVersions, List<Optional<StoredBitmap>> deletes, List<UUID> columnGroups, int supersededColumns, int fields, List<Sketch> sketches)
{
    private static final int SKETCHES = 0x8001;

    /**
     * @param form first byte of the sketch, or -1 if it has no bytes
     * @param values number of values that are not null
     */
    record Sketch(int form, long values) {}

    static StoredManifest read(Path file)
            throws IOException
    {
        Location location = Location.of("local://" + file);
        SliceInput input = FileFrame.unframe(location, FileKind.MANIFEST, Optional.of(UUID.fromString(file.getFileName().toString())), Slices.wrappedBuffer(Files.readAllBytes(file))).getInput();
        // features, id of the table, schema id
        input.skip(8 + 16 + 4);
        TypeNames.read(input);
        ImmutableList.Builder<Long> addedVersions = ImmutableList.builder();
        ImmutableList.Builder<Optional<StoredBitmap>> deletes = ImmutableList.builder();
        ImmutableList.Builder<UUID> columnGroups = ImmutableList.builder();
        int supersededColumns = 0;
        int fields = 0;
        int rowGroups = input.readInt();
        for (int rowGroup = 0; rowGroup < rowGroups; rowGroup++) {
            SliceInput entry = input.readSlice(input.readInt()).getInput();
            readId(entry);
            addedVersions.add(entry.readLong());
            long rows = entry.readLong();
            long liveRows = entry.readLong();
            Optional<StoredBitmap> deleted = readDeletes(entry);
            assertThat(deleted.map(StoredBitmap::count).orElse(0L)).isEqualTo(rows - liveRows);
            deletes.add(deleted);
            int groups = entry.readInt();
            for (int group = 0; group < groups; group++) {
                columnGroups.add(readId(entry));
                entry.skip(8 + 4);
                for (int columns = entry.readInt(); columns > 0; columns--) {
                    supersededColumns += entry.readInt() < 0 ? 1 : 0;
                }
            }
            skipStatistics(entry);
            if (entry.isReadable()) {
                skipPartition(entry);
            }
            if (entry.isReadable()) {
                fields += readFields(entry);
            }
        }
        ImmutableList.Builder<Sketch> sketches = ImmutableList.builder();
        for (FileSection section : FileSection.read(input)) {
            if (section.kind() == SKETCHES) {
                readSketches(section.content().getInput(), sketches);
            }
        }
        return new StoredManifest(addedVersions.build(), deletes.build(), columnGroups.build(), supersededColumns, fields, sketches.build());
    }

    private static Optional<StoredBitmap> readDeletes(SliceInput input)
    {
        if (input.readUnsignedByte() == 0) {
            return Optional.empty();
        }
        return Optional.of(new StoredBitmap(readId(input), input.readLong(), input.readInt(), input.readInt(), input.readLong()));
    }

    /**
     * Skips statistics and the types of their bounds, and returns their number.
     */
    private static int skipStatistics(SliceInput input)
    {
        int count = input.readInt();
        for (int i = 0; i < count; i++) {
            input.skip(4 + 8 + 1);
            for (int bounds = Integer.bitCount(input.readUnsignedByte()); bounds > 0; bounds--) {
                input.skip(input.readUnsignedShort());
            }
        }
        input.skip(count * 2L);
        return count;
    }

    private static void skipPartition(SliceInput input)
    {
        for (int values = input.readInt(); values > 0; values--) {
            input.skip(4 + 1 + 4);
            if (input.readUnsignedByte() == 1) {
                input.skip(input.readInt());
            }
        }
    }

    private static int readFields(SliceInput input)
    {
        int count = skipStatistics(input);
        for (int field = 0; field < count; field++) {
            input.skip(input.readUnsignedShort() * 4L);
        }
        assertThat(input.isReadable()).isFalse();
        return count;
    }

    private static void readSketches(SliceInput input, ImmutableList.Builder<Sketch> sketches)
    {
        int count = input.readInt();
        for (int i = 0; i < count; i++) {
            input.readInt();
            long values = input.readLong();
            input.readLong();
            SliceInput sketch = input.readSlice(input.readUnsignedShort()).getInput();
            sketches.add(new Sketch(sketch.isReadable() ? sketch.readUnsignedByte() : -1, values));
        }
    }

    private static UUID readId(SliceInput input)
    {
        String digits = HexFormat.of().formatHex(input.readSlice(16).getBytes());
        return UUID.fromString(digits.replaceFirst("(.{8})(.{4})(.{4})(.{4})(.{12})", "$1-$2-$3-$4-$5"));
    }
}
