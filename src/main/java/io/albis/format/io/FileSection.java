package io.albis.format.io;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.Slice;
import io.airlift.slice.SliceInput;
import io.airlift.slice.SliceOutput;
import io.trino.filesystem.Location;

import java.util.List;
import java.util.Set;

import static com.google.common.base.Preconditions.checkArgument;
import static io.albis.format.io.AlbisDataException.Reason.TOO_NEW;
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
     * Returns the number of bytes that {@link #write} writes.
     */
    public static int length(List<FileSection> sections)
    {
        int length = Integer.BYTES;
        for (FileSection section : sections) {
            length += ENTRY_SIZE + section.content().length();
        }
        return length;
    }

    /**
     * Reads the sections at the end of a file. Their contents are not copied.
     *
     * @throws IllegalArgumentException or IndexOutOfBoundsException if the remaining input is not a list of sections
     */
    public static List<FileSection> read(SliceInput input)
    {
        int count = input.readInt();
        checkArgument(count >= 0 && (long) count * ENTRY_SIZE <= input.available(), "%s sections do not fit into the remaining %s bytes", count, input.available());
        SliceInput entries = input.readSlice(count * ENTRY_SIZE).getInput();
        ImmutableList.Builder<FileSection> sections = ImmutableList.builderWithExpectedSize(count);
        for (int i = 0; i < count; i++) {
            int kind = entries.readUnsignedShort();
            int column = entries.readInt();
            int length = entries.readInt();
            checkArgument(length >= 0 && length <= input.available(), "a section of %s bytes exceeds the remaining %s bytes", length, input.available());
            sections.add(new FileSection(kind, column, input.readSlice(length)));
        }
        checkArgument(input.available() == 0, "%s unexpected bytes at the end", input.available());
        return sections.build();
    }

    /**
     * Reads the sections at the end of a file whose kinds are known, and leaves out the others.
     *
     * @throws AlbisDataException TOO_NEW if another section must not be ignored
     * @throws IllegalArgumentException or IndexOutOfBoundsException if the remaining input is not a list of sections
     */
    public static List<FileSection> read(Location location, SliceInput input, Set<Integer> knownKinds)
            throws AlbisDataException
    {
        ImmutableList.Builder<FileSection> sections = ImmutableList.builder();
        for (FileSection section : read(input)) {
            if (knownKinds.contains(section.kind())) {
                sections.add(section);
            }
            else if (!section.isIgnorable()) {
                throw new AlbisDataException(TOO_NEW, "Albis file %s has a section of kind %s, which this reader does not support. Upgrade the Albis plugin", location, section.kind());
            }
        }
        return sections.build();
    }
}
