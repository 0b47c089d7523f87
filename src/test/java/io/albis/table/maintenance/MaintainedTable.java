package io.albis.table.maintenance;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.albis.format.delete.DeletedPositions;
import io.albis.format.delete.DeletesReader;
import io.albis.format.delete.DeletesWriter;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.DeletedRows;
import io.albis.format.metadata.RowGroup;
import io.albis.table.HookedFileSystem.Hook;
import io.albis.table.HookedFileSystem.Operation;
import io.albis.table.Warehouse;
import io.albis.table.json.JsonFiles;
import io.albis.table.json.JsonFrame;
import io.albis.table.json.JsonKind;
import io.albis.table.model.ManifestEntry;
import io.albis.table.model.TableRows;
import io.albis.table.model.TableVersion;
import io.albis.table.path.TablePaths;
import io.albis.table.row.ReadSet;
import io.albis.table.row.ReadSet.Scan;
import io.albis.table.row.RowChange;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.Location;
import io.trino.filesystem.memory.MemoryFileSystem;
import io.trino.spi.predicate.TupleDomain;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

import static io.albis.table.TableFixtures.TYPE_RESOLVER;
import static io.albis.table.TableFixtures.createTable;
import static io.albis.table.TableFixtures.files;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.TableFixtures.rowGroupIds;
import static io.albis.table.TableFixtures.rows;
import static io.albis.table.TableFixtures.warehouse;
import static io.albis.table.model.TableOperation.DELETE;
import static io.albis.table.model.TableOperation.OVERWRITE;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A table whose row groups have files, and the checks that each version that has not expired has all of its files and
 * that no others exist.
 */
public final class MaintainedTable
{
    private final MemoryFileSystem fileSystem;
    private final AlbisTable created;
    private final TablePaths paths;

    private MaintainedTable(MemoryFileSystem fileSystem, AlbisTable created)
    {
        this.fileSystem = fileSystem;
        this.created = created;
        this.paths = new TablePaths(created.folder());
    }

    /**
     * Creates the table s.t with one row group.
     */
    public static MaintainedTable create(MemoryFileSystem fileSystem)
    {
        Warehouse warehouse = warehouse(fileSystem);
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
        RowGroup rowGroup = oneRow();
        MaintainedTable table = new MaintainedTable(fileSystem, createTable(warehouse, "s", "t", rowGroup));
        table.writeFiles(rowGroup);
        return table;
    }

    public AlbisTable created()
    {
        return created;
    }

    public TablePaths paths()
    {
        return paths;
    }

    /**
     * Returns a row group with files and ten rows.
     */
    public RowGroup rowGroup()
    {
        return rowGroup(UUID.randomUUID());
    }

    /**
     * Returns a row group with files and ten rows. The ids of its column groups begin like its own, as those of a
     * statement do.
     */
    public RowGroup rowGroup(UUID id)
    {
        RowGroup one = oneRow();
        List<ColumnGroupInstance> columnGroups = one.columnGroups().stream()
                .map(columnGroup -> new ColumnGroupInstance(new UUID(id.getMostSignificantBits(), columnGroup.id().getLeastSignificantBits()), columnGroup.columnIds(), columnGroup.dataBytes(), columnGroup.metadataBytes()))
                .toList();
        RowGroup rowGroup = new RowGroup(id, 10, columnGroups, one.statistics());
        writeFiles(rowGroup);
        return rowGroup;
    }

    private void writeFiles(RowGroup rowGroup)
    {
        try {
            for (ColumnGroupInstance columnGroup : rowGroup.columnGroups()) {
                fileSystem.newOutputFile(rowGroup.dataFile(created.folder(), columnGroup)).createOrOverwrite(new byte[1]);
                fileSystem.newOutputFile(rowGroup.metadataFile(created.folder(), columnGroup)).createOrOverwrite(new byte[1]);
            }
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Removes the files of a row group that was not committed.
     */
    public void remove(RowGroup rowGroup)
    {
        try {
            fileSystem.deleteDirectory(RowGroup.folder(created.folder(), rowGroup.id()));
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns a change that deletes a row of a row group.
     */
    public RowChange delete(RowGroup rowGroup, int row)
    {
        try {
            DeletedPositions positions = DeletedPositions.of(row);
            if (rowGroup.deletedRows().isPresent()) {
                positions = positions.union(DeletesReader.read(fileSystem, created.folder(), rowGroup.deletedRows().get(), rowGroup.rows()));
            }
            DeletesWriter writer = new DeletesWriter(fileSystem, created.folder(), UUID.randomUUID());
            DeletedRows deletedRows = writer.add(positions);
            writer.close();
            return new RowChange(TableRows.NONE, ImmutableMap.of(rowGroup.id(), deletedRows), ImmutableSet.of(), DELETE);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns a change that writes the second column group of a row group again.
     *
     * @param write the first half of the id of the files
     */
    public RowChange update(RowGroup rowGroup, UUID write)
    {
        UUID id = new UUID(write.getMostSignificantBits(), UUID.randomUUID().getLeastSignificantBits());
        RowGroup rewritten = new RowGroup(rowGroup.id(), rowGroup.rows(), ImmutableList.of(new ColumnGroupInstance(id, rowGroup.columnGroups().get(1).columnIds(), 20, 10)), ImmutableList.of());
        writeFiles(rewritten);
        return new RowChange(TableRows.NONE, ImmutableMap.of(), ImmutableSet.of(), TableRows.withoutSketches(ImmutableList.of(rewritten)), OVERWRITE);
    }

    /**
     * Adds versions: one with more rows, one without some of them, one without any, and some that each have more rows.
     */
    public void writeVersions(int appends)
    {
        Warehouse warehouse = warehouse(fileSystem);
        RowGroup rowGroup = rowGroup();
        AlbisTable base = warehouse.append(created, rows(rowGroup), ReadSet.BLIND);
        warehouse.change(base, delete(rowGroup, 3), ReadSet.ofDelete(Scan.of(TupleDomain.all())));
        warehouse.truncate(base);
        for (int i = 0; i < appends; i++) {
            warehouse.append(base, rows(rowGroup()), ReadSet.BLIND);
        }
    }

    public TableVersion newest()
    {
        return load(warehouse(fileSystem), "s", "t").version();
    }

    public boolean isStub(long version)
    {
        return JsonFrame.hasKind(JsonKind.EXPIRED, file(paths.version(version)));
    }

    public byte[] file(Location location)
    {
        try {
            return fileSystem.newInputFile(location).newStream().readAllBytes();
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Replaces a version, or adds the next one, as another writer would.
     */
    public void write(TableVersion version)
            throws IOException
    {
        byte[] file = new JsonFiles(TYPE_RESOLVER).write(JsonKind.VERSION, version.commitId(), version);
        fileSystem.newOutputFile(paths.version(version.version())).createOrOverwrite(file);
    }

    public AlbisTable at(long version)
    {
        return warehouse(fileSystem).loadTableVersion("s", "t", created.folder(), created.uuid(), version);
    }

    /**
     * Checks that all versions that have not expired are readable.
     *
     * @param states ids of the row groups by version, as far as they are known
     */
    public void checkReadable(Map<Long, Set<UUID>> states)
            throws IOException
    {
        TableVersion newest = newest();
        for (long version = 1; version <= newest.version(); version++) {
            if (newest.isExpired(version)) {
                continue;
            }
            AlbisTable table = at(version);
            Set<String> existing = files(fileSystem, created.folder()).keySet();
            assertThat(existing).as("version %s of %s", version, newest.version()).containsAll(filesOf(table));
            if (states.containsKey(version)) {
                assertThat(rowGroupIds(table)).isEqualTo(states.get(version));
            }
        }
    }

    /**
     * Checks that no file exists that no version needs, and that all expired versions are stubs.
     */
    public void checkNoGarbage()
            throws IOException
    {
        TableVersion newest = newest();
        Set<String> expected = new TreeSet<>();
        expected.add(paths.hint().toString());
        for (long version = 1; version <= newest.version(); version++) {
            expected.add(paths.version(version).toString());
            assertThat(isStub(version)).as("version %s", version).isEqualTo(newest.isExpired(version));
            if (!newest.isExpired(version)) {
                expected.addAll(filesOf(at(version)));
            }
        }
        Set<String> existing = new TreeSet<>(files(fileSystem, created.folder()).keySet());
        existing.add(paths.hint().toString());
        assertThat(existing).isEqualTo(expected);
    }

    /**
     * Returns the locations of the manifests and of the files of row groups and deleted rows of a version.
     */
    public static Set<String> filesOf(AlbisTable table)
    {
        TablePaths paths = new TablePaths(table.folder());
        Set<String> result = new TreeSet<>();
        for (ManifestEntry manifest : table.version().manifests()) {
            result.add(paths.manifest(manifest.id()).toString());
        }
        for (RowGroup rowGroup : table.rowGroups()) {
            for (ColumnGroupInstance columnGroup : rowGroup.columnGroups()) {
                result.add(rowGroup.dataFile(table.folder(), columnGroup).toString());
                result.add(rowGroup.metadataFile(table.folder(), columnGroup).toString());
            }
            rowGroup.deletedRows().ifPresent(deletedRows -> result.add(deletedRows.location(table.folder()).toString()));
        }
        return result;
    }

    /**
     * Returns a hook that stalls before the operation with a number, while others act.
     */
    public static Hook stall(int position, Runnable others)
    {
        return new Hook()
        {
            private int operations;

            @Override
            public void before(Operation operation)
            {
                if (operations++ == position) {
                    others.run();
                }
            }
        };
    }
}
