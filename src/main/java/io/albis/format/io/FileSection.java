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
 * A part of a file that has a kind and a length, so that a reader can skip it. A reader refuses a file with a section
 * that it does not know, unless the kind of the section is {@link #IGNORABLE}.
 *
 * @param kind kind of the section, at most 0xFFFF
 * @param column column to which the section belongs, or {@link #NO_COLUMN}
 */
public record FileSection(int kind, int column, Slice content)
{
    /**
     * The bit of a kind that a reader may ignore.
     */
    public static final int IGNORABLE = 0x8000;
    public static final int NO_COLUMN = -1;

    private static final int ENTRY_SIZE = Short.BYTES + 2 * Integer.BYTES;

    public FileSection
    {
        checkArgument(kind >= 0 && kind <= 0xFFFF, "kind is out of range: %s", kind);
        requireNonNull(content, "content is null");
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
     * Reads the sections whose kinds are known.
     *
     * @throws AlbisDataException TOO_NEW if another section must not be ignored
     * @throws IllegalArgumentException or IndexOutOfBoundsException if the input does not contain valid sections
     */
    public static List<FileSection> read(Location location, SliceInput input, Set<Integer> knownKinds)
            throws AlbisDataException
    {
        int count = input.readInt();
        checkArgument(count >= 0 && (long) count * ENTRY_SIZE <= input.available(), "%s sections do not fit into the remaining %s bytes", count, input.available());
        SliceInput entries = input.readSlice(count * ENTRY_SIZE).getInput();
        ImmutableList.Builder<FileSection> sections = ImmutableList.builder();
        for (int i = 0; i < count; i++) {
            int kind = entries.readUnsignedShort();
            int column = entries.readInt();
            int length = entries.readInt();
            checkArgument(length >= 0 && length <= input.available(), "a section of %s bytes exceeds the remaining %s bytes", length, input.available());
            Slice content = input.readSlice(length);
            if (knownKinds.contains(kind)) {
                sections.add(new FileSection(kind, column, content));
            }
            else if ((kind & IGNORABLE) == 0) {
                throw new AlbisDataException(TOO_NEW, "Albis file %s has a section of kind %s, which this reader does not support: upgrade the Albis plugin", location, kind);
            }
        }
        return sections.build();
    }
}
