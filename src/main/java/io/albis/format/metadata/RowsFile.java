package io.albis.format.metadata;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.airlift.slice.DynamicSliceOutput;
import io.airlift.slice.Slice;
import io.airlift.slice.SliceInput;
import io.albis.format.io.AlbisDataException;
import io.albis.format.io.Decoding;
import io.albis.format.io.FileFrame;
import io.albis.format.io.FileKind;
import io.albis.format.io.FileSection;
import io.albis.format.statistics.StatisticsCodec;
import io.trino.filesystem.Location;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * Encodes and decodes the file that lists the row groups of one writer in a folder that belongs to no table; see
 * {@code docs/format.md}.
 */
public final class RowsFile
{
    private RowsFile() {}

    /**
     * Returns the id in the name of such a file.
     *
     * @return empty if the name is not that of a file of this kind
     */
    public static Optional<UUID> id(String fileName)
    {
        return FileIds.parse(fileName);
    }

    /**
     * Encodes the row groups of a writer as a file with the given id.
     */
    public static Slice encode(UUID id, List<RowGroup> rowGroups)
    {
        TypeNames types = new TypeNames();
        DynamicSliceOutput entries = new DynamicSliceOutput(1024);
        for (RowGroup rowGroup : rowGroups) {
            RowGroupCodec.writeEntry(rowGroup, types, entries);
        }
        DynamicSliceOutput body = new DynamicSliceOutput(1024);
        FileFrame.writeFeatures(body);
        types.write(body);
        body.writeInt(rowGroups.size());
        body.writeBytes(entries.slice());
        FileSection.write(ImmutableList.of(), body);
        return FileFrame.frame(FileKind.ROWS, id, body.slice());
    }

    /**
     * Verifies and decodes a file.
     *
     * @param location name of the file, for error messages
     * @param id expected id of the file
     * @throws AlbisDataException if the file is damaged or has an unsupported version
     */
    public static List<RowGroup> decode(Location location, UUID id, Slice file)
            throws AlbisDataException
    {
        SliceInput input = FileFrame.unframe(location, FileKind.ROWS, Optional.of(id), file).getInput();
        return Decoding.decode(location, () -> decode(location, input));
    }

    private static List<RowGroup> decode(Location location, SliceInput input)
            throws AlbisDataException
    {
        FileFrame.checkFeatures(location, FileKind.ROWS, input);
        List<String> types = TypeNames.read(input);
        int count = StatisticsCodec.readCount(input, RowGroupCodec.MIN_SIZE);
        ImmutableList.Builder<RowGroup> rowGroups = ImmutableList.builderWithExpectedSize(count);
        for (int i = 0; i < count; i++) {
            rowGroups.add(RowGroupCodec.readEntry(input, types));
        }
        FileSection.read(location, input, ImmutableSet.of());
        checkArgument(input.available() == 0, "%s unexpected bytes at the end", input.available());
        return rowGroups.build();
    }
}
