package io.albis.table.manifest;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.DynamicSliceOutput;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.albis.format.io.AlbisDataException;
import io.albis.format.io.FileFrame;
import io.albis.format.io.FileKind;
import io.albis.format.io.FileSection;
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
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import static io.albis.format.DocumentedDump.documented;
import static io.albis.format.DocumentedDump.dump;
import static io.albis.format.DocumentedDump.parse;
import static io.albis.format.io.AlbisDataException.Reason.TOO_NEW;
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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests the example of a manifest in docs/format.md: the writer produces the dump, and the reader reads it back.
 */
class TestManifestExample
{
    private static final Location LOCATION = Location.of("memory:///manifest");
    private static final UUID ID = UUID.fromString("c470d82f-860f-4846-b463-cf0f7bbe2bc2");
    private static final UUID TABLE = UUID.fromString("1fc02904-9d66-4122-a5e1-24be260f5502");
    private static final UUID COLUMN_GROUP = UUID.fromString("01234567-89ab-cdef-0123-456789abcdef");
    private static final UUID ROW_GROUP = UUID.fromString("94c2e6dc-9939-488d-976a-83e567e9238a");

    @Test
    void testWrite()
            throws IOException
    {
        Piece piece = new ManifestPieces(version(), content(), ManifestOptions.DEFAULT).next();
        assertThat(dump(FileFrame.frame(FileKind.MANIFEST, ID, piece.body()).getBytes())).isEqualTo(documented("manifest"));
        assertThat(piece.bounds().text()).isEqualTo("AgAAAAEAAAABAAAAAAAAAAADBAD+////BAABAAAAAgAAAAEAAAAAAAAAAAMCAGFiAQBj");
    }

    @Test
    void testRead()
            throws IOException
    {
        Manifest manifest = decode(documentedBody());
        assertThat(manifest.table()).isEqualTo(TABLE);
        assertThat(manifest.content().rowGroups()).isEqualTo(content().rowGroups());
        assertThat(manifest.content().sketches()).isEqualTo(content().sketches());
    }

    @Test
    void testFeatures()
            throws IOException
    {
        for (int bit = 0; bit < Long.SIZE; bit++) {
            Slice body = documentedBody();
            body.setLong(0, 1L << bit);
            assertTooNew(body, "uses feature " + bit);
        }
    }

    @Test
    void testSections()
            throws IOException
    {
        Slice body = documentedBody();
        int length = FileSection.length(ManifestBody.sections(content().sketches()));
        Slice entries = body.slice(0, body.length() - length);
        for (int kind : new int[] {0x8000, 0x8002, 0x8123, 0xFFFF}) {
            FileSection unknown = new FileSection(kind, 1, Slices.utf8Slice("anything"));
            List<FileSection> sections = ImmutableList.<FileSection>builder().add(unknown).addAll(ManifestBody.sections(content().sketches())).add(unknown).build();
            assertThat(decode(withSections(entries, sections)).content().sketches()).isEqualTo(content().sketches());
            // Without sketches, everything else is the same
            Manifest without = decode(withSections(entries, ImmutableList.of(unknown)));
            assertThat(without.content()).isEqualTo(TableRows.withoutSketches(content().rowGroups()));
        }
        for (int kind : new int[] {0, 1, 0x7FFF}) {
            assertTooNew(withSections(entries, ImmutableList.of(new FileSection(kind, 1, Slices.EMPTY_SLICE))), "section of kind " + kind);
        }
        FileSection sketches = ManifestBody.sections(content().sketches()).getFirst();
        DynamicSliceOutput longer = new DynamicSliceOutput(100);
        longer.writeBytes(sketches.content());
        longer.writeByte(0);
        Slice unexpected = withSections(entries, ImmutableList.of(new FileSection(sketches.kind(), sketches.column(), longer.slice())));
        assertThatThrownBy(() -> decode(unexpected)).isInstanceOf(IllegalArgumentException.class).hasMessage("its sketches end with 1 unexpected bytes");
        Slice twice = withSections(entries, ImmutableList.<FileSection>builder()
                .addAll(ManifestBody.sections(content().sketches()))
                .addAll(ManifestBody.sections(content().sketches()))
                .build());
        assertThatThrownBy(() -> decode(twice)).isInstanceOf(IllegalArgumentException.class);
        for (int end = entries.length(); end < body.length(); end++) {
            Slice truncated = body.slice(0, end);
            assertThatThrownBy(() -> decode(truncated)).isInstanceOfAny(IllegalArgumentException.class, IndexOutOfBoundsException.class);
        }
    }

    private static Slice withSections(Slice entries, List<FileSection> sections)
    {
        DynamicSliceOutput output = new DynamicSliceOutput(100);
        output.writeBytes(entries);
        FileSection.write(sections, output);
        return output.slice();
    }

    private static void assertTooNew(Slice body, String message)
    {
        assertThatThrownBy(() -> decode(body))
                .isInstanceOfSatisfying(AlbisDataException.class, e -> assertThat(e.reason()).isEqualTo(TOO_NEW))
                .hasMessageContaining(message);
    }

    private static Manifest decode(Slice body)
            throws IOException
    {
        return ManifestBody.decode(LOCATION, 100, body);
    }

    private static Slice documentedBody()
            throws IOException
    {
        Slice file = Slices.wrappedBuffer(parse(documented("manifest")));
        return FileFrame.unframe(LOCATION, FileKind.MANIFEST, Optional.of(ID), file).copy();
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
                2,
                Map.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
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
                ImmutableList.of(new ColumnGroupInstance(COLUMN_GROUP, ImmutableList.of(1, 2), 152, 202)),
                ImmutableList.of(
                        new ColumnStatistics(1, 1, DESCENDING, Optional.of(new byte[] {-2, -1, -1, -1}), Optional.of(new byte[] {1, 0, 0, 0}), Optional.of("integer")),
                        new ColumnStatistics(2, 1, ASCENDING, Optional.of("ab".getBytes(UTF_8)), Optional.of("c".getBytes(UTF_8)), Optional.of("varchar"))));
        return new TableRows(ImmutableList.of(rowGroup), sketcher.finish());
    }
}
