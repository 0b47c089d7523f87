package io.albis.format.write;

import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.albis.format.AlbisSchema;
import io.albis.format.metadata.RowGroup;
import io.albis.format.scan.AlbisBatch;
import io.albis.format.scan.ReaderOptions;
import io.albis.format.scan.RowGroupReader;
import io.albis.format.scan.RowGroupScan;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.AlbisLayout;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.TrinoInput;
import io.trino.filesystem.memory.MemoryFileSystemFactory;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.type.Type;
import io.trino.spi.type.TypeUtils;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static io.trino.spi.security.ConnectorIdentity.ofUser;
import static io.trino.spi.type.IntegerType.INTEGER;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.util.Locale.ENGLISH;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the worked example of docs/format.md: the writer produces its hex dumps, and the reader reads them back.
 */
final class TestFormatExample
{
    private static final Path DOCUMENT = Path.of("docs/format.md");
    private static final Location FOLDER = Location.of("memory:///example");
    private static final UUID ROW_GROUP_ID = UUID.fromString("00000000-0000-0000-0000-0000000000aa");
    private static final UUID COLUMN_GROUP_ID = UUID.fromString("01234567-89ab-cdef-0123-456789abcdef");
    private static final List<AlbisColumn> COLUMNS = List.of(AlbisColumn.make(1, "n", INTEGER), AlbisColumn.make(2, "s", VARCHAR));

    private final TrinoFileSystem fileSystem = new MemoryFileSystemFactory().create(ofUser("test"));

    @ParameterizedTest
    @EnumSource
    void testWrite(AlbisLayout layout)
            throws IOException
    {
        RowGroup rowGroup = write(layout);
        assertThat(dump(bytes(rowGroup.dataFile(FOLDER, rowGroup.columnGroups().getFirst())))).isEqualTo(documented(layout, "data"));
        assertThat(dump(bytes(rowGroup.metadataFile(FOLDER, rowGroup.columnGroups().getFirst())))).isEqualTo(documented(layout, "metadata"));
    }

    @ParameterizedTest
    @EnumSource
    void testRead(AlbisLayout layout)
            throws IOException
    {
        RowGroup rowGroup = write(layout);
        overwrite(rowGroup.dataFile(FOLDER, rowGroup.columnGroups().getFirst()), parse(documented(layout, "data")));
        overwrite(rowGroup.metadataFile(FOLDER, rowGroup.columnGroups().getFirst()), parse(documented(layout, "metadata")));
        try (RowGroupReader reader = RowGroupReader.open(fileSystem, FOLDER, rowGroup, RowGroupScan.of(COLUMNS, TupleDomain.all()), ReaderOptions.DEFAULTS)) {
            AlbisBatch batch = reader.next();
            assertThat(values(INTEGER, batch.block(0))).containsExactly(1L, null, -2L);
            assertThat(values(VARCHAR, batch.block(1))).containsExactly(Slices.utf8Slice("ab"), Slices.utf8Slice("c"), null);
            assertThat(reader.next()).isNull();
        }
    }

    private RowGroup write(AlbisLayout layout)
            throws IOException
    {
        BlockBuilder numbers = INTEGER.createBlockBuilder(null, 3);
        INTEGER.writeLong(numbers, 1);
        numbers.appendNull();
        INTEGER.writeLong(numbers, -2);
        BlockBuilder texts = VARCHAR.createBlockBuilder(null, 3);
        VARCHAR.writeString(texts, "ab");
        VARCHAR.writeString(texts, "c");
        texts.appendNull();
        Iterator<UUID> ids = List.of(ROW_GROUP_ID, COLUMN_GROUP_ID).iterator();
        RollingRowGroupWriter writer = new RollingRowGroupWriter(fileSystem, FOLDER, AlbisSchema.makeSchema(AlbisColumnGroup.make(layout, COLUMNS)).rowGroupSchema(), WriterOptions.DEFAULTS, ids::next);
        writer.append(new Page(numbers.build(), texts.build()));
        List<RowGroup> rowGroups = writer.finish();
        assertThat(rowGroups).hasSize(1);
        return rowGroups.getFirst();
    }

    private static List<Object> values(Type type, Block block)
    {
        List<Object> values = new ArrayList<>();
        for (int position = 0; position < block.getPositionCount(); position++) {
            values.add(TypeUtils.readNativeValue(type, block, position));
        }
        return values;
    }

    private static String documented(AlbisLayout layout, String file)
            throws IOException
    {
        return documented(layout.name().toLowerCase(ENGLISH) + " " + file);
    }

    static String documented(String example)
            throws IOException
    {
        Matcher matcher = Pattern.compile("<!-- example: " + example + " -->\n```\n(?<dump>.*?)```\n", Pattern.DOTALL).matcher(Files.readString(DOCUMENT));
        assertThat(matcher.find()).as("docs/format.md has a dump of the file %s", example).isTrue();
        return matcher.group("dump");
    }

    static String dump(byte[] bytes)
    {
        StringBuilder dump = new StringBuilder();
        for (int offset = 0; offset < bytes.length; offset += 16) {
            int end = Math.min(offset + 16, bytes.length);
            dump.append("%04x  %s\n".formatted(offset, HexFormat.ofDelimiter(" ").formatHex(bytes, offset, end)));
        }
        return dump.toString();
    }

    static byte[] parse(String dump)
    {
        StringBuilder hex = new StringBuilder();
        dump.lines().forEach(line -> hex.append(line.substring(6).replace(" ", "")));
        return HexFormat.of().parseHex(hex);
    }

    private byte[] bytes(Location location)
            throws IOException
    {
        try (TrinoInput input = fileSystem.newInputFile(location).newInput()) {
            Slice bytes = input.readFully(0, (int) fileSystem.newInputFile(location).length());
            return bytes.getBytes();
        }
    }

    private void overwrite(Location location, byte[] bytes)
            throws IOException
    {
        fileSystem.newOutputFile(location).createOrOverwrite(bytes);
    }
}
