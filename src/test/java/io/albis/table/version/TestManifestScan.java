package io.albis.table.version;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.format.type.StoredValues;
import io.albis.table.HookedFileSystem;
import io.albis.table.HookedFileSystem.Hook;
import io.albis.table.HookedFileSystem.Kind;
import io.albis.table.HookedFileSystem.Operation;
import io.albis.table.Warehouse;
import io.albis.table.WarehouseOptions;
import io.albis.table.manifest.ManifestOptions;
import io.albis.table.manifest.ManifestSource;
import io.albis.table.model.ManifestEntry;
import io.albis.table.row.ReadSet;
import io.trino.filesystem.memory.MemoryFileSystem;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.predicate.ValueSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import static io.albis.format.statistics.ValueOrder.UNORDERED;
import static io.albis.table.TableFixtures.POLICY;
import static io.albis.table.TableFixtures.ROOT;
import static io.albis.table.TableFixtures.TYPE_RESOLVER;
import static io.albis.table.TableFixtures.createTable;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.TableFixtures.rows;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.TypeUtils.writeNativeValue;
import static java.lang.Math.min;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Scans read the manifests of a table piece by piece.
 */
class TestManifestScan
{
    private static final AlbisColumn ID = AlbisColumn.make(1, "id", BIGINT);
    private static final Optional<byte[]> NAME = Optional.of("name".getBytes(UTF_8));

    private final Set<String> read = new HashSet<>();
    private Warehouse warehouse;
    // whether reads of manifests fail
    private boolean fails;

    @BeforeEach
    void setUp()
    {
        HookedFileSystem counted = new HookedFileSystem(new MemoryFileSystem(), new Hook()
        {
            @Override
            public void before(Operation operation)
                    throws IOException
            {
                if (fails && isRead(operation)) {
                    throw new IOException("The storage fails");
                }
            }

            @Override
            public void after(Operation operation)
            {
                if (isRead(operation)) {
                    read.add(operation.location().fileName());
                }
            }

            private static boolean isRead(Operation operation)
            {
                return operation.kind() == Kind.READ && operation.location().path().contains("/manifests/");
            }
        });
        warehouse = new Warehouse(counted, ROOT, TYPE_RESOLVER, WarehouseOptions.DEFAULT.withPolicy(POLICY).withManifests(new ManifestOptions(ManifestSource.FILES, 3000, 6000)));
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
    }

    /**
     * A scan of few row groups reads one manifest first and then more at a time, and it may leave out the others.
     */
    @Test
    void testPieceByPiece()
    {
        AlbisTable table = createSorted();
        int manifests = table.version().manifests().size();

        read.clear();
        RowGroupPieces scan = table.scan(1);
        List<RowGroup> found = new ArrayList<>();
        for (int expected : new int[] {1, 2, 4}) {
            read.clear();
            ManifestSelection piece = scan.next(TupleDomain.all());
            assertThat(piece.manifests()).isEqualTo(expected);
            assertThat(read).hasSize(expected);
            assertThat(piece.prunedManifests()).isZero();
            found.addAll(piece.rowGroups());
        }
        // a dynamic filter may exclude the next ones meanwhile
        read.clear();
        ManifestSelection last = scan.next(id(Range.greaterThanOrEqual(BIGINT, 3990L)));
        assertThat(read).hasSize(last.manifests());
        assertThat(last.rowGroups()).extracting(RowGroup::id).contains(table.rowGroups().getLast().id());
        assertThat(last.manifests() + last.prunedManifests()).isEqualTo(manifests - 7);
        assertThat(found.size() + last.rowGroups().size() + last.prunedRowGroups()).isEqualTo(400);
        assertThat(scan.isFinished()).isTrue();

        List<RowGroup> all = new ArrayList<>();
        for (RowGroupPieces whole = load(warehouse, "s", "t").scan(1); !whole.isFinished(); ) {
            all.addAll(whole.next(TupleDomain.all()).rowGroups());
        }
        assertThat(all).isEqualTo(table.rowGroups());

        RowGroupPieces skipped = load(warehouse, "s", "t").scan(1);
        int first = skipped.next(TupleDomain.all()).rowGroups().size();
        read.clear();
        assertThat(skipped.skip()).isEqualTo(new ManifestSelection(ImmutableList.of(), 0, manifests - 1, 400 - first));
        assertThat(read).isEmpty();
        assertThat(skipped.isFinished()).isTrue();
    }

    /**
     * Small manifests are read at the same time, because the engine waits for the splits of many row groups.
     */
    @Test
    void testSmallManifests()
    {
        List<ManifestEntry> manifests = createSorted().version().manifests();
        int expected = 0;
        for (long rowGroups = 0; rowGroups < 100; expected++) {
            rowGroups += manifests.get(expected).rowGroups();
        }
        assertThat(expected).isGreaterThan(1);
        read.clear();
        RowGroupPieces pieces = load(warehouse, "s", "t").scan(100);
        ManifestSelection first = pieces.next(TupleDomain.all());
        assertThat(first.manifests()).isEqualTo(expected);
        assertThat(first.rowGroups()).hasSizeGreaterThanOrEqualTo(100);
        assertThat(read).hasSize(expected);
        if (!pieces.isFinished()) {
            assertThat(pieces.next(TupleDomain.all()).manifests()).isEqualTo(min(2 * expected, manifests.size() - expected));
        }
        ManifestSelection most = load(warehouse, "s", "t").scan(1000).next(TupleDomain.all());
        assertThat(most.manifests()).isEqualTo(min(manifests.size(), 32));
    }

    /**
     * A piece that could not be read is not left out.
     */
    @Test
    void testFailedRead()
    {
        List<RowGroup> expected = createSorted().rowGroups();
        RowGroupPieces pieces = load(warehouse, "s", "t").scan(1);
        List<RowGroup> found = new ArrayList<>(pieces.next(TupleDomain.all()).rowGroups());
        fails = true;
        assertThatThrownBy(() -> pieces.next(TupleDomain.all())).isInstanceOf(UncheckedIOException.class);
        fails = false;
        while (!pieces.isFinished()) {
            found.addAll(pieces.next(TupleDomain.all()).rowGroups());
        }
        assertThat(found).isEqualTo(expected);
    }

    @Test
    void testIterate()
    {
        AlbisTable table = createSorted();
        read.clear();
        Iterator<RowGroup> some = load(warehouse, "s", "t").iterate(TupleDomain.all());
        for (int i = 0; i < 100; i++) {
            some.next();
        }
        assertThat(read).hasSizeLessThan(table.version().manifests().size());
        assertThat(ImmutableList.copyOf(load(warehouse, "s", "t").iterate(TupleDomain.all()))).isEqualTo(table.rowGroups());
        TupleDomain<AlbisColumn> predicate = id(Range.greaterThan(BIGINT, 3000L));
        assertThat(ImmutableList.copyOf(load(warehouse, "s", "t").iterate(predicate))).isEqualTo(table.select(predicate).rowGroups());
        assertThat(load(warehouse, "s", "t").iterate(TupleDomain.none()).hasNext()).isFalse();
    }

    /**
     * An iteration by manifest reads what is requested, and keeps nothing.
     */
    @Test
    void testIterateByManifest()
    {
        AlbisTable table = createSorted();
        List<ManifestEntry> manifests = table.version().manifests();
        read.clear();
        Iterator<ManifestRowGroups> iterator = table.manifestRowGroups();
        List<ManifestRowGroups> found = new ArrayList<>();
        for (int expected : new int[] {1, 3, 3, 7, 7, 7, 7}) {
            found.add(iterator.next());
            assertThat(read).hasSize(expected);
        }
        iterator.forEachRemaining(found::add);
        assertThat(read).hasSameSizeAs(manifests);
        assertThat(found).extracting(ManifestRowGroups::manifest).containsExactlyElementsOf(manifests);
        List<RowGroup> rowGroups = found.stream().flatMap(manifest -> manifest.rowGroups().stream()).toList();
        assertThat(rowGroups).allMatch(rowGroup -> rowGroup.addedVersion() == 2);

        read.clear();
        assertThat(rowGroups).extracting(RowGroup::id).containsExactlyElementsOf(table.rowGroups().stream().map(RowGroup::id).toList());
        assertThat(read).hasSameSizeAs(manifests);
    }

    /**
     * Creates a table of 400 row groups in more than ten manifests. Row group {@code i} has ten ids from
     * {@code 10 * i}.
     */
    private AlbisTable createSorted()
    {
        RowGroup[] rowGroups = new RowGroup[400];
        for (int i = 0; i < rowGroups.length; i++) {
            rowGroups[i] = rowGroup(i * 10);
        }
        createTable(warehouse, "s", "t");
        warehouse.append(load(warehouse, "s", "t"), rows(rowGroups), ReadSet.BLIND);
        AlbisTable table = load(warehouse, "s", "t");
        assertThat(table.version().manifests()).hasSizeGreaterThan(10);
        return table;
    }

    private static TupleDomain<AlbisColumn> id(Range range)
    {
        return TupleDomain.withColumnDomains(Map.of(ID, Domain.create(ValueSet.ofRanges(range), false)));
    }

    private static RowGroup rowGroup(long least)
    {
        return new RowGroup(
                UUID.randomUUID(),
                10,
                ImmutableList.of(new ColumnGroupInstance(UUID.randomUUID(), ImmutableList.of(1), 100, 50), new ColumnGroupInstance(UUID.randomUUID(), ImmutableList.of(2), 100, 50)),
                ImmutableList.of(
                        new ColumnStatistics(1, 0, UNORDERED, bound(least), bound(least + 9)).withBoundsType("bigint"),
                        new ColumnStatistics(2, 0, UNORDERED, NAME, NAME).withBoundsType("varchar")));
    }

    private static Optional<byte[]> bound(long value)
    {
        return Optional.of(StoredValues.toBytes(writeNativeValue(BIGINT, value), 0));
    }
}
