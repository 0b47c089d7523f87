package io.albis.table.manifest;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.albis.format.delete.DeletedPositions;
import io.albis.format.delete.DeletesWriter;
import io.albis.format.io.AlbisDataException;
import io.albis.format.io.FileFrame;
import io.albis.format.io.FileKind;
import io.albis.format.metadata.DeletedRows;
import io.albis.format.metadata.RowGroup;
import io.albis.table.Warehouse;
import io.albis.table.WarehouseOptions;
import io.albis.table.json.JsonFrame;
import io.albis.table.json.JsonKind;
import io.albis.table.model.ManifestEntry;
import io.albis.table.model.TableRows;
import io.albis.table.path.TablePaths;
import io.albis.table.put.SmallFiles;
import io.albis.table.row.ReadSet;
import io.albis.table.row.ReadSet.Scan;
import io.albis.table.row.RowChange;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.Location;
import io.trino.filesystem.memory.MemoryFileSystem;
import io.trino.spi.predicate.TupleDomain;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import static io.albis.format.io.AlbisDataException.Reason.DAMAGED;
import static io.albis.format.io.AlbisDataException.Reason.TOO_NEW;
import static io.albis.table.TableFixtures.POLICY;
import static io.albis.table.TableFixtures.ROOT;
import static io.albis.table.TableFixtures.TYPE_RESOLVER;
import static io.albis.table.TableFixtures.createTable;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.TableFixtures.overwrite;
import static io.albis.table.TableFixtures.rows;
import static io.albis.table.model.TableOperation.DELETE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.IntStream.range;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * A version that has removed entries of a manifest, and a manifest with deleted rows, which are valid except for one
 * part. All checksums match.
 */
class TestRemovedEntries
{
    private static final int ROWS = 4;

    private final MemoryFileSystem fileSystem = new MemoryFileSystem();
    // Manifests of more than 31 bytes are kept
    private final Warehouse warehouse = new Warehouse(
            fileSystem,
            ROOT,
            TYPE_RESOLVER,
            WarehouseOptions.DEFAULT.withPolicy(POLICY).withManifests(new ManifestOptions(ManifestSource.FILES, 2_000, 3_000)));

    private AlbisTable table;
    private DeletedRows deletedRows;

    @BeforeEach
    void setUp()
            throws IOException
    {
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
        RowGroup[] rowGroups = range(0, 10).mapToObj(_ -> oneRow()).map(one -> new RowGroup(one.id(), ROWS, one.columnGroups(), one.statistics())).toArray(RowGroup[]::new);
        AlbisTable created = createTable(warehouse, "s", "t", rowGroups);
        DeletesWriter writer = new DeletesWriter(fileSystem, created.folder(), UUID.randomUUID());
        deletedRows = writer.add(DeletedPositions.of(3));
        writer.close();
        RowChange change = new RowChange(TableRows.NONE, ImmutableMap.of(rowGroups[5].id(), deletedRows), ImmutableSet.of(rowGroups[2].id()), DELETE);
        table = warehouse.change(created, change, ReadSet.ofDelete(Scan.of(TupleDomain.all())));
        assertThat(table.version().manifests()).extracting(ManifestEntry::removed).containsExactly(List.of(2, 5), List.of());
        assertThat(load(warehouse, "s", "t").rowGroups()).extracting(RowGroup::id)
                .containsExactlyInAnyOrderElementsOf(range(0, 10).filter(i -> i != 2).mapToObj(i -> rowGroups[i].id()).toList());
    }

    @Test
    void testIndexes()
            throws IOException
    {
        Location manifest = manifest(0);
        for (String indexes : List.of("[5,2]", "[2,2]", "[-1,5]", "[2,10]", "[2,2147483647]", "[2,2147483648]", "[2,null]", "[2,\"x\"]", "[[2],5]", "\"x\"", "{}", "2")) {
            assertVersion("\"removed\":[2,5]", "\"removed\":" + indexes, version());
        }
        // The version does not show that these are wrong
        for (String indexes : List.of("[]", "[2]", "[2,5,7]", "null")) {
            assertVersion("\"removed\":[2,5]", "\"removed\":" + indexes, manifest);
        }
        assertVersion(",\"removed\":[2,5]", "", manifest);
    }

    @Test
    void testCounts()
            throws IOException
    {
        assertVersion("\"rowGroups\":8", "\"rowGroups\":9", manifest(0));
        assertVersion("\"rows\":32,\"liveRows\":32", "\"rows\":40,\"liveRows\":32", manifest(0));
        assertVersion("\"rows\":32,\"liveRows\":32", "\"rows\":32,\"liveRows\":31", manifest(0));
        assertVersion("\"rows\":4,\"liveRows\":3", "\"rows\":4,\"liveRows\":4", manifest(1));
        assertVersion("\"rows\":4,\"liveRows\":3", "\"rows\":4,\"liveRows\":2", manifest(1));
        assertVersion("\"rows\":4,\"liveRows\":3", "\"rows\":4,\"liveRows\":5", version());
    }

    @Test
    void testFeature()
            throws IOException
    {
        for (String features : List.of("[]", "null")) {
            assertVersion("\"features\":[\"row-deletes\"]", "\"features\":" + features, version());
        }
    }

    @Test
    void testReferenceToDeletedRows()
            throws IOException
    {
        Location location = manifest(1);
        UUID id = table.version().manifests().get(1).id();
        Slice body = FileFrame.unframe(location, FileKind.MANIFEST, Optional.of(id), Slices.wrappedBuffer(SmallFiles.read(fileSystem, location).orElseThrow()));
        Slice file = Slices.allocate(2 * Long.BYTES);
        file.setLong(0, Long.reverseBytes(deletedRows.file().getMostSignificantBits()));
        file.setLong(Long.BYTES, Long.reverseBytes(deletedRows.file().getLeastSignificantBits()));
        int reference = body.indexOf(file, 0);
        assertThat(reference).isPositive();

        // The live rows, the flag, the offset, the length, and the number of deleted rows
        for (long liveRows : new long[] {2, 4, 0, -1}) {
            assertManifest(location, id, withLong(body, reference - 9, liveRows));
        }
        for (int flag : new int[] {0, 2, 255}) {
            Slice damaged = body.copy();
            damaged.setByte(reference - 1, flag);
            // A newer writer may use other flags
            assertManifest(location, id, damaged, flag == 0 ? DAMAGED : TOO_NEW);
        }
        for (long offset : new long[] {0, 31, -1, Long.MIN_VALUE, Long.MAX_VALUE}) {
            assertManifest(location, id, withLong(body, reference + 16, offset));
        }
        for (int length : new int[] {0, -1, Integer.MIN_VALUE}) {
            Slice damaged = body.copy();
            damaged.setInt(reference + 24, length);
            assertManifest(location, id, damaged);
        }
        for (long count : new long[] {0, 2, 5, -1, Long.MAX_VALUE}) {
            assertManifest(location, id, withLong(body, reference + 32, count));
        }
        // A manifest whose numbers match but differ from the version
        assertManifest(location, id, withLong(withLong(body, reference - 9, 2), reference + 32, 2));
        overwrite(fileSystem, location.toString(), FileFrame.frame(FileKind.MANIFEST, id, body).getBytes());
        assertThat(load(warehouse, "s", "t").rowGroups()).hasSize(9);
    }

    /**
     * A writer that finds damage changes nothing.
     */
    @Test
    void testDamagedWhileWriting()
            throws IOException
    {
        UUID id = table.rowGroups().getFirst().id();
        fileSystem.deleteFile(manifest(0));
        RowChange change = new RowChange(TableRows.NONE, ImmutableMap.of(), ImmutableSet.of(id), DELETE);
        assertThatThrownBy(() -> warehouse.change(table, change, ReadSet.ofDelete(Scan.of(TupleDomain.all()))))
                .isInstanceOf(UncheckedIOException.class)
                .cause()
                .isInstanceOfSatisfying(AlbisDataException.class, e -> assertThat(e.reason()).isEqualTo(DAMAGED))
                .hasMessageContaining(manifest(0).toString());
        assertThat(load(warehouse, "s", "t").version().version()).isEqualTo(2);
    }

    /**
     * Memory is allocated for the entries that the file has, and not for those that the version claims.
     */
    @Test
    @Timeout(60)
    void testClaimedEntries()
            throws IOException
    {
        assertThat(table.version().manifests().getFirst().rowGroups()).isEqualTo(8);
        Location damaged = manifest(0);
        assertVersion("\"rowGroups\":8", "\"rowGroups\":2000000000", damaged, () -> {
            AlbisTable base = load(warehouse, "s", "t");
            warehouse.truncate(base);
            warehouse.append(base, rows(oneRow()), ReadSet.wholeTable());
        });
    }

    @Test
    void testRowGroupThatTheTableDoesNotHave()
    {
        RowChange change = new RowChange(TableRows.withoutSketches(ImmutableList.of(oneRow())), ImmutableMap.of(), ImmutableSet.of(UUID.randomUUID()), DELETE);
        assertThatThrownBy(() -> warehouse.change(table, change, ReadSet.ofDelete(Scan.of(TupleDomain.all()))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("does not have the row group");
    }

    private static Slice withLong(Slice body, int offset, long value)
    {
        Slice damaged = body.copy();
        damaged.setLong(offset, value);
        return damaged;
    }

    private Location version()
    {
        return new TablePaths(table.folder()).version(2);
    }

    private Location manifest(int index)
    {
        return new TablePaths(table.folder()).manifest(table.version().manifests().get(index).id());
    }

    private void assertVersion(String part, String replacement, Location damaged)
            throws IOException
    {
        assertVersion(part, replacement, damaged, () -> load(warehouse, "s", "t").rowGroups());
    }

    private void assertVersion(String part, String replacement, Location damaged, Runnable access)
            throws IOException
    {
        byte[] file = SmallFiles.read(fileSystem, version()).orElseThrow();
        String text = new String(file, UTF_8);
        String body = text.substring(text.indexOf("\"body\":") + 7, text.lastIndexOf(",\n\"crc32c\""));
        assertThat(body).contains(part);
        overwrite(fileSystem, version().toString(), JsonFrame.frame(JsonKind.VERSION, table.version().commitId(), JsonKind.VERSION.formatVersion(), body.replace(part, replacement).getBytes(UTF_8)));
        assertRefused(DAMAGED, damaged, replacement, access);
        overwrite(fileSystem, version().toString(), file);
    }

    private void assertManifest(Location location, UUID id, Slice body)
            throws IOException
    {
        assertManifest(location, id, body, DAMAGED);
    }

    private void assertManifest(Location location, UUID id, Slice body, AlbisDataException.Reason reason)
            throws IOException
    {
        overwrite(fileSystem, location.toString(), FileFrame.frame(FileKind.MANIFEST, id, body).getBytes());
        assertRefused(reason, location, "manifest", () -> load(warehouse, "s", "t").rowGroups());
    }

    private static void assertRefused(AlbisDataException.Reason reason, Location location, String what, Runnable access)
    {
        assertThatThrownBy(access::run)
                .as(what)
                .isInstanceOf(UncheckedIOException.class)
                .cause()
                .isInstanceOfSatisfying(AlbisDataException.class, e -> assertThat(e.reason()).isEqualTo(reason))
                .hasMessageContaining(location.toString());
    }
}
