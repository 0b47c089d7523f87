package io.albis.fuzz;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.airlift.slice.DynamicSliceOutput;
import io.airlift.slice.Slices;
import io.albis.filesystem.FileBytes;
import io.albis.format.io.AlbisDataException;
import io.albis.format.io.FileFrame;
import io.albis.format.io.FileKind;
import io.albis.format.metadata.PartitionValue;
import io.albis.format.metadata.RowGroup;
import io.albis.format.metadata.RowGroupCodec;
import io.albis.format.metadata.StatisticsDomains;
import io.albis.format.schema.AlbisColumn;
import io.albis.table.Warehouse;
import io.albis.table.WarehouseFiles;
import io.albis.table.manifest.Manifest;
import io.albis.table.manifest.ManifestOptions;
import io.albis.table.manifest.ManifestStorage;
import io.albis.table.model.ManifestBounds;
import io.albis.table.model.ManifestEntry;
import io.albis.table.model.PartitionFields;
import io.albis.table.model.PartitionTransform;
import io.albis.table.model.TableDefinition;
import io.albis.table.model.TableRows;
import io.albis.table.model.VersionRange;
import io.albis.table.path.TablePaths;
import io.albis.table.sketch.ColumnSketch;
import io.albis.table.sketch.ColumnSketches;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystem;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.Iterables.getOnlyElement;
import static io.albis.table.TableFixtures.DEFINITION;
import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.TableFixtures.rows;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A manifest. The input is the body of the file. The version that refers to it states what the manifest contains, so
 * that its rows and sketches are used.
 */
final class ManifestTarget
        implements FuzzTarget
{
    private static final UUID ID = new UUID(1, 2);
    private static final TablePaths PATHS = new TablePaths(Location.of("memory:///table"));
    private static final TupleDomain<AlbisColumn> PREDICATE = TupleDomain.withColumnDomains(ImmutableMap.of(
            AlbisColumn.make(1, "id", BIGINT), Domain.singleValue(BIGINT, 5L),
            AlbisColumn.make(2, "name", VARCHAR), Domain.notNull(VARCHAR)));

    @Override
    public void read(byte[] input)
            throws IOException
    {
        TrinoFileSystem fileSystem = new MemoryFileSystem();
        byte[] file = FileFrame.frame(FileKind.MANIFEST, ID, Slices.wrappedBuffer(input)).getBytes();
        FileBytes.overwrite(fileSystem, PATHS.manifest(ID), file);
        // the last manifest that was read, even if it is not what a version has stated
        AtomicReference<Manifest> last = new AtomicReference<>();
        ManifestOptions options = ManifestOptions.of((_, manifestFile) -> {
            last.set(manifestFile.read());
            return last.get();
        });
        try {
            new ManifestStorage(fileSystem, PATHS, ID, options).readAll(ImmutableList.of(entry(file.length, 1, 0, 0)));
        }
        catch (AlbisDataException e) {
            if (last.get() == null) {
                throw e;
            }
        }
        Manifest manifest = last.get();
        if (manifest.content().rowGroups().isEmpty()) {
            return;
        }
        ManifestEntry entry = entry(file.length, manifest.content().rowGroups().size(), manifest.rows(), manifest.liveRows());
        use(getOnlyElement(new ManifestStorage(fileSystem, PATHS, manifest.table(), options).readAll(ImmutableList.of(entry))));
    }

    private static ManifestEntry entry(int length, int rowGroups, long rows, long liveRows)
    {
        return new ManifestEntry(ID, length, rowGroups, rows, liveRows, 0, new VersionRange(1, 1), ManifestBounds.NONE, Optional.empty(), ImmutableList.of());
    }

    private static void use(TableRows rows)
    {
        for (RowGroup rowGroup : rows.rowGroups()) {
            assertThat(rowGroup.rows()).isPositive();
            assertThat(rowGroup.liveRows()).isBetween(0L, rowGroup.rows());
            assertThat(rowGroup.bytes()).isNotNegative();
            StatisticsDomains.overlaps(rowGroup, PREDICATE);
            StatisticsDomains.containsAll(rowGroup, PREDICATE);
            DynamicSliceOutput output = new DynamicSliceOutput(100);
            RowGroupCodec.write(rowGroup, output);
            assertThat(RowGroupCodec.read(output.slice().getInput()).rows()).isEqualTo(rowGroup.rows());
        }
        assertThat(rows.summary()).isNotEmpty();
        ColumnSketches merged = TableRows.mergeSketches(ImmutableList.of(rows, rows));
        for (ColumnSketch sketch : merged.columns().values()) {
            assertThat(sketch.distinctValues()).isNotNegative();
        }
        assertThat(merged.withValues().retainedSize()).isPositive();
    }

    @Override
    public Map<String, byte[]> writeSeeds()
            throws IOException
    {
        ImmutableMap.Builder<String, byte[]> seeds = ImmutableMap.builder();
        WarehouseFiles files = WarehouseFiles.write();
        List<String> manifests = files.locations().stream()
                .filter(location -> location.contains("/manifests/"))
                .collect(toImmutableList());
        for (int i = 0; i < manifests.size(); i++) {
            seeds.put("manifest-" + i, MetadataTarget.body(Slices.wrappedBuffer(files.content(manifests.get(i)))));
        }
        return seeds.put("partitioned", partitioned()).buildOrThrow();
    }

    /**
     * Returns a manifest with a row group whose rows are partitioned.
     */
    private static byte[] partitioned()
            throws IOException
    {
        TrinoFileSystem fileSystem = new MemoryFileSystem();
        Warehouse warehouse = WarehouseFiles.warehouse(fileSystem);
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
        TableDefinition definition = new TableDefinition(DEFINITION.columns(), DEFINITION.columnGroups(), ImmutableMap.of(PartitionFields.PROPERTY, "1 bucket 16, 2 identity"), Optional.empty(), Optional.empty());
        RowGroup rowGroup = oneRow().withPartition(ImmutableList.of(
                new PartitionValue(1, PartitionTransform.BUCKET.code(), 16, Optional.of(new byte[] {5, 0, 0, 0})),
                new PartitionValue(2, PartitionTransform.IDENTITY.code(), 0, Optional.empty())));
        AlbisTable table = warehouse.createTable(warehouse.newTable("s", "t", definition), rows(rowGroup));
        Location manifest = new TablePaths(table.folder()).manifest(getOnlyElement(table.version().manifests()).id());
        return MetadataTarget.body(Slices.wrappedBuffer(FileBytes.read(fileSystem, manifest)));
    }
}
