package io.albis.format.metadata;

import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.albis.format.io.FileFrame;
import io.albis.format.io.FileKind;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.schema.RowGroupSchema;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.format.type.LocalTypeResolver;
import io.trino.filesystem.Location;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import static io.albis.format.DocumentedDump.documented;
import static io.albis.format.DocumentedDump.dump;
import static io.albis.format.DocumentedDump.parse;
import static io.albis.format.statistics.ValueOrder.ASCENDING;
import static io.albis.format.statistics.ValueOrder.DESCENDING;
import static io.trino.spi.type.IntegerType.INTEGER;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the examples of the two files of a folder without a table in docs/format.md: the codecs produce their dumps,
 * and read them back.
 */
final class TestFolderExample
{
    private static final Location LOCATION = Location.of("memory:///file");
    private static final UUID ID = UUID.fromString("c470d82f-860f-4846-b463-cf0f7bbe2bc2");
    private static final UUID COLUMN_GROUP = UUID.fromString("01234567-89ab-cdef-0123-456789abcdef");
    private static final UUID ROW_GROUP = UUID.fromString("94c2e6dc-9939-488d-976a-83e567e9238a");

    @Test
    void testSchema()
            throws IOException
    {
        AlbisColumn number = AlbisColumn.make(1, "n", INTEGER);
        AlbisColumn text = AlbisColumn.make(2, "s", VARCHAR);
        RowGroupSchema schema = new RowGroupSchema(List.of(number, text), List.of(AlbisColumnGroup.make(AlbisLayout.ROW, number, text)));
        // the id of the file is random
        Slice body = FileFrame.unframe(LOCATION, FileKind.SCHEMA, Optional.empty(), SchemaFile.encode(schema));
        assertThat(dump(FileFrame.frame(FileKind.SCHEMA, ID, body).getBytes())).isEqualTo(documented("schema"));
        assertThat(SchemaFile.decode(LOCATION, Slices.wrappedBuffer(parse(documented("schema"))), new LocalTypeResolver())).isEqualTo(schema);
    }

    @Test
    void testRows()
            throws IOException
    {
        List<RowGroup> rowGroups = List.of(new RowGroup(
                ROW_GROUP,
                3,
                List.of(new ColumnGroupInstance(COLUMN_GROUP, List.of(1, 2), 152, 202)),
                List.of(
                        new ColumnStatistics(1, 1, DESCENDING, Optional.of(new byte[] {-2, -1, -1, -1}), Optional.of(new byte[] {1, 0, 0, 0}), Optional.of("integer")),
                        new ColumnStatistics(2, 1, ASCENDING, Optional.of("ab".getBytes(UTF_8)), Optional.of("c".getBytes(UTF_8)), Optional.of("varchar")))));
        assertThat(dump(RowsFile.encode(ID, rowGroups).getBytes())).isEqualTo(documented("rows"));
        assertThat(RowsFile.decode(LOCATION, ID, Slices.wrappedBuffer(parse(documented("rows"))))).isEqualTo(rowGroups);
    }
}
