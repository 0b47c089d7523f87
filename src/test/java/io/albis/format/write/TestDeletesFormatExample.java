package io.albis.format.write;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.DynamicSliceOutput;
import io.albis.filesystem.FileBytes;
import io.albis.format.delete.DeletedPositions;
import io.albis.format.delete.DeletesReader;
import io.albis.format.delete.DeletesWriter;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.DeletedRows;
import io.albis.format.metadata.RowGroup;
import io.albis.format.metadata.RowGroupCodec;
import io.albis.format.metadata.TypeNames;
import io.albis.format.statistics.ColumnStatistics;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystemFactory;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import static io.albis.format.DocumentedDump.documented;
import static io.albis.format.DocumentedDump.dump;
import static io.albis.format.DocumentedDump.parse;
import static io.albis.format.statistics.ValueOrder.ASCENDING;
import static io.trino.spi.security.ConnectorIdentity.ofUser;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the example of a deletes file in docs/format.md: the writer produces its hex dump, and the reader reads it
 * back.
 */
final class TestDeletesFormatExample
{
    private static final Location FOLDER = Location.of("memory:///example");
    private static final UUID FILE = UUID.fromString("5ab1e0c3-77d2-4c1e-9f04-2d6b8f3a9c17");
    private static final int ROWS = 100_000;
    private static final DeletedPositions SCATTERED = DeletedPositions.of(1, 5, 70_000);
    private static final DeletedPositions RANGE = DeletedPositions.ofRange(1000, 2000);

    private final TrinoFileSystem fileSystem = new MemoryFileSystemFactory().create(ofUser("test"));

    @Test
    void testWrite()
            throws IOException
    {
        List<DeletedRows> references = write();
        assertThat(dump(FileBytes.read(fileSystem, DeletedRows.location(FOLDER, FILE)))).isEqualTo(documented("deletes"));
        String document = Files.readString(Path.of("docs/format.md"));
        for (DeletedRows reference : references) {
            // as a line of the page states it
            assertThat(document).contains("| %s | %s | `%08x` | %s |".formatted(reference.offset(), reference.length(), Integer.reverseBytes(reference.checksum()), reference.count()));
        }
    }

    @Test
    void testRead()
            throws IOException
    {
        List<DeletedRows> references = write();
        FileBytes.overwrite(fileSystem, DeletedRows.location(FOLDER, FILE), parse(documented("deletes")));
        assertThat(DeletesReader.read(fileSystem, FOLDER, references.getFirst(), ROWS)).isEqualTo(SCATTERED);
        assertThat(DeletesReader.read(fileSystem, FOLDER, references.getLast(), ROWS)).isEqualTo(RANGE);
    }

    /**
     * The entry of the first row group in a manifest.
     */
    @Test
    void testEntry()
            throws IOException
    {
        RowGroup rowGroup = new RowGroup(
                UUID.fromString("94c2e6dc-9939-488d-976a-83e567e9238a"),
                ROWS,
                ImmutableList.of(new ColumnGroupInstance(UUID.fromString("01234567-89ab-cdef-0123-456789abcdef"), ImmutableList.of(1), 200_096, 533)),
                ImmutableList.of(new ColumnStatistics(1, 0, ASCENDING, Optional.of(new byte[] {1, 0, 0, 0}), Optional.of(new byte[] {(byte) 0xA0, (byte) 0x86, 1, 0}), Optional.of("integer"))),
                2,
                Optional.of(write().getFirst()));
        DynamicSliceOutput entry = new DynamicSliceOutput(200);
        TypeNames types = new TypeNames();
        RowGroupCodec.writeEntry(rowGroup, types, entry);
        assertThat(dump(entry.slice().getBytes())).isEqualTo(documented("deletes entry"));

        DynamicSliceOutput documented = new DynamicSliceOutput(200);
        types.write(documented);
        documented.writeBytes(parse(documented("deletes entry")));
        assertThat(RowGroupCodec.read(documented.slice().getInput())).isEqualTo(rowGroup);
    }

    private List<DeletedRows> write()
            throws IOException
    {
        DeletesWriter writer = new DeletesWriter(fileSystem, FOLDER, FILE);
        List<DeletedRows> references = ImmutableList.of(writer.add(SCATTERED), writer.add(RANGE));
        writer.close();
        return references;
    }
}
