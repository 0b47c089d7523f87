package io.albis.table.row;

import com.google.common.collect.ImmutableMap;
import io.albis.format.delete.DeletedPositions;
import io.albis.format.delete.DeletesReader;
import io.albis.format.metadata.RowGroup;
import io.albis.format.metadata.StatisticsDomains;
import io.albis.format.schema.AlbisColumn;
import io.albis.table.model.ManifestEntry;
import io.albis.table.model.TableVersion;
import io.albis.table.row.RowChangeModel.ModelRowGroup;
import io.albis.table.row.RowChangeModel.State;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;

import java.io.IOException;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import static io.albis.table.model.TableVersion.ROW_DELETES;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.lang.Math.toIntExact;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares a table with a state of its model.
 *
 * @param addedVersions versions that added the row groups
 * @param pieceLength length from which on a manifest is full, in bytes
 */
record TableChecks(TrinoFileSystem fileSystem, Map<UUID, Long> addedVersions, long pieceLength)
{
    private static final AlbisColumn NAME = AlbisColumn.make(2, "name", VARCHAR);

    TableChecks
    {
        requireNonNull(fileSystem, "fileSystem is null");
        requireNonNull(addedVersions, "addedVersions is null");
    }

    void check(AlbisTable table, State expected, TupleDomain<AlbisColumn> predicate)
            throws IOException
    {
        Map<UUID, RowGroup> rowGroups = table.rowGroups().stream().collect(toMap(RowGroup::id, rowGroup -> rowGroup));
        assertThat(table.rowGroups()).hasSameSizeAs(rowGroups.keySet());
        assertThat(rowGroups.keySet()).isEqualTo(expected.rowGroups().keySet());
        for (RowGroup rowGroup : rowGroups.values()) {
            BitSet deleted = new BitSet();
            if (rowGroup.deletedRows().isPresent()) {
                DeletedPositions positions = DeletesReader.read(fileSystem, table.folder(), rowGroup.deletedRows().get(), rowGroup.rows());
                for (int row = 0; row < rowGroup.rows(); row++) {
                    deleted.set(row, positions.contains(row));
                }
            }
            assertThat(deleted).isEqualTo(expected.rowGroups().get(rowGroup.id()).deleted());
            if (rowGroup.addedVersion() != RowGroup.UNKNOWN_VERSION) {
                assertThat(rowGroup.addedVersion()).isEqualTo(addedVersions.get(rowGroup.id()));
            }
        }
        checkVersion(table.version(), expected);
        checkPruning(table, TupleDomain.withColumnDomains(ImmutableMap.of(NAME, Domain.onlyNull(VARCHAR))));
        checkPruning(table, TupleDomain.withColumnDomains(ImmutableMap.of(NAME, Domain.notNull(VARCHAR))));
        checkPruning(table, predicate);
    }

    private void checkVersion(TableVersion version, State expected)
    {
        assertThat(version.rowCount()).isEqualTo(expected.liveRows());
        assertThat(version.bytes()).isEqualTo(30L * expected.rowGroups().size());
        assertThat(version.manifests().stream().mapToInt(ManifestEntry::rowGroups).sum()).isEqualTo(expected.rowGroups().size());
        assertThat(version.manifests().stream().mapToLong(ManifestEntry::rows).sum()).isEqualTo(expected.rowGroups().values().stream().mapToLong(ModelRowGroup::rows).sum());
        boolean deleted = expected.rowGroups().values().stream().anyMatch(rowGroup -> !rowGroup.deleted().isEmpty());
        boolean removed = version.manifests().stream().anyMatch(manifest -> !manifest.removed().isEmpty());
        assertThat(version.features().contains(ROW_DELETES)).isEqualTo(deleted || removed);
        for (ManifestEntry manifest : version.manifests()) {
            assertThat(manifest.removed().size()).isLessThanOrEqualTo(Math.max(16, toIntExact(manifest.entries() / 8L)));
        }
        checkMerged(version.manifests());
    }

    /**
     * Checks the number of manifests that can be merged. That of the others depends on the number of row groups.
     */
    private void checkMerged(List<ManifestEntry> manifests)
    {
        Set<UUID> withSketchesOfOthers = new HashSet<>();
        manifests.forEach(manifest -> manifest.sketchManifest().ifPresent(withSketchesOfOthers::add));
        assertThat(manifests)
                .filteredOn(manifest -> manifest.length() < pieceLength && manifest.sketchManifest().isEmpty() && !withSketchesOfOthers.contains(manifest.id()))
                .hasSizeLessThan(60);
    }

    private static void checkPruning(AlbisTable table, TupleDomain<AlbisColumn> predicate)
    {
        assertThat(table.select(predicate).rowGroups())
                .containsAll(table.rowGroups().stream().filter(rowGroup -> StatisticsDomains.overlaps(rowGroup, predicate)).toList());
    }
}
