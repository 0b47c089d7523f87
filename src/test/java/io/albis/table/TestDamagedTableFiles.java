package io.albis.table;

import com.google.common.collect.ImmutableMap;
import io.airlift.slice.DynamicSliceOutput;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.albis.filesystem.FileDamage;
import io.albis.format.io.AlbisDataException;
import io.albis.format.io.AlbisDataException.Reason;
import io.albis.format.io.FileFrame;
import io.albis.format.io.FileKind;
import io.albis.format.metadata.RowGroupCodec;
import io.albis.format.metadata.TypeNames;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.table.json.JsonFiles;
import io.albis.table.json.JsonFrame;
import io.albis.table.json.JsonKind;
import io.albis.table.model.ManifestBounds;
import io.albis.table.model.TableColumn;
import io.albis.table.sketch.SketchCodec;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.Location;
import io.trino.filesystem.memory.MemoryFileSystem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import static io.albis.format.io.AlbisDataException.Reason.DAMAGED;
import static io.albis.format.io.AlbisDataException.Reason.TOO_NEW;
import static io.albis.format.io.AlbisDataException.Reason.TOO_OLD;
import static io.albis.format.statistics.ValueOrder.UNORDERED;
import static io.albis.table.TableFixtures.ROOT;
import static io.albis.table.TableFixtures.TYPE_RESOLVER;
import static io.albis.table.TableFixtures.createTable;
import static io.albis.table.TableFixtures.files;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.TableFixtures.overwrite;
import static io.albis.table.TableFixtures.warehouse;
import static io.albis.table.TableFixtures.withChecksum;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Whatever happens to the bytes of a file, reading it either works as before or reports this file as damaged.
 */
class TestDamagedTableFiles
{
    private static final String HINT = "/versions/hint";

    private MemoryFileSystem fileSystem;
    private Warehouse warehouse;
    private AlbisTable table;
    private Map<String, byte[]> files;

    @BeforeEach
    void setUp()
            throws IOException
    {
        fileSystem = new MemoryFileSystem();
        warehouse = warehouse(fileSystem);
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of("key", "value"));
        table = createTable(warehouse, "s", "t", oneRow());
        files = files(fileSystem, ROOT);
        assertThat(files).hasSize(5);
    }

    @Test
    void testEveryBitAndLength()
            throws IOException
    {
        FileDamage damage = new FileDamage("TestDamagedTableFiles");
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            damage.all(file.getValue(), file.getValue().length, (damaged, _) -> check(file.getKey(), damaged));
        }
        damage.print();
    }

    @Test
    void testMoreBytes()
            throws IOException
    {
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            for (int more = 1; more < 50; more++) {
                check(file.getKey(), Arrays.copyOf(file.getValue(), file.getValue().length + more));
            }
            check(file.getKey(), (new String(file.getValue(), UTF_8) + new String(file.getValue(), UTF_8)).getBytes(UTF_8));
        }
    }

    @Test
    void testMissingFiles()
            throws IOException
    {
        for (String location : List.of(location("/versions/0"), location("/manifests/"))) {
            fileSystem.deleteFile(Location.of(location));
            assertBadData(DAMAGED, location.contains("manifests") ? location : table.folder().toString());
            overwrite(fileSystem, location, files.get(location));
        }
        fileSystem.deleteFile(Location.of(location(HINT)));
        assertThat(read().rowGroups()).hasSize(1);
        assertThat(files(fileSystem, ROOT)).containsKey(location(HINT));
    }

    @Test
    void testFilesOfAnotherTable()
            throws IOException
    {
        createTable(warehouse, "s", "other", oneRow());
        Map<String, byte[]> all = files(fileSystem, ROOT);
        for (String kind : List.of("/versions/0", "/manifests/", "/tables/", HINT)) {
            String own = location(kind);
            byte[] foreign = all.entrySet().stream()
                    .filter(file -> file.getKey().contains(kind) && !file.getKey().equals(own))
                    .findFirst().orElseThrow().getValue();
            check(own, foreign);
        }
    }

    @Test
    void testAnotherKindOfFile()
            throws IOException
    {
        for (String location : files.keySet()) {
            for (Map.Entry<String, byte[]> other : files.entrySet()) {
                if (!other.getKey().equals(location)) {
                    check(location, other.getValue());
                }
            }
        }
    }

    @Test
    void testNewerAndOlderFormat()
            throws IOException
    {
        JsonFiles json = new JsonFiles(TYPE_RESOLVER);
        for (Map.Entry<String, JsonKind> file : Map.of("/.schema/", JsonKind.SCHEMA, "/tables/", JsonKind.TABLE_NAME, "/versions/0", JsonKind.VERSION).entrySet()) {
            String location = location(file.getKey());
            overwrite(fileSystem, location, json.write(file.getValue(), UUID.randomUUID(), file.getValue().formatVersion() + 1, Map.of("something", "else")));
            assertBadData(TOO_NEW, location);
            overwrite(fileSystem, location, json.write(file.getValue(), UUID.randomUUID(), 1, Map.of("something", "else")));
            assertBadData(TOO_OLD, location);
            overwrite(fileSystem, location, json.write(file.getValue(), UUID.randomUUID(), 0, Map.of("something", "else")));
            assertBadData(TOO_OLD, location);
            overwrite(fileSystem, location, json.write(file.getValue(), UUID.randomUUID(), Map.of()));
            assertBadData(DAMAGED, location);
            overwrite(fileSystem, location, files.get(location));
        }
    }

    /**
     * Each kind of file states what a reader must know, and a reader ignores other members that it does not know.
     */
    @Test
    void testFeaturesAndMembersOfEveryKind()
            throws IOException
    {
        for (String kind : List.of("/.schema/", "/tables/", "/versions/0")) {
            String location = location(kind);
            String text = new String(files.get(location), UTF_8);
            String unknown = kind.equals("/versions/0") ? text.replace("\"features\":[]", "\"features\":[\"woven\"]") : text.replace("\"body\":{", "\"body\":{\"features\":[\"woven\"],");
            overwrite(fileSystem, location, withChecksum(unknown));
            assertBadData(TOO_NEW, location);
            for (String member : List.of("\"later\":1", "\"later\":null", "\"later\":{\"a\":[1,{}]}")) {
                overwrite(fileSystem, location, withChecksum(text.replace("\"body\":{", "\"body\":{" + member + ",")));
                assertThat(read().rowGroups()).hasSize(1);
            }
            overwrite(fileSystem, location, files.get(location));
        }
    }

    @Test
    void testUnknownFeaturesMembersAndTypes()
            throws IOException
    {
        assertBody(TOO_NEW, "\"features\":[]", "\"features\":[\"time-travel\"]");
        assertBody(TOO_NEW, "\"type\":\"bigint\"", "\"type\":\"hyperloglog\"");
        assertBody(TOO_NEW, "\"type\":\"bigint\"", "\"type\":\"array(hyperloglog)\"");
        assertBody(TOO_NEW, "\"type\":\"bigint\"", "\"type\":\"%sbigint%s\"".formatted("array(".repeat(32), ")".repeat(32)));
        assertBody(DAMAGED, "\"version\":1,", "\"version\":2,");
        assertBody(DAMAGED, "\"version\":1,", "\"version\":-1,");
        assertBody(DAMAGED, "\"version\":1,", "\"version\":1e99,");
        assertBody(DAMAGED, "\"version\":1,", "\"version\":null,");
        assertBody(DAMAGED, "\"properties\":{", "\"properties\":{\"sorted_by\":\"1 UP\",");
        assertBody(DAMAGED, "\"properties\":{", "\"properties\":{\"partitioned_by\":\"1 DAY\",");
        assertBody(DAMAGED, "\"properties\":{", "\"properties\":{\"partitioned_by\":\"1 bucket\",");
        assertBody(DAMAGED, "\"properties\":{", "\"properties\":{\"partitioned_by\":\"1 bucket 9999999999\",");
        assertBody(DAMAGED, "\"properties\":{", "\"properties\":{\"partitioned_by\":\"1 day 2\",");
        // the column is a number
        assertBody(DAMAGED, "\"properties\":{", "\"properties\":{\"partitioned_by\":\"1 day\",");
        assertBody(DAMAGED, "\"properties\":{", "\"properties\":{\"partitioned_by\":\"1 identity, 9 identity\",");
        assertBody(TOO_NEW, "\"properties\":{", "\"properties\":{\"partitioned_by\":\"1 identity, 2 week\",");
        assertBody(TOO_NEW, "\"properties\":{", "\"properties\":{\"partitioned_by\":\"2 z-order 16\",");
        assertBody(DAMAGED, "\"id\":2", "\"id\":1");
        assertBody(DAMAGED, "\"rowGroups\":1", "\"rowGroups\":2");
        assertBody(DAMAGED, "\"rowGroups\":1", "\"rowGroups\":2147483647");
        assertBody(DAMAGED, "\"liveRows\":1", "\"liveRows\":2");
        assertBody(DAMAGED, "\"liveRows\":1", "\"liveRows\":-1");
        assertBody(DAMAGED, "\"first\":1", "\"first\":2");
        assertBody(DAMAGED, "\"first\":1", "\"first\":0");
        assertBody(DAMAGED, "\"bounds\":\"", "\"bounds\":\"AAAA");
        assertBody(DAMAGED, "\"bounds\":\"", "\"bounds\":\"!");
        assertBody(DAMAGED, "\"schemaId\":1", "\"schemaId\":0");
        assertBody(DAMAGED, "\"operation\":\"create\",", "");
        assertBody(DAMAGED, "\"columnGroups\":[", "\"columnGroups\":[" + "[".repeat(10_000) + "]".repeat(10_000) + ",");
        assertBody(TOO_NEW, "\"layout\":\"block\"", "\"layout\":\"woven\"");
        assertBody(TOO_NEW, "\"layout\":\"block\"", "\"layout\":\"block\",\"compression\":\"brotli\"");
        assertBody(DAMAGED, "\"layout\":\"block\"", "\"layout\":null");
        assertBody(DAMAGED, "\"layout\":\"block\"", "\"layout\":1");
        assertBody(DAMAGED, "\"layout\":\"block\",", "");
        assertBody(DAMAGED, "\"columns\":[2]", "\"columns\":[3]");
        assertBody(DAMAGED, "\"columns\":[2]", "\"columns\":[1]");
        assertBody(DAMAGED, "\"columns\":[2]", "\"columns\":[]");
        assertBody(DAMAGED, "\"columns\":[2]", "\"columns\":[null]");
        assertBody(DAMAGED, "\"columns\":[2]", "\"columns\":null");
    }

    @Test
    void testLimitsOfVersions()
            throws IOException
    {
        String location = location("/versions/0");
        long length = table.version().manifests().getFirst().length();
        assertBody(DAMAGED, "\"rowGroups\":1", "\"rowGroups\":0", location);
        assertBody(DAMAGED, "\"length\":" + length, "\"length\":0", location);
        assertBody(DAMAGED, "\"length\":" + length, "\"length\":" + (length + 1), location("/manifests/"));
        assertBody(DAMAGED, "\"length\":" + length, "\"length\":" + (length - 1), location("/manifests/"));
        assertBody(DAMAGED, "\"length\":" + length, "\"length\":67108865", location("/manifests/"));
        assertBody(DAMAGED, "\"last\":1", "\"last\":0");
        assertBody(DAMAGED, "\"id\":2", "\"id\":0");
        assertBody(DAMAGED, "\"id\":2", "\"id\":3");
        assertBody(DAMAGED, "\"lastColumnId\":2", "\"lastColumnId\":1");
        String column = "\"name\":\"%s\",\"type\"";
        List<TableColumn> columns = table.version().columns();
        assertBody(DAMAGED, column.formatted(columns.get(1).name()), column.formatted(columns.get(0).name()));
        assertBody(DAMAGED, column.formatted(columns.get(1).name()), column.formatted(""));
    }

    /**
     * A manifest with more nulls than rows would be pruned for every predicate that excludes null.
     */
    @Test
    void testMoreNullsThanRowsInVersion()
            throws IOException
    {
        String bounds = "\"bounds\":\"" + table.version().manifests().getFirst().bounds().text();
        for (int columnId = 1; columnId <= 2; columnId++) {
            ColumnStatistics damaged = new ColumnStatistics(columnId, 2, UNORDERED, Optional.empty(), Optional.empty());
            assertBody(DAMAGED, bounds, "\"bounds\":\"" + ManifestBounds.of(List.of(damaged)).text());
        }
    }

    /**
     * The manifest is valid except for its sketches.
     */
    @Test
    void testDamagedSketches()
            throws IOException
    {
        String location = location("/manifests/");
        UUID id = table.version().manifests().getFirst().id();
        Slice body = FileFrame.unframe(Location.of(location), FileKind.MANIFEST, Optional.of(id), Slices.wrappedBuffer(files.get(location)));
        DynamicSliceOutput sketches = new DynamicSliceOutput(100);
        SketchCodec.write(table.sketches(), sketches);
        // The only section is at the end of the body
        int start = body.length() - sketches.size();
        assertThat(body.slice(start, sketches.size())).isEqualTo(sketches.slice());
        assertThat(read().sketches()).isEqualTo(table.sketches());

        // Offset 0 is the number of sketches. In the first sketch, the length is at 24, and the kind at 26.
        for (int offset : new int[] {0, 3, 24, 26}) {
            Slice damaged = body.copy();
            damaged.setByte(start + offset, damaged.getByte(start + offset) + 1);
            overwrite(fileSystem, location, FileFrame.frame(FileKind.MANIFEST, id, damaged).getBytes());
            assertBadData(DAMAGED, location);
        }
        // Trailing bytes that belong to no sketch
        Slice unclear = body.copy();
        unclear.setInt(start, 0);
        overwrite(fileSystem, location, FileFrame.frame(FileKind.MANIFEST, id, unclear).getBytes());
        assertBadData(DAMAGED, location);
    }

    /**
     * A newer writer may use codes that this reader does not know.
     */
    @Test
    void testUnknownCodesOfManifests()
            throws IOException
    {
        String location = location("/manifests/");
        UUID id = table.version().manifests().getFirst().id();
        Slice body = FileFrame.unframe(Location.of(location), FileKind.MANIFEST, Optional.of(id), Slices.wrappedBuffer(files.get(location)));
        DynamicSliceOutput entry = new DynamicSliceOutput(100);
        TypeNames types = new TypeNames();
        RowGroupCodec.writeEntry(table.rowGroups().getFirst(), types, entry);
        // The features, the id of the table, the schema id, the types, and the number of row groups
        int start = 8 + 16 + 4 + types.length() + 4;
        assertThat(body.slice(start, entry.size())).isEqualTo(entry.slice());
        // The form of the deleted rows follows the length, the id, the version, the rows, and the live rows
        Slice unknownForm = body.copy();
        unknownForm.setByte(start + 4 + 16 + 3 * 8, 2);
        overwrite(fileSystem, location, FileFrame.frame(FileKind.MANIFEST, id, unknownForm).getBytes());
        assertBadData(TOO_NEW, location);

        // The first sketch has the form 5. The column has no sketch then
        DynamicSliceOutput sketches = new DynamicSliceOutput(100);
        SketchCodec.write(table.sketches(), sketches);
        Slice unknownSketch = body.copy();
        unknownSketch.setByte(body.length() - sketches.size() + 26, 5);
        overwrite(fileSystem, location, FileFrame.frame(FileKind.MANIFEST, id, unknownSketch).getBytes());
        assertThat(read().rowGroups()).isEqualTo(table.rowGroups());
        assertThat(read().sketches().columns()).hasSize(table.sketches().columns().size() - 1);
    }

    @Test
    void testUnknownFlagsOfBoundsInVersion()
            throws IOException
    {
        String bounds = "\"bounds\":\"" + table.version().manifests().getFirst().bounds().text();
        byte[] statistics = Base64.getDecoder().decode(ManifestBounds.of(List.of(new ColumnStatistics(1, 0, UNORDERED, Optional.empty(), Optional.empty()))).text());
        statistics[statistics.length - 1] = 4;
        assertBody(TOO_NEW, bounds, "\"bounds\":\"" + Base64.getEncoder().encodeToString(statistics));
    }

    /**
     * Asserts that a file that is valid except for one part of its body is refused.
     */
    private void assertBody(Reason reason, String part, String replacement)
            throws IOException
    {
        assertBody(reason, part, replacement, part.contains("rowGroups") ? location("/manifests/") : location("/versions/0"));
    }

    private void assertBody(Reason reason, String part, String replacement, String place)
            throws IOException
    {
        String location = location("/versions/0");
        String text = new String(files.get(location), UTF_8);
        String body = text.substring(text.indexOf("\"body\":") + 7, text.lastIndexOf(",\n\"crc32c\""));
        assertThat(body).contains(part);
        UUID id = table.version().commitId();
        overwrite(fileSystem, location, JsonFrame.frame(JsonKind.VERSION, id, JsonKind.VERSION.formatVersion(), body.replace(part, replacement).getBytes(UTF_8)));
        assertBadData(reason, place);
    }

    private void check(String location, byte[] bytes)
            throws IOException
    {
        overwrite(fileSystem, location, bytes);
        if (location.endsWith(HINT)) {
            assertThat(read().rowGroups()).hasSize(1);
        }
        else {
            assertBadData(DAMAGED, location);
        }
        overwrite(fileSystem, location, files.get(location));
    }

    private void assertBadData(Reason reason, String location)
    {
        assertThatThrownBy(() -> read().rowGroups())
                .isInstanceOf(UncheckedIOException.class)
                .cause()
                .isInstanceOfSatisfying(AlbisDataException.class, e -> assertThat(e.reason()).as(e.getMessage()).isEqualTo(reason))
                .hasMessageContaining(location);
    }

    private AlbisTable read()
    {
        warehouse.getSchema("s");
        return load(warehouse, "s", "t");
    }

    private String location(String part)
    {
        return files.keySet().stream()
                .filter(location -> location.contains(part))
                .findFirst().orElseThrow();
    }
}
