package io.albis.format.io;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.Slice;
import io.airlift.slice.SliceInput;
import io.airlift.slice.SliceOutput;

import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * A part of a binary file that states its kind and its length, so that a reader can skip what it does not know.
 *
 * @param kind kind of the content, from 0 to 65,535. A reader may ignore a kind with the bit {@link #IGNORABLE}
 * @param column index of the column that the section describes, or {@link #NO_COLUMN}
 */
public record FileSection(int kind, int column, Slice content)
{
    public static final int IGNORABLE = 0x8000;
    public static final int NO_COLUMN = -1;

    private static final int MAX_KIND = 0xFFFF;
    private static final int ENTRY_SIZE = Short.BYTES + 2 * Integer.BYTES;

    public FileSection
    {
        checkArgument(kind >= 0 && kind <= MAX_KIND, "invalid kind of section: %s", kind);
        requireNonNull(content, "content is null");
    }

    public boolean isIgnorable()
    {
        return (kind & IGNORABLE) != 0;
    }

    /**
     * Writes a list of sections: their number, the kind, column, and length of each, and then their contents.
     */
    public static void write(List<FileSection> sections, SliceOutput output)
    {
        output.writeInt(sections.size());
        for (FileSection section : sections) {
            output.writeShort(section.kind());
            output.writeInt(section.column());
            output.writeInt(section.content().length());
        }
        for (FileSection section : sections) {
            output.writeBytes(section.content());
        }
    }

    /**
     * Reads the sections at the end of a file. Their contents are not copied.
     *
     * @param body the bytes that {@code input} reads
     * @throws IllegalArgumentException or IndexOutOfBoundsException if the remaining input is not a list of sections
     */
    public static List<FileSection> read(Slice body, SliceInput input)
    {
        int count = input.readInt();
        checkArgument(count >= 0 && (long) count * ENTRY_SIZE <= input.available(), "%s sections do not fit into the remaining %s bytes", count, input.available());
        long offset = input.position() + (long) count * ENTRY_SIZE;
        ImmutableList.Builder<FileSection> sections = ImmutableList.builderWithExpectedSize(count);
        for (int i = 0; i < count; i++) {
            int kind = input.readUnsignedShort();
            int column = input.readInt();
            int length = input.readInt();
            checkArgument(length >= 0 && length <= body.length() - offset, "a section of %s bytes at %s exceeds the %s bytes of the body", length, offset, body.length());
            sections.add(new FileSection(kind, column, body.slice((int) offset, length)));
            offset += length;
        }
        checkArgument(offset == body.length(), "%s unexpected bytes at the end", body.length() - offset);
        return sections.build();
    }
}
