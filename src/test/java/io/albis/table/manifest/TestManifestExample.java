package io.albis.table.manifest;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.albis.format.io.FileFrame;
import io.albis.format.io.FileKind;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.table.manifest.ManifestPieces.Piece;
import io.albis.table.model.TableColumn;
import io.albis.table.model.TableColumnGroup;
import io.albis.table.model.TableRows;
import io.albis.table.model.TableVersion;
import io.albis.table.sketch.PageSketcher;
import io.trino.filesystem.Location;
import io.trino.spi.Page;
import io.trino.spi.block.BlockBuilder;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import static io.albis.format.schema.AlbisLayout.ROW;
import static io.albis.format.statistics.ValueOrder.ASCENDING;
import static io.albis.format.statistics.ValueOrder.DESCENDING;
import static io.albis.table.model.TableOperation.CREATE;
import static io.albis.table.model.TableVersion.FIRST_SCHEMA_ID;
import static io.albis.table.model.TableVersion.FIRST_VERSION;
import static io.trino.spi.type.IntegerType.INTEGER;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the example of a manifest in docs/format.md: the writer produces the dump, and the reader reads it back.
 */
class TestManifestExample
{
    private static final Path DOCUMENT = Path.of("docs/format.md");
    private static final UUID ID = UUID.fromString("c470d82f-860f-4846-b463-cf0f7bbe2bc2");
    private static final UUID TABLE = UUID.fromString("1fc02904-9d66-4122-a5e1-24be260f5502");
    private static final UUID COLUMN_GROUP = UUID.fromString("01234567-89ab-cdef-0123-456789abcdef");
    private static final UUID ROW_GROUP = UUID.fromString("94c2e6dc-9939-488d-976a-83e567e9238a");

    @Test
    void testWrite()
            throws IOException
    {
        Piece piece = new ManifestPieces(version(), content(), ManifestOptions.DEFAULT).next();
        assertThat(dump(FileFrame.frame(FileKind.MANIFEST, ID, piece.body()))).isEqualTo(documented());
        assertThat(piece.bounds().text()).isEqualTo("AgAAAAEAAAABAAAAAAAAAAADBAD+////BAABAAAAAgAAAAEAAAAAAAAAAAMCAGFiAQBj");
    }

    @Test
    void testRead()
            throws IOException
    {
        Location location = Location.of("memory:///manifest");
        Slice file = Slices.wrappedBuffer(HexFormat.of().parseHex(documented().replaceAll("(?m)^[0-9a-f]{4}  ", "").replaceAll("\\s", "")));
        Manifest manifest = ManifestBody.decode(location, file.length(), FileFrame.unframe(location, FileKind.MANIFEST, Optional.of(ID), file));
        assertThat(manifest.table()).isEqualTo(TABLE);
        assertThat(manifest.content().rowGroups()).isEqualTo(content().rowGroups());
        assertThat(manifest.content().sketches()).isEqualTo(content().sketches());
    }

    private static TableVersion version()
    {
        return new TableVersion(
                TABLE,
                FIRST_VERSION,
                UUID.randomUUID(),
                Optional.empty(),
                Instant.EPOCH,
                CREATE.label(),
                Map.of(),
                Optional.empty(),
                Optional.empty(),
                false,
                FIRST_SCHEMA_ID,
                ImmutableList.of(new TableColumn(1, "n", INTEGER, true, Optional.empty()), new TableColumn(2, "s", VARCHAR, true, Optional.empty())),
                ImmutableList.of(new TableColumnGroup(ROW, ImmutableList.of(1, 2))),
                Map.of(),
                Optional.empty(),
                ImmutableList.of(),
                ImmutableList.of(),
                ImmutableList.of(),
                2);
    }

    private static TableRows content()
    {
        PageSketcher sketcher = new PageSketcher(ImmutableList.of(version().schema().columns().getFirst()));
        BlockBuilder values = INTEGER.createBlockBuilder(null, 3);
        INTEGER.writeLong(values, 1);
        values.appendNull();
        INTEGER.writeLong(values, -2);
        sketcher.append(new Page(values.build()));
        RowGroup rowGroup = new RowGroup(
                ROW_GROUP,
                3,
                ImmutableList.of(new ColumnGroupInstance(COLUMN_GROUP, ImmutableList.of(1, 2), 88, 171)),
                ImmutableList.of(
                        new ColumnStatistics(1, 1, DESCENDING, Optional.of(new byte[] {-2, -1, -1, -1}), Optional.of(new byte[] {1, 0, 0, 0}), Optional.of("integer")),
                        new ColumnStatistics(2, 1, ASCENDING, Optional.of("ab".getBytes(UTF_8)), Optional.of("c".getBytes(UTF_8)), Optional.of("varchar"))));
        return new TableRows(ImmutableList.of(rowGroup), sketcher.finish());
    }

    private static String dump(Slice bytes)
    {
        StringBuilder dump = new StringBuilder();
        for (int offset = 0; offset < bytes.length(); offset += 16) {
            byte[] line = bytes.getBytes(offset, Math.min(16, bytes.length() - offset));
            dump.append("%04x  %s%n".formatted(offset, HexFormat.ofDelimiter(" ").formatHex(line)));
        }
        return dump.toString();
    }

    private static String documented()
            throws IOException
    {
        String page = Files.readString(DOCUMENT, UTF_8);
        int marker = page.indexOf("<!-- example: manifest -->");
        int start = page.indexOf("```\n", marker) + 4;
        return page.substring(start, page.indexOf("```", start));
    }
}
