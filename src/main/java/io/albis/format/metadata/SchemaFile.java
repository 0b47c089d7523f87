package io.albis.format.metadata;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.DynamicSliceOutput;
import io.airlift.slice.Slice;
import io.airlift.slice.SliceInput;
import io.airlift.slice.SliceOutput;
import io.airlift.slice.Slices;
import io.albis.format.io.AlbisDataException;
import io.albis.format.io.Decoding;
import io.albis.format.io.FileFrame;
import io.albis.format.io.FileKind;
import io.albis.format.io.TooNewException;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.schema.RowGroupSchema;
import io.albis.format.type.TypeResolver;
import io.trino.filesystem.Location;
import io.trino.spi.type.Type;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

import static com.google.common.base.Preconditions.checkArgument;
import static io.albis.format.io.AlbisDataException.Reason.TOO_NEW;
import static io.albis.format.statistics.StatisticsCodec.readCount;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Encodes and decodes the {@code schema} file of a folder of row groups that belongs to no table (Albis paper, section
 * 3.3).
 */
public final class SchemaFile
{
    public static final String NAME = "schema";

    private static final int MIN_COLUMN_SIZE = Integer.BYTES + 2 * Short.BYTES;
    private static final int MIN_GROUP_SIZE = 1 + Integer.BYTES;

    private SchemaFile() {}

    /**
     * Encodes a schema as a file.
     */
    public static Slice encode(RowGroupSchema schema)
    {
        SliceOutput output = new DynamicSliceOutput(256);
        FileFrame.writeFeatures(output);
        output.writeInt(schema.columns().size());
        for (AlbisColumn column : schema.columns()) {
            output.writeInt(column.id());
            writeText(column.name(), output);
            writeText(column.type().getTypeId().getId(), output);
        }
        output.writeInt(schema.columnGroups().size());
        for (AlbisColumnGroup columnGroup : schema.columnGroups()) {
            output.writeByte(columnGroup.layout().code());
            output.writeInt(columnGroup.columns().size());
            for (AlbisColumn column : columnGroup.columns()) {
                output.writeInt(schema.columns().indexOf(column));
            }
        }
        return FileFrame.frame(FileKind.SCHEMA, UUID.randomUUID(), output.slice());
    }

    /**
     * Verifies and decodes a file.
     *
     * @param location name of the file, for error messages
     * @throws AlbisDataException if the file is damaged, has an unsupported version, or contains a type that cannot be
     *         resolved
     */
    public static RowGroupSchema decode(Location location, Slice file, TypeResolver types)
            throws AlbisDataException
    {
        SliceInput input = FileFrame.unframe(location, FileKind.SCHEMA, Optional.empty(), file).getInput();
        return Decoding.decode(location, () -> decode(location, input, types));
    }

    private static RowGroupSchema decode(Location location, SliceInput input, TypeResolver types)
            throws AlbisDataException
    {
        FileFrame.checkFeatures(location, FileKind.SCHEMA, input);
        int columnCount = readCount(input, MIN_COLUMN_SIZE);
        ImmutableList.Builder<AlbisColumn> columnsBuilder = ImmutableList.builderWithExpectedSize(columnCount);
        for (int i = 0; i < columnCount; i++) {
            int id = input.readInt();
            String name = readText(input);
            columnsBuilder.add(new AlbisColumn(id, name, resolve(location, types, readText(input))));
        }
        List<AlbisColumn> columns = columnsBuilder.build();
        int groupCount = readCount(input, MIN_GROUP_SIZE);
        ImmutableList.Builder<AlbisColumnGroup> groups = ImmutableList.builderWithExpectedSize(groupCount);
        for (int i = 0; i < groupCount; i++) {
            int layoutCode = input.readUnsignedByte();
            AlbisLayout layout = AlbisLayout.find(layoutCode).orElseThrow(() -> new TooNewException("unknown layout %s", layoutCode));
            int size = readCount(input, Integer.BYTES);
            ImmutableList.Builder<AlbisColumn> group = ImmutableList.builderWithExpectedSize(size);
            for (int column = 0; column < size; column++) {
                group.add(columns.get(input.readInt()));
            }
            groups.add(new AlbisColumnGroup(layout, group.build()));
        }
        checkArgument(input.available() == 0, "%s unexpected bytes at the end", input.available());
        return new RowGroupSchema(columns, groups.build());
    }

    private static Type resolve(Location location, TypeResolver types, String typeId)
            throws AlbisDataException
    {
        try {
            return types.resolve(typeId);
        }
        catch (RuntimeException e) {
            // each resolver throws different exceptions
            throw tooNew(location, "a column of the type '%s'".formatted(typeId), e);
        }
    }

    private static AlbisDataException tooNew(Location location, String what, RuntimeException cause)
    {
        AlbisDataException tooNew = new AlbisDataException(TOO_NEW, "Albis file %s has %s, which this reader does not support", location, what);
        tooNew.initCause(cause);
        return tooNew;
    }

    private static void writeText(String text, SliceOutput output)
    {
        byte[] bytes = text.getBytes(UTF_8);
        checkArgument(bytes.length <= 0xFFFF, "a name of %s bytes exceeds the maximum of 65535 bytes", bytes.length);
        output.writeShort(bytes.length);
        output.writeBytes(bytes);
    }

    private static String readText(SliceInput input)
    {
        Slice text = Slices.allocate(input.readUnsignedShort());
        input.readBytes(text);
        return text.toStringUtf8();
    }
}
