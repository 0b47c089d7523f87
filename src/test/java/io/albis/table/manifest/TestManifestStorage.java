package io.albis.table.manifest;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.airlift.slice.DynamicSliceOutput;
import io.albis.format.io.AlbisDataException;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.albis.table.HookedFileSystem;
import io.albis.table.Warehouse;
import io.albis.table.WarehouseOptions;
import io.albis.table.model.ManifestEntry;
import io.albis.table.model.TableColumn;
import io.albis.table.model.TableColumnGroup;
import io.albis.table.model.TableDefinition;
import io.albis.table.model.TableException;
import io.albis.table.model.TableRows;
import io.albis.table.row.ReadSet;
import io.albis.table.sketch.ColumnSketch;
import io.albis.table.sketch.ColumnSketches;
import io.albis.table.sketch.PageSketcher;
import io.albis.table.sketch.SketchCodec;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.FileIterator;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystem;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import static io.albis.format.metadata.RowGroup.UNKNOWN_VERSION;
import static io.albis.format.schema.AlbisLayout.BLOCK;
import static io.albis.table.HookedFileSystem.Kind.CREATE;
import static io.albis.table.TableFixtures.DEFINITION;
import static io.albis.table.TableFixtures.POLICY;
import static io.albis.table.TableFixtures.ROOT;
import static io.albis.table.TableFixtures.TYPE_RESOLVER;
import static io.albis.table.TableFixtures.assertSketches;
import static io.albis.table.TableFixtures.createTable;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.TableFixtures.rows;
import static io.albis.table.model.TableException.Reason.NOT_SUPPORTED;
import static io.trino.spi.type.BigintType.BIGINT;
import static java.util.stream.IntStream.range;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Percentage.withPercentage;

/**
 * The manifests that list row groups, mostly with a far smaller target size than in a real warehouse.
 */
class TestManifestStorage
{
    private static final int PIECE_LENGTH = 2_000;
    private static final int MAX_LENGTH = 3_000;
    private static final ManifestOptions SMALL = new ManifestOptions(ManifestSource.FILES, PIECE_LENGTH, MAX_LENGTH);

    private final MemoryFileSystem fileSystem = new MemoryFileSystem();

    @Test
    void testManyRowGroupsOfOneCommit()
    {
        Warehouse warehouse = warehouse(fileSystem, ManifestOptions.DEFAULT);
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
        RowGroup[] rowGroups = newRowGroups(40_000);
        AlbisTable table = createTable(warehouse, "s", "t", rowGroups);
        // The manifests take 5.5 MB
        assertThat(table.version().manifests()).hasSize(2);
        assertThat(table.version().manifests().getFirst().length()).isBetween(ManifestOptions.PIECE_LENGTH, ManifestOptions.PIECE_LENGTH + 1_000);
        assertThat(load(warehouse, "s", "t").rowGroups()).containsExactly(rowGroups);
        assertSketches(load(warehouse, "s", "t"), rowGroups.length);
    }

    /**
     * All columns of a wide table keep their sketches after several writers and commits, also of merged manifests.
     */
    @Test
    @Tag("slow")
    void testSketchesOfManyColumns()
    {
        int columnCount = 1_500;
        List<TableColumn> columns = range(1, columnCount + 1)
                .mapToObj(id -> new TableColumn(id, "c" + id, BIGINT, true, Optional.empty()))
                .toList();
        TableDefinition definition = new TableDefinition(columns, ImmutableList.of(new TableColumnGroup(BLOCK, columns.stream().map(TableColumn::id).toList())), ImmutableMap.of(), Optional.empty(), Optional.empty());
        Warehouse warehouse = warehouse(fileSystem, ManifestOptions.DEFAULT);
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
        AlbisTable table = warehouse.createTable(warehouse.newTable("s", "t", definition), TableRows.NONE);
        int commits = ManifestMerge.FAN_IN + 1;
        for (int commit = 0; commit < commits; commit++) {
            List<TableRows> writers = new ArrayList<>();
            for (int writer = 0; writer < 2; writer++) {
                RowGroup rowGroup = new RowGroup(UUID.randomUUID(), 50, ImmutableList.of(new ColumnGroupInstance(UUID.randomUUID(), columns.stream().map(TableColumn::id).toList(), 1, 1)), ImmutableList.of());
                writers.add(new TableRows(ImmutableList.of(rowGroup), sketches(columns, (2 * commit + writer) * 50, 50)));
            }
            table = warehouse.append(table, TableRows.union(writers), ReadSet.BLIND);
            ColumnSketches known = load(warehouse, "s", "t").sketches();
            assertThat(known.columns()).as("%s commits", commit + 1).hasSize(columnCount);
            for (ColumnSketch sketch : known.columns().values()) {
                assertThat((double) sketch.distinctValues()).isCloseTo((commit + 1) * 100, withPercentage(10));
            }
        }
        assertThat(table.version().manifests()).hasSize(2);
    }

    /**
     * Returns the sketches of one writer, as it passes them to the coordinator.
     */
    private static ColumnSketches sketches(List<TableColumn> columns, long first, int count)
    {
        BlockBuilder values = BIGINT.createBlockBuilder(null, count);
        for (int i = 0; i < count; i++) {
            BIGINT.writeLong(values, first + i);
        }
        Block[] blocks = new Block[columns.size()];
        Arrays.fill(blocks, values.build());
        PageSketcher sketcher = new PageSketcher(columns.stream().map(TableColumn::toAlbisColumn).toList());
        sketcher.append(new Page(blocks));
        DynamicSliceOutput output = new DynamicSliceOutput(1024);
        SketchCodec.write(sketcher.finish(), output);
        return SketchCodec.read(output.slice().getInput());
    }

    @Property(tries = 30)
    void testAppends(@ForAll @Size(max = 40) List<@IntRange(min = 1, max = 60) Integer> appends)
            throws IOException
    {
        MemoryFileSystem fileSystem = new MemoryFileSystem();
        Warehouse warehouse = warehouse(fileSystem, SMALL);
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
        createTable(warehouse, "s", "t");
        Map<UUID, Long> versions = new HashMap<>();
        for (int count : appends) {
            RowGroup[] added = newRowGroups(count);
            AlbisTable base = load(warehouse, "s", "t");
            AlbisTable appended = warehouse.append(base, rows(added), ReadSet.BLIND);
            for (RowGroup rowGroup : added) {
                versions.put(rowGroup.id(), appended.version().version());
            }

            // Full manifests are not rewritten
            for (ManifestEntry manifest : base.version().manifests()) {
                if (manifest.length() >= PIECE_LENGTH) {
                    assertThat(appended.version().manifests()).contains(manifest);
                }
            }
            long full = 0;
            long last = 0;
            long remainders = 0;
            for (ManifestEntry manifest : appended.version().manifests()) {
                assertThat(manifest.length()).isLessThanOrEqualTo(MAX_LENGTH);
                if (manifest.length() >= PIECE_LENGTH) {
                    full++;
                }
                else if (manifest.sketchManifest().isPresent()) {
                    last++;
                }
                else {
                    remainders++;
                }
            }
            // At most one of the manifests of a commit is not full
            assertThat(last).isLessThanOrEqualTo(full);
            // A full manifest has 14 row groups, so the levels are 0 and 1
            assertThat(remainders).isLessThanOrEqualTo(2L * ManifestMerge.FAN_IN);
            AlbisTable loaded = load(warehouse, "s", "t");
            assertThat(loaded.rowGroups()).extracting(RowGroup::id).containsExactlyInAnyOrderElementsOf(versions.keySet());
            assertAddedVersions(loaded, versions);
            assertThat(loaded.rowCount()).isEqualTo(versions.size());
            assertThat(loaded.sketches().get(1).orElseThrow().values()).isEqualTo(versions.size());
        }
    }

    /**
     * Entries keep the versions that added them when their manifests are merged.
     */
    private static void assertAddedVersions(AlbisTable table, Map<UUID, Long> expected)
    {
        for (RowGroup rowGroup : table.rowGroups()) {
            if (rowGroup.addedVersion() != UNKNOWN_VERSION) {
                assertThat(rowGroup.addedVersion()).isEqualTo(expected.get(rowGroup.id()));
            }
        }
        List<Long> unknown = table.rowGroups().stream()
                .filter(rowGroup -> rowGroup.addedVersion() == UNKNOWN_VERSION)
                .map(rowGroup -> expected.get(rowGroup.id()))
                .toList();
        // The last version of a manifest is that of all entries without one
        assertThat(table.version().manifests().stream().map(manifest -> manifest.addedVersions().last()).toList()).containsAll(unknown);
        long first = table.version().manifests().stream().mapToLong(manifest -> manifest.addedVersions().first()).min().orElseThrow();
        assertThat(first).isEqualTo(expected.values().stream().mapToLong(Long::longValue).min().orElseThrow());
    }

    @Test
    void testRowGroupThatIsTooLarge()
            throws IOException
    {
        Warehouse warehouse = warehouse(fileSystem, SMALL);
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
        AlbisTable table = createTable(warehouse, "s", "t", oneRow());
        int files = files(fileSystem);
        // The row group that is too large is in the third manifest, after two were written
        List<RowGroup> rowGroups = ImmutableList.<RowGroup>builder().add(newRowGroups(30)).add(wideRow(750)).build();
        assertThatThrownBy(() -> warehouse.append(table, TableRows.withoutSketches(rowGroups), ReadSet.BLIND))
                .isInstanceOfSatisfying(TableException.class, e -> assertThat(e.reason()).isEqualTo(NOT_SUPPORTED))
                .hasMessageContaining("with 750 columns takes 3")
                .hasMessageContaining("but a manifest can have at most 3000 bytes");
        assertThatThrownBy(() -> warehouse.createTable(warehouse.newTable("s", "wide", DEFINITION), TableRows.withoutSketches(rowGroups)))
                .isInstanceOf(TableException.class);
        assertThat(load(warehouse, "s", "t").rowGroups()).hasSize(1);
        assertThat(warehouse.loadTable("s", "wide")).isEmpty();
        assertThat(files(fileSystem)).isEqualTo(files);

        // This row group has the maximum size, which is larger than the target size of a manifest
        warehouse.append(table, TableRows.withoutSketches(ImmutableList.of(oneRow(), wideRow(500), oneRow())), ReadSet.BLIND);
        assertThat(load(warehouse, "s", "t").version().manifests()).hasSize(3);
        assertThat(load(warehouse, "s", "t").rowGroups()).hasSize(4);
    }

    @Test
    void testFailedWriteLeavesNoPiece()
            throws IOException
    {
        int[] creates = new int[1];
        TrinoFileSystem failing = new HookedFileSystem(fileSystem, new HookedFileSystem.Hook()
        {
            @Override
            public void before(HookedFileSystem.Operation operation)
                    throws IOException
            {
                if (operation.kind() == CREATE && operation.location().toString().contains("/manifests/") && ++creates[0] == 3) {
                    throw new IOException("disk full");
                }
            }
        });
        Warehouse warehouse = warehouse(failing, SMALL);
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
        AlbisTable table = createTable(warehouse, "s", "t");
        int files = files(fileSystem);
        assertThatThrownBy(() -> warehouse.append(table, rows(newRowGroups(100)), ReadSet.BLIND))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("disk full");
        assertThat(creates[0]).isEqualTo(3);
        assertThat(files(fileSystem)).isEqualTo(files);
    }

    @Test
    void testReaderRefusesLongerOnes()
    {
        Warehouse writer = warehouse(fileSystem, ManifestOptions.DEFAULT);
        writer.createSchema("s", Optional.empty(), ImmutableMap.of());
        createTable(writer, "s", "t", newRowGroups(100));
        Warehouse reader = warehouse(fileSystem, SMALL);
        assertThatThrownBy(() -> load(reader, "s", "t").rowGroups())
                .isInstanceOf(UncheckedIOException.class)
                .cause()
                .isInstanceOf(AlbisDataException.class)
                .hasMessageMatching("Damaged Albis file memory:/.*/manifests/[0-9a-f-]*: its length is \\d+ bytes according to the table version, but can be at most 3000 bytes");
    }

    private static RowGroup wideRow(int columns)
    {
        return new RowGroup(
                UUID.randomUUID(),
                1,
                ImmutableList.of(new ColumnGroupInstance(UUID.randomUUID(), range(0, columns).boxed().toList(), 1, 1)),
                ImmutableList.of());
    }

    private static RowGroup[] newRowGroups(int count)
    {
        return range(0, count).mapToObj(_ -> oneRow()).toArray(RowGroup[]::new);
    }

    private static Warehouse warehouse(TrinoFileSystem fileSystem, ManifestOptions options)
    {
        return new Warehouse(fileSystem, ROOT, TYPE_RESOLVER, WarehouseOptions.DEFAULT.withPolicy(POLICY).withManifests(options));
    }

    private static int files(TrinoFileSystem fileSystem)
            throws IOException
    {
        int count = 0;
        FileIterator files = fileSystem.listFiles(ROOT);
        while (files.hasNext()) {
            files.next();
            count++;
        }
        return count;
    }
}
