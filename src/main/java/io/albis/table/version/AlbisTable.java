package io.albis.table.version;

import com.google.common.collect.AbstractIterator;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Iterators;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.table.manifest.ManifestStorage;
import io.albis.table.model.ManifestEntry;
import io.albis.table.model.TableRows;
import io.albis.table.model.TableVersion;
import io.albis.table.path.WarehousePaths;
import io.albis.table.put.StorageCalls;
import io.albis.table.sketch.ColumnSketches;
import io.trino.filesystem.Location;
import io.trino.spi.predicate.TupleDomain;

import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Comparator.comparing;
import static java.util.Objects.requireNonNull;

/**
 * A snapshot of a table, which later commits do not change. This class is thread-safe.
 */
public final class AlbisTable
{
    private final String schemaName;
    private final String tableName;
    private final Location folder;
    private final TableVersion version;
    private final ManifestStorage manifests;

    // Content of each manifest of the version; null until it is read
    private final AtomicReferenceArray<TableRows> contents;
    private volatile List<RowGroup> rowGroups;
    private volatile ColumnSketches sketches;
    // Sketches of some of the manifests, by their indexes
    private final Map<List<Integer>, ColumnSketches> partialSketches = new ConcurrentHashMap<>();

    AlbisTable(String schemaName, String tableName, Location folder, TableVersion version, ManifestStorage manifests)
    {
        this.schemaName = requireNonNull(schemaName, "schemaName is null");
        this.tableName = requireNonNull(tableName, "tableName is null");
        this.folder = requireNonNull(folder, "folder is null");
        this.version = requireNonNull(version, "version is null");
        this.manifests = requireNonNull(manifests, "manifests is null");
        this.contents = new AtomicReferenceArray<>(version.manifests().size());
    }

    /**
     * Returns the id of the table.
     */
    public UUID uuid()
    {
        return version.uuid();
    }

    public String schemaName()
    {
        return schemaName;
    }

    public String tableName()
    {
        return tableName;
    }

    /**
     * Returns the folder with the files of the table.
     */
    public Location folder()
    {
        return folder;
    }

    /**
     * Returns the location that the user specified for the table, which contains the folder of the table; empty if the
     * table is at the location of its schema.
     */
    public Optional<Location> explicitLocation()
    {
        return version.explicitLocation() ? Optional.of(WarehousePaths.withoutTrailingSlash(folder.parentDirectory())) : Optional.empty();
    }

    public TableVersion version()
    {
        return version;
    }

    /**
     * Returns the row groups of the table. The first call reads the manifests from storage, and the result is retained.
     * The order is that of the manifests, which merging changes, so it need not be the order of the commits.
     *
     * @throws java.io.UncheckedIOException with an {@link io.albis.format.io.AlbisDataException} as its cause if a
     *         manifest is damaged, or with another IOException if the storage fails
     */
    public List<RowGroup> rowGroups()
    {
        if (rowGroups == null) {
            rowGroups = rowGroups(all());
        }
        return rowGroups;
    }

    /**
     * Returns the row groups of the table with the versions that added them. {@link #rowGroups} returns row groups
     * without a version if the manifest does not repeat it.
     */
    public List<RowGroup> rowGroupsWithVersions()
    {
        ImmutableList.Builder<RowGroup> result = ImmutableList.builder();
        manifestRowGroups().forEachRemaining(manifest -> result.addAll(manifest.rowGroups()));
        return result.build();
    }

    /**
     * Returns the row groups of the table by manifest, with the versions that added them. Reads the manifests only as
     * far as they are requested, with the same errors as {@link #rowGroups}, and does not retain the result.
     */
    public Iterator<ManifestRowGroups> manifestRowGroups()
    {
        return new ManifestIterator(manifests, version.manifests());
    }

    /**
     * Returns the number of row groups that {@link #select} returns. Reads nothing.
     */
    public long rowGroupCount(TupleDomain<AlbisColumn> predicate)
    {
        return version.manifests().stream()
                .filter(manifest -> manifest.overlaps(predicate))
                .mapToLong(ManifestEntry::rowGroups)
                .sum();
    }

    /**
     * Returns the ids of the columns whose bounds are known for at least one manifest as a whole. Reads nothing.
     */
    public Set<Integer> columnsWithBounds()
    {
        ImmutableSet.Builder<Integer> columnIds = ImmutableSet.builder();
        for (ManifestEntry manifest : version.manifests()) {
            for (ColumnStatistics column : manifest.bounds().columns()) {
                if (column.hasBounds()) {
                    columnIds.add(column.columnId());
                }
            }
        }
        return columnIds.build();
    }

    /**
     * Returns the row groups of those manifests whose bounds do not exclude a predicate. Reads only these manifests,
     * with the same errors as {@link #rowGroups()}. The bounds of the row groups may still exclude the predicate.
     */
    public ManifestSelection select(TupleDomain<AlbisColumn> predicate)
    {
        List<Integer> selected = overlapping(predicate);
        List<ManifestEntry> entries = version.manifests();
        long pruned = 0;
        for (ManifestEntry entry : entries) {
            pruned += entry.rowGroups();
        }
        for (int manifest : selected) {
            pruned -= entries.get(manifest).rowGroups();
        }
        List<RowGroup> found = selected.size() == entries.size() ? rowGroups() : rowGroups(selected);
        return new ManifestSelection(found, selected.size(), entries.size() - selected.size(), pruned);
    }

    /**
     * Returns the row groups of the table by pieces of some manifests. Reads nothing yet.
     *
     * @param minRowGroups number of row groups for which a piece has as many manifests as they need
     */
    public RowGroupPieces scan(long minRowGroups)
    {
        return new ManifestScan(this, all(), minRowGroups);
    }

    /**
     * Returns the row groups of the table as {@link #scan(long)} does, but reads the manifests in another order.
     */
    public RowGroupPieces scan(long minRowGroups, Comparator<ManifestEntry> order)
    {
        List<Integer> ordered = all().stream()
                .sorted(comparing(version.manifests()::get, order))
                .collect(toImmutableList());
        return new ManifestScan(this, ordered, minRowGroups);
    }

    /**
     * Returns the row groups that {@link #select} returns. Reads their manifests only as far as the row groups are
     * requested, with the same errors.
     */
    public Iterator<RowGroup> iterate(TupleDomain<AlbisColumn> predicate)
    {
        RowGroupPieces pieces = scan(RowGroupPieces.MIN_ROW_GROUPS);
        return Iterators.concat(new AbstractIterator<Iterator<RowGroup>>()
        {
            @Override
            protected Iterator<RowGroup> computeNext()
            {
                return pieces.isFinished() ? endOfData() : pieces.next(predicate).rowGroups().iterator();
            }
        });
    }

    /**
     * Returns the row groups that {@link #select} returns by manifest. Only those have a version whose manifest repeats
     * it.
     */
    public List<ManifestRowGroups> selectByManifest(TupleDomain<AlbisColumn> predicate)
    {
        List<Integer> selected = overlapping(predicate);
        List<TableRows> read = read(selected);
        ImmutableList.Builder<ManifestRowGroups> result = ImmutableList.builderWithExpectedSize(read.size());
        for (int i = 0; i < read.size(); i++) {
            result.add(new ManifestRowGroups(version.manifests().get(selected.get(i)), read.get(i).rowGroups()));
        }
        return result.build();
    }

    /**
     * Returns sketches for the row groups that {@link #select} returns. They also cover the other row groups of the
     * manifests that {@link #sketchedManifests} returns.
     */
    public ColumnSketches sketches(TupleDomain<AlbisColumn> predicate)
    {
        List<ManifestEntry> entries = version.manifests();
        Set<UUID> ids = new HashSet<>();
        for (int manifest : overlapping(predicate)) {
            ids.add(entries.get(manifest).id());
            ids.add(entries.get(manifest).sketchId());
        }
        List<Integer> withSketches = all().stream()
                .filter(manifest -> ids.contains(entries.get(manifest).id()))
                .collect(toImmutableList());
        if (withSketches.size() == entries.size()) {
            return sketches();
        }
        ColumnSketches known = partialSketches.get(withSketches);
        if (known == null) {
            known = TableRows.mergeSketches(read(withSketches)).withValues();
            partialSketches.put(withSketches, known);
        }
        return known;
    }

    /**
     * Returns the manifests whose row groups {@link #sketches(TupleDomain)} covers: those that {@link #select} reads,
     * and the others that share a sketch with them. Reads nothing.
     */
    public List<ManifestEntry> sketchedManifests(TupleDomain<AlbisColumn> predicate)
    {
        List<ManifestEntry> entries = version.manifests();
        Set<UUID> ids = new HashSet<>();
        for (int manifest : overlapping(predicate)) {
            ids.add(entries.get(manifest).sketchId());
        }
        return entries.stream()
                .filter(entry -> ids.contains(entry.sketchId()))
                .collect(toImmutableList());
    }

    private List<Integer> overlapping(TupleDomain<AlbisColumn> predicate)
    {
        if (predicate.isAll()) {
            return all();
        }
        return all().stream()
                .filter(manifest -> version.manifests().get(manifest).overlaps(predicate))
                .collect(toImmutableList());
    }

    private List<Integer> all()
    {
        return IntStream.range(0, version.manifests().size())
                .boxed()
                .collect(toImmutableList());
    }

    /**
     * Returns the row groups of some manifests. Reads only these, with the same errors as {@link #rowGroups()}.
     *
     * @param selected indexes of the manifests in the version
     */
    public List<RowGroup> rowGroups(List<Integer> selected)
    {
        return read(selected).stream()
                .flatMap(content -> content.rowGroups().stream())
                .collect(toImmutableList());
    }

    /**
     * Returns the sketches of the columns over all row groups. Reads the manifests as {@link #rowGroups} does, with the
     * same errors.
     */
    public ColumnSketches sketches()
    {
        if (sketches == null) {
            sketches = manifests.sketches(version, read(all()));
        }
        return sketches;
    }

    /**
     * Returns the contents of manifests, and reads those that were not read yet.
     */
    private List<TableRows> read(List<Integer> selected)
    {
        List<Integer> missing = selected.stream()
                .filter(manifest -> contents.get(manifest) == null)
                .collect(toImmutableList());
        if (!missing.isEmpty()) {
            List<ManifestEntry> entries = missing.stream()
                    .map(version.manifests()::get)
                    .collect(toImmutableList());
            List<TableRows> read = StorageCalls.unchecked(() -> manifests.readAll(entries));
            for (int i = 0; i < missing.size(); i++) {
                contents.set(missing.get(i), read.get(i));
            }
        }
        return selected.stream()
                .map(contents::get)
                .collect(toImmutableList());
    }

    /**
     * Returns the number of rows of the table without reading from storage.
     */
    public long rowCount()
    {
        return version.rowCount();
    }

    @Override
    public String toString()
    {
        return schemaName + "." + tableName + "@" + version.version();
    }
}
