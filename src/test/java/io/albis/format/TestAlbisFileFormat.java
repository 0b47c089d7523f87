package io.albis.format;

import com.google.common.collect.Lists;
import io.albis.format.FaultyFileSystem.Fault;
import io.albis.format.io.AlbisDataException;
import io.albis.format.metadata.RowGroup;
import io.albis.format.scan.ReaderOptions;
import io.albis.format.scan.RowGroupReader;
import io.albis.format.scan.RowGroupScan;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.write.WriterOptions;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.local.LocalFileSystem;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.type.ArrayType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static com.google.common.collect.Iterables.getOnlyElement;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.IntegerType.INTEGER;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class TestAlbisFileFormat
{
    private static final AlbisColumn ID = AlbisColumn.make(1, "id", BIGINT);
    private static final AlbisColumn TEXT = AlbisColumn.make(2, "text", VARCHAR);
    private static final AlbisColumn LIST = AlbisColumn.make(3, "list", new ArrayType(BIGINT));
    private static final AlbisSchema SCHEMA = AlbisSchema.makeSchema(AlbisColumnGroup.make(ID, TEXT, LIST));
    private static final int WRITERS = 20;
    private static final int ROWS = 50;

    @TempDir
    Path temporary;

    static List<AlbisSchema> targets()
    {
        return List.of(
                AlbisSchema.makeSchema(AlbisColumnGroup.make(LIST), AlbisColumnGroup.make(AlbisLayout.ROW, TEXT, ID)),
                AlbisSchema.makeSchema(AlbisColumnGroup.make(AlbisLayout.ROW, ID, LIST, TEXT)),
                // Columns are found by their names, whatever their ids are
                AlbisSchema.makeSchema(AlbisColumnGroup.make(AlbisColumn.make("text", VARCHAR)), AlbisColumnGroup.make(AlbisColumn.make("id", BIGINT), AlbisColumn.make("list", new ArrayType(BIGINT)))));
    }

    @ParameterizedTest
    @MethodSource("targets")
    void testReGroup(AlbisSchema target)
            throws IOException
    {
        Path source = rows();
        Path copy = temporary.resolve("copy");
        AlbisFileFormat.reGroup(SCHEMA, source, target, copy);
        assertThat(AlbisSchema.read(copy)).isEqualTo(target);
        assertThat(read(target, copy)).containsExactlyInAnyOrderElementsOf(read(SCHEMA, source)).hasSize(WRITERS * ROWS);
        assertThat(rowGroups(copy)).isEqualTo(WRITERS);
        assertThatThrownBy(() -> AlbisFileFormat.reGroup(SCHEMA, source, target, copy))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageEndingWith("copy already has rows");
        assertThat(read(target, copy)).hasSize(WRITERS * ROWS);
    }

    @Test
    void testSomeColumns()
            throws IOException
    {
        Path source = rows();
        Path copy = temporary.resolve("copy");
        AlbisSchema target = AlbisSchema.makeSchema(AlbisColumnGroup.make(TEXT));
        AlbisFileFormat.reGroup(SCHEMA, source, target, copy);
        try (AlbisReader reader = target.getReader(copy, AlbisFilter.isNull(TEXT), TEXT)) {
            int rows = 0;
            while (reader.hasMore()) {
                reader.next();
                rows++;
            }
            assertThat(rows).isEqualTo(WRITERS * ROWS / 5);
        }
    }

    @Test
    void testReBalance()
            throws IOException
    {
        Path source = rows();
        Path copy = temporary.resolve("copy");
        AlbisFileFormat.reBalance(SCHEMA, source, copy);
        assertThat(read(SCHEMA, copy)).containsExactlyInAnyOrderElementsOf(read(SCHEMA, source));
        assertThat(rowGroups(source)).isEqualTo(WRITERS);
        assertThat(rowGroups(copy)).isEqualTo(1);
    }

    @Test
    void testSizesOfReBalance()
            throws IOException
    {
        Path source = rows();
        Path copy = temporary.resolve("copy");
        AlbisFileFormat.reBalance(AlbisSchema.LOCAL, SCHEMA, AlbisSchema.location(source), AlbisSchema.location(copy), WriterOptions.DEFAULTS.withRowGroupRows(300));
        assertThat(read(SCHEMA, copy)).containsExactlyInAnyOrderElementsOf(read(SCHEMA, source));
        assertThat(rowGroups(copy)).isEqualTo(4);
    }

    /**
     * Row groups keep their segments, unless a segment is too large for a column group.
     */
    @Test
    void testSegments()
            throws IOException
    {
        int rows = 10;
        // together more than a segment of a column group can grow
        List<AlbisColumn> columns = IntStream.rangeClosed(1, 6).mapToObj(id -> AlbisColumn.make(id, "text_" + id, VARCHAR)).toList();
        String large = "x".repeat(3 << 19);
        Path source = temporary.resolve("rows");
        AlbisSchema apart = AlbisSchema.makeSchema(columns.stream().map(AlbisColumnGroup::make).toList());
        try (AlbisWriter writer = apart.getWriter(AlbisSchema.LOCAL, AlbisSchema.location(source), WriterOptions.DEFAULTS.withSegmentBytes(1 << 26))) {
            for (int row = 0; row < rows; row++) {
                for (int column = 0; column < columns.size(); column++) {
                    writer.setValue(column, row + large);
                }
                writer.nextRow();
            }
        }
        assertThat(segmentRows(apart, source)).containsExactly(rows);

        Path pairs = temporary.resolve("pairs");
        AlbisSchema inPairs = AlbisSchema.makeSchema(Lists.partition(columns, 2).stream().map(pair -> AlbisColumnGroup.make(AlbisLayout.ROW, pair)).toList());
        AlbisFileFormat.reGroup(apart, source, inPairs, pairs);
        assertThat(segmentRows(inPairs, pairs)).containsExactly(rows);

        Path together = temporary.resolve("together");
        AlbisSchema oneGroup = AlbisSchema.makeSchema(AlbisColumnGroup.make(AlbisLayout.ROW, columns));
        AlbisFileFormat.reGroup(inPairs, pairs, oneGroup, together);
        assertThat(segmentRows(oneGroup, together)).hasSizeGreaterThan(1);
        try (AlbisReader reader = oneGroup.getReader(together, AlbisFilter.ALL, columns.toArray(AlbisColumn[]::new))) {
            for (int row = 0; row < rows; row++) {
                reader.next();
                for (int column = 0; column < columns.size(); column++) {
                    assertThat(reader.getValue(column)).isEqualTo(row + large);
                }
            }
            assertThat(reader.hasMore()).isFalse();
        }
    }

    /**
     * A copy that fails at any read or write leaves no rows.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void testFailures(boolean merge)
            throws IOException
    {
        rows();
        TrinoFileSystem fileSystem = new LocalFileSystem(temporary);
        Location source = Location.of("local:///rows");
        AlbisSchema target = AlbisSchema.makeSchema(AlbisColumnGroup.make(LIST), AlbisColumnGroup.make(TEXT, ID));
        long steps = 0;
        int failures = 0;
        while (true) {
            Location copy = Location.of("local:///copy" + steps);
            FaultyFileSystem failing = new FaultyFileSystem(fileSystem, Fault.DEATH, steps);
            try {
                FolderCopy.copy(failing, SCHEMA, source, target, copy, WriterOptions.DEFAULTS.withRowGroupRows(300), merge);
            }
            catch (IOException e) {
                assertThat(failing.hasFailed()).as(e.toString()).isTrue();
                failures++;
            }
            int rows = new AlbisFolder(fileSystem, copy).rowGroups().stream().mapToInt(rowGroup -> (int) rowGroup.rows()).sum();
            assertThat(rows).as("rows after %s steps", steps).isEqualTo(failing.hasFailed() ? 0 : WRITERS * ROWS);
            if (!failing.hasFailed()) {
                break;
            }
            steps += merge ? 599 : 1999;
        }
        assertThat(failures).isGreaterThan(10);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void testDamagedRows(boolean merge)
            throws IOException
    {
        Path source = rows();
        Path copy = temporary.resolve("copy");
        try (Stream<Path> files = Files.walk(source)) {
            Path data = files.filter(path -> path.endsWith("data")).sorted().toList().getLast();
            byte[] bytes = Files.readAllBytes(data);
            bytes[bytes.length / 2] ^= 1;
            Files.write(data, bytes);
        }
        assertThatThrownBy(() -> FolderCopy.copy(AlbisSchema.LOCAL, SCHEMA, AlbisSchema.location(source), SCHEMA, AlbisSchema.location(copy), WriterOptions.DEFAULTS, merge)).isInstanceOf(AlbisDataException.class);
        assertThat(read(SCHEMA, copy)).isEmpty();
        try (Stream<Path> files = Files.walk(copy)) {
            assertThat(files.filter(path -> path.toString().contains("rg-")).filter(Files::isRegularFile)).isEmpty();
        }
    }

    @Test
    void testInvalidArguments()
            throws IOException
    {
        Path source = rows();
        Path copy = temporary.resolve("copy");
        assertThatThrownBy(() -> AlbisFileFormat.reBalance(SCHEMA, temporary.resolve("missing"), copy)).isInstanceOf(FileNotFoundException.class);
        assertThatThrownBy(() -> AlbisFileFormat.reBalance(SCHEMA, source, source)).isInstanceOf(IllegalStateException.class).hasMessageEndingWith("rows already has rows");
        AlbisSchema other = AlbisSchema.makeSchema(AlbisColumnGroup.make(ID));
        assertThatThrownBy(() -> AlbisFileFormat.reGroup(other, source, SCHEMA, copy)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("already has a different schema");
        AlbisSchema unknown = AlbisSchema.makeSchema(AlbisColumnGroup.make(AlbisColumn.make(4, "unknown", BIGINT)));
        assertThatThrownBy(() -> AlbisFileFormat.reGroup(SCHEMA, source, unknown, copy)).hasMessage("Column does not exist: unknown");
        AlbisSchema narrow = AlbisSchema.makeSchema(AlbisColumnGroup.make(AlbisColumn.make(1, "id", INTEGER)));
        assertThatThrownBy(() -> AlbisFileFormat.reGroup(SCHEMA, source, narrow, copy)).hasMessage("Column id has type bigint, but the copy has type integer");
        assertThat(copy).doesNotExist();
    }

    /**
     * Creates a folder with a small row group of each of many writers.
     */
    private Path rows()
            throws IOException
    {
        Path folder = temporary.resolve("rows");
        for (int writerNumber = 0; writerNumber < WRITERS; writerNumber++) {
            try (AlbisWriter writer = SCHEMA.getWriter(folder)) {
                for (int row = 0; row < ROWS; row++) {
                    writer.setValue(0, (long) (writerNumber * ROWS + row));
                    writer.setValue(1, row % 5 == 0 ? null : "text " + row);
                    writer.setValue(2, Arrays.asList((long) row, null));
                    writer.nextRow();
                }
            }
        }
        return folder;
    }

    private static List<List<Object>> read(AlbisSchema schema, Path folder)
            throws IOException
    {
        List<List<Object>> rows = new ArrayList<>();
        try (AlbisReader reader = schema.getReader(folder, AlbisFilter.ALL, schema.column("id"), schema.column("text"), schema.column("list"))) {
            while (reader.hasMore()) {
                reader.next();
                rows.add(Arrays.asList(reader.getValue(0), reader.getValue(1), reader.getValue(2)));
            }
        }
        return rows;
    }

    private static int[] segmentRows(AlbisSchema schema, Path folder)
            throws IOException
    {
        RowGroup rowGroup = getOnlyElement(new AlbisFolder(AlbisSchema.LOCAL, AlbisSchema.location(folder)).rowGroups());
        try (RowGroupReader reader = RowGroupReader.open(AlbisSchema.LOCAL, AlbisSchema.location(folder), rowGroup, RowGroupScan.of(schema.columns(), TupleDomain.all()), ReaderOptions.DEFAULTS)) {
            return reader.segmentRows();
        }
    }

    private int rowGroups(Path folder)
            throws IOException
    {
        return new AlbisFolder(new LocalFileSystem(Path.of("/")), AlbisSchema.location(folder)).rowGroups().size();
    }
}
