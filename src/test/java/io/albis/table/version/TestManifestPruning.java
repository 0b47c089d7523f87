package io.albis.table.version;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.albis.format.metadata.StatisticsDomains;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.table.HookedFileSystem;
import io.albis.table.HookedFileSystem.Hook;
import io.albis.table.HookedFileSystem.Kind;
import io.albis.table.HookedFileSystem.Operation;
import io.albis.table.Warehouse;
import io.albis.table.WarehouseOptions;
import io.albis.table.manifest.ManifestOptions;
import io.albis.table.manifest.ManifestSource;
import io.albis.table.model.ManifestBounds;
import io.albis.table.model.ManifestEntry;
import io.albis.table.model.TableRows;
import io.albis.table.row.ReadSet;
import io.trino.filesystem.memory.MemoryFileSystem;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.predicate.ValueSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;

import static io.airlift.slice.Slices.utf8Slice;
import static io.albis.format.statistics.ValueOrder.UNORDERED;
import static io.albis.table.TableFixtures.POLICY;
import static io.albis.table.TableFixtures.ROOT;
import static io.albis.table.TableFixtures.TYPE_RESOLVER;
import static io.albis.table.TableFixtures.createTable;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.TableFixtures.rows;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A query reads only the manifests whose bounds in the version do not exclude its predicate, and finds every row group
 * that it would find by reading all of them.
 */
class TestManifestPruning
{
    private static final AlbisColumn ID = AlbisColumn.make(1, "id", BIGINT);
    private static final AlbisColumn NAME = AlbisColumn.make(2, "name", VARCHAR);
    private static final ManifestOptions SMALL = new ManifestOptions(ManifestSource.FILES, 3000, 6000);

    private final long seed = new Random().nextLong();
    private final Random random = new Random(seed);
    private final Set<String> read = new HashSet<>();
    private final MemoryFileSystem fileSystem = new MemoryFileSystem();
    private Warehouse warehouse;

    @BeforeEach
    void setUp()
    {
        System.out.println("Manifest pruning with seed " + seed);
        HookedFileSystem counted = new HookedFileSystem(fileSystem, new Hook()
        {
            @Override
            public void after(Operation operation)
            {
                if (operation.kind() == Kind.READ && operation.location().path().contains("/manifests/")) {
                    read.add(operation.location().fileName());
                }
            }
        });
        warehouse = new Warehouse(counted, ROOT, TYPE_RESOLVER, WarehouseOptions.DEFAULT.withPolicy(POLICY).withManifests(SMALL));
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
    }

    @Test
    void testOnlyWhatMattersIsRead()
    {
        createTable(warehouse, "s", "t");
        // Each commit has several manifests, and those of the commits overlap at their ends only
        for (int commit = 0; commit < 10; commit++) {
            List<RowGroup> rowGroups = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                rowGroups.add(rowGroup(commit * 400 + i * 10, commit * 400 + i * 10 + 9, false));
            }
            warehouse.append(load(warehouse, "s", "t"), rows(rowGroups.toArray(RowGroup[]::new)), ReadSet.BLIND);
        }
        AlbisTable table = load(warehouse, "s", "t");
        assertThat(table.version().manifests().size()).isGreaterThan(20);
        read.clear();
        ManifestSelection selection = table.select(id(Range.equal(BIGINT, 1234L)));
        // One manifest of a commit, and perhaps the one into which the last manifests of eight commits were merged
        assertThat(selection.manifests()).isBetween(1, 2);
        assertThat(selection.prunedManifests()).isEqualTo(table.version().manifests().size() - selection.manifests());
        assertThat(selection.prunedRowGroups() + selection.rowGroups().size()).isEqualTo(400);
        assertThat(read).hasSize(selection.manifests());
        // The sketches of each commit are in its first manifest
        long commits = 0;
        for (ManifestEntry manifest : table.version().manifests()) {
            commits += read.contains(manifest.id().toString()) ? manifest.sketchManifest().map(_ -> 2).orElse(1) : 0;
        }
        table.sketches(id(Range.equal(BIGINT, 1234L)));
        assertThat((long) read.size()).isLessThanOrEqualTo(commits);
        assertThat(table.sketches(id(Range.equal(BIGINT, 1234L))).get(1).orElseThrow().values()).isGreaterThanOrEqualTo(selection.rowGroups().size());
        assertThat(table.select(id(Range.greaterThan(BIGINT, 4000L))).rowGroups()).isEmpty();
        assertThat(table.select(TupleDomain.none()).rowGroups()).isEmpty();
        assertThat((long) read.size()).isLessThanOrEqualTo(commits);
        assertThat(table.select(TupleDomain.all()).rowGroups()).hasSize(400);
        assertThat(read).hasSameSizeAs(table.version().manifests());
        assertThat(table.select(TupleDomain.all())).isEqualTo(new ManifestSelection(table.rowGroups(), read.size(), 0, 0));
    }

    /**
     * The last manifest of a commit with several manifests is not merged with others, which have their sketches
     * elsewhere.
     */
    @Test
    void testSketchesOfManyCommits()
    {
        createTable(warehouse, "s", "t");
        int most = 0;
        int full = 0;
        for (int commit = 0; commit < 70; commit++) {
            List<RowGroup> rowGroups = new ArrayList<>();
            for (int i = 0; i < 25; i++) {
                rowGroups.add(rowGroup(commit * 1000 + i * 10, commit * 1000 + i * 10 + 9, false));
            }
            AlbisTable table = warehouse.append(load(warehouse, "s", "t"), rows(rowGroups.toArray(RowGroup[]::new)), ReadSet.BLIND);
            full = 0;
            for (ManifestEntry manifest : table.version().manifests()) {
                full += manifest.length() >= SMALL.pieceLength() ? 1 : 0;
            }
            assertThat(table.version().manifests().size()).as("manifests").isLessThanOrEqualTo(2 * full);
            TupleDomain<AlbisColumn> last = id(Range.equal(BIGINT, commit * 1000 + 245L));
            read.clear();
            ManifestSelection selection = table.select(last);
            assertThat(selection.rowGroups()).anySatisfy(rowGroup -> assertThat(rowGroup.id()).isEqualTo(rowGroups.getLast().id()));
            assertThat(table.sketches(last).get(1).orElseThrow().values()).isGreaterThanOrEqualTo(25);
            most = Math.max(most, read.size());
        }
        System.out.printf("%s full manifests; a query reads at most %s%n", full, most);
        assertThat(full).isGreaterThanOrEqualTo(70);
        // The manifest with the row group, and the one with its sketches
        assertThat(most).isEqualTo(2);
    }

    /**
     * Whatever the bounds are, with nulls, unknown bounds, missing columns, and after any number of merges.
     */
    @Test
    void testNothingIsMissed()
    {
        for (int round = 0; round < 15; round++) {
            String name = "t" + round;
            createTable(warehouse, "s", name);
            for (int commit = random.nextInt(30); commit >= 0; commit--) {
                RowGroup[] added = new RowGroup[1 + random.nextInt(random.nextInt(5) == 0 ? 40 : 3)];
                for (int i = 0; i < added.length; i++) {
                    long least = random.nextLong(1000);
                    added[i] = rowGroup(least, least + random.nextLong(50), true);
                }
                warehouse.append(load(warehouse, "s", name), rows(added), ReadSet.BLIND);
            }
            for (int query = 0; query < 20; query++) {
                AlbisTable table = load(warehouse, "s", name);
                TupleDomain<AlbisColumn> predicate = randomPredicate();
                Set<UUID> expected = new HashSet<>();
                for (RowGroup rowGroup : load(warehouse, "s", name).rowGroups()) {
                    if (StatisticsDomains.overlaps(rowGroup, predicate)) {
                        expected.add(rowGroup.id());
                    }
                }
                read.clear();
                ManifestSelection selection = table.select(predicate);
                assertThat(selection.rowGroups()).as("seed %s", seed).extracting(RowGroup::id).containsAll(expected);
                assertThat(read).as("seed %s", seed).hasSize(selection.manifests());
                assertThat(selection.manifests() + selection.prunedManifests()).isEqualTo(table.version().manifests().size());
                assertThat(selection.rowGroups().size() + selection.prunedRowGroups()).isEqualTo(table.rowGroups().size());
                assertThat(table.sketches(predicate).get(1).map(sketch -> sketch.values()).orElse(0L)).as("seed %s", seed).isGreaterThanOrEqualTo(selection.rowGroups().size());
            }
        }
    }

    /**
     * The bounds in a version are limited. Those that are left are right, and belong to the column that distinguishes
     * the manifests.
     */
    @Test
    void testManyManifests()
    {
        createTable(warehouse, "s", "t");
        for (int commit = 0; commit < 120; commit++) {
            List<RowGroup> rowGroups = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                rowGroups.add(rowGroup(1_000_000 - commit * 100 - i, 1_000_000 - commit * 100 - i, false));
            }
            warehouse.append(load(warehouse, "s", "t"), TableRows.withoutSketches(rowGroups), ReadSet.BLIND);
        }
        AlbisTable table = load(warehouse, "s", "t");
        List<ManifestEntry> manifests = table.version().manifests();
        long length = manifests.stream().mapToLong(manifest -> manifest.bounds().text().length()).sum();
        System.out.printf("%s manifests, %s characters of bounds%n", manifests.size(), length);
        assertThat(manifests.size()).isGreaterThan(700);
        assertThat(length).isBetween(20_000L, 64L << 10);
        assertThat(manifests).allSatisfy(manifest -> assertThat(manifest.bounds().find(1)).isPresent());
        assertThat(manifests.stream().filter(manifest -> manifest.bounds().find(2).isEmpty()).count()).isGreaterThan(300);
        read.clear();
        // The last manifests of commits are merged, and the merged manifests overlap with others
        int selected = table.select(id(Range.equal(BIGINT, 995_000L))).manifests();
        assertThat(selected).isBetween(1, 10);
        assertThat(read).hasSize(selected);
    }

    @Test
    void testWithoutBounds()
    {
        AlbisTable table = createTable(warehouse, "s", "t", rowGroup(1, 2, false));
        ManifestEntry entry = table.version().manifests().getFirst();
        assertThat(entry.overlaps(id(Range.equal(BIGINT, 3L)))).isFalse();
        assertThat(entry.withBounds(ManifestBounds.NONE).overlaps(id(Range.equal(BIGINT, 3L)))).isTrue();
    }

    private TupleDomain<AlbisColumn> randomPredicate()
    {
        Domain id = switch (random.nextInt(4)) {
            case 0 -> Domain.onlyNull(BIGINT);
            case 1 -> Domain.notNull(BIGINT);
            case 2 -> Domain.singleValue(BIGINT, random.nextLong(1100));
            default -> Domain.create(ValueSet.ofRanges(Range.lessThan(BIGINT, random.nextLong(1100))), random.nextBoolean());
        };
        if (random.nextBoolean()) {
            return TupleDomain.withColumnDomains(Map.of(ID, id));
        }
        return TupleDomain.withColumnDomains(Map.of(ID, id, NAME, random.nextBoolean() ? Domain.onlyNull(VARCHAR) : Domain.singleValue(VARCHAR, utf8Slice("name" + random.nextInt(10)))));
    }

    private static TupleDomain<AlbisColumn> id(Range range)
    {
        return TupleDomain.withColumnDomains(Map.of(ID, Domain.create(ValueSet.ofRanges(range), false)));
    }

    /**
     * @param varied whether columns and bounds may be missing
     */
    private RowGroup rowGroup(long least, long greatest, boolean varied)
    {
        List<ColumnGroupInstance> columnGroups = new ArrayList<>();
        List<ColumnStatistics> statistics = new ArrayList<>();
        int rows = 100;
        columnGroups.add(new ColumnGroupInstance(UUID.randomUUID(), ImmutableList.of(1), 100, 50));
        switch (varied ? random.nextInt(10) : 9) {
            case 0 -> {}
            case 1 -> statistics.add(new ColumnStatistics(1, rows, UNORDERED, Optional.empty(), Optional.empty()));
            case 2 -> statistics.add(new ColumnStatistics(1, 1, UNORDERED, Optional.of(bytes(least)), Optional.empty()).withBoundsType("bigint"));
            case 3 -> statistics.add(new ColumnStatistics(1, 0, UNORDERED, Optional.of(new byte[] {1, 0, 0, 0}), Optional.of(new byte[] {2, 0, 0, 0})).withBoundsType("integer"));
            default -> statistics.add(new ColumnStatistics(1, varied ? random.nextInt(2) : 0, UNORDERED, Optional.of(bytes(least)), Optional.of(bytes(greatest))).withBoundsType("bigint"));
        }
        if (!varied || random.nextBoolean()) {
            byte[] text = ("name" + (varied ? random.nextInt(10) : 0)).getBytes(UTF_8);
            columnGroups.add(new ColumnGroupInstance(UUID.randomUUID(), ImmutableList.of(2), 100, 50));
            statistics.add(new ColumnStatistics(2, 0, UNORDERED, Optional.of(text), Optional.of(text)).withBoundsType("varchar"));
        }
        return new RowGroup(UUID.randomUUID(), rows, columnGroups, statistics);
    }

    private static byte[] bytes(long value)
    {
        return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
    }
}
