package io.albis.table.manifest;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.table.Warehouse;
import io.albis.table.model.ManifestBounds;
import io.albis.table.model.ManifestEntry;
import io.albis.table.model.TableRows;
import io.albis.table.model.VersionRange;
import io.albis.table.row.ReadSet;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.memory.MemoryFileSystem;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import static io.albis.format.statistics.ValueOrder.UNORDERED;
import static io.albis.table.TableFixtures.createTable;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.TableFixtures.warehouse;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A damaged bound of one column fails the queries that use it, and no writes.
 */
class TestBoundsLimit
{
    private static final AlbisColumn ID = AlbisColumn.make(1, "id", BIGINT);
    private static final AlbisColumn NAME = AlbisColumn.make(2, "name", VARCHAR);
    private static final byte[] SHORT_BOUND = {1, 2, 3};
    private static final byte[] LONG_TEXT = "x".repeat(60_000).getBytes(UTF_8);

    @Test
    void testInsertAfterDamagedBound()
    {
        Warehouse warehouse = warehouse(new MemoryFileSystem());
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
        createTable(warehouse, "s", "t");
        insert(warehouse, rowGroup(SHORT_BOUND, new byte[] {'a'}));
        AlbisTable damaged = load(warehouse, "s", "t");
        assertThat(damaged.version().manifests().getFirst().bounds().columns()).extracting(ColumnStatistics::columnId).containsExactly(2);
        assertThat(damaged.select(TupleDomain.withColumnDomains(Map.of(ID, Domain.singleValue(BIGINT, 5L)))).rowGroups()).hasSize(1);
        // The bounds of the version are too long now
        insert(warehouse, rowGroup(new byte[8], LONG_TEXT));
        insert(warehouse, rowGroup(new byte[8], new byte[] {'b'}));
        assertThat(load(warehouse, "s", "t").rowGroups()).hasSize(3);
    }

    @Test
    void testDamagedBoundInVersion()
    {
        List<ManifestEntry> manifests = ImmutableList.of(
                manifest(bounds(SHORT_BOUND, new byte[] {'a'})),
                manifest(bounds(new byte[8], new byte[] {'b'})),
                manifest(bounds(new byte[8], LONG_TEXT)));
        List<ManifestEntry> limited = BoundsLimit.apply(ImmutableList.of(ID, NAME), manifests);
        assertThat(limited).extracting(ManifestEntry::id).containsExactlyElementsOf(manifests.stream().map(ManifestEntry::id).toList());
        assertThat(limited).allSatisfy(manifest -> assertThat(manifest.bounds().find(2)).isEmpty());
    }

    private static void insert(Warehouse warehouse, RowGroup rowGroup)
    {
        warehouse.append(load(warehouse, "s", "t"), TableRows.withoutSketches(ImmutableList.of(rowGroup)), ReadSet.BLIND);
    }

    private static RowGroup rowGroup(byte[] id, byte[] name)
    {
        return new RowGroup(UUID.randomUUID(), 1, ImmutableList.of(new ColumnGroupInstance(UUID.randomUUID(), ImmutableList.of(1, 2), 1, 1)), bounds(id, name));
    }

    private static ManifestEntry manifest(List<ColumnStatistics> bounds)
    {
        return new ManifestEntry(UUID.randomUUID(), 1, 1, 1, 1, 1, new VersionRange(1, 1), ManifestBounds.of(bounds), Optional.empty(), ImmutableList.of());
    }

    private static List<ColumnStatistics> bounds(byte[] id, byte[] name)
    {
        return ImmutableList.of(
                new ColumnStatistics(1, 0, UNORDERED, Optional.of(id), Optional.of(id), Optional.of("bigint")),
                new ColumnStatistics(2, 0, UNORDERED, Optional.of(name), Optional.of(name), Optional.of("varchar")));
    }
}
