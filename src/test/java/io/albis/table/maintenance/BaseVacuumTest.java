package io.albis.table.maintenance;

import com.google.common.collect.ImmutableMap;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.albis.table.TableFixtures;
import io.albis.table.Warehouse;
import io.albis.table.json.JsonFrame;
import io.albis.table.json.JsonKind;
import io.albis.table.maintenance.LostTable.State;
import io.albis.table.model.NewTable;
import io.albis.table.model.TableException;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystem;
import org.junit.jupiter.api.BeforeEach;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import static io.albis.table.TableFixtures.DEFINITION;
import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.TableFixtures.rows;
import static io.albis.table.TableFixtures.warehouse;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A warehouse with tables whose row groups have files.
 */
abstract class BaseVacuumTest
{
    protected static final Instant PAST = Instant.EPOCH;

    protected MemoryFileSystem fileSystem;
    protected Warehouse warehouse;

    @BeforeEach
    final void setUp()
    {
        fileSystem = new MemoryFileSystem();
        warehouse = warehouse(fileSystem);
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
    }

    protected static Instant future()
    {
        return Instant.now().plus(Duration.ofDays(1));
    }

    protected final VacuumResult vacuum()
    {
        return vacuum(warehouse);
    }

    /**
     * Frees everything that is garbage, however young it is.
     */
    protected static VacuumResult vacuum(Warehouse client)
    {
        return client.maintenance().vacuum(Optional.empty(), future());
    }

    protected final NewTable newTable(String name)
    {
        return warehouse.newTable("s", name, DEFINITION);
    }

    protected final AlbisTable create(String name)
    {
        NewTable table = newTable(name);
        return warehouse.createTable(table, rows(rowGroup(table.folder())));
    }

    /**
     * Returns a row group that a statement has written.
     */
    protected final RowGroup rowGroup(Location folder)
    {
        RowGroup rowGroup = oneRow();
        for (ColumnGroupInstance columnGroup : rowGroup.columnGroups()) {
            write(rowGroup.dataFile(folder, columnGroup));
            write(rowGroup.metadataFile(folder, columnGroup));
        }
        return rowGroup;
    }

    protected final void write(Location location)
    {
        try {
            fileSystem.newOutputFile(location).createOrOverwrite(new byte[7]);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    protected final Set<String> files(Location folder)
    {
        return files(fileSystem, folder);
    }

    private static Set<String> files(TrinoFileSystem fileSystem, Location folder)
    {
        try {
            return new TreeSet<>(TableFixtures.files(fileSystem, folder).keySet());
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns the files in a folder that are neither versions nor hints.
     */
    protected final Set<String> contents(Location folder)
    {
        Set<String> files = files(folder);
        files.removeIf(file -> file.matches(".*/versions/([0-9]{20}\\.json|hint)"));
        return files;
    }

    /**
     * Checks that all files of a table exist.
     */
    protected final void checkComplete(AlbisTable table)
    {
        Set<String> files = files(table.folder());
        for (RowGroup rowGroup : table.rowGroups()) {
            for (ColumnGroupInstance columnGroup : rowGroup.columnGroups()) {
                assertThat(files).contains(rowGroup.dataFile(table.folder(), columnGroup).toString(), rowGroup.metadataFile(table.folder(), columnGroup).toString());
            }
        }
    }

    /**
     * Runs a statement that may be refused.
     *
     * @return the reason of the refusal
     */
    protected static Optional<TableException.Reason> tryRun(Runnable statement)
    {
        try {
            statement.run();
            return Optional.empty();
        }
        catch (TableException e) {
            return Optional.of(e.reason());
        }
    }

    /**
     * Returns the states of the tables to which no name refers.
     */
    protected final Map<String, State> lost()
    {
        ImmutableMap.Builder<String, State> lost = ImmutableMap.builder();
        for (LostTable table : warehouse.maintenance().findLostTables(Optional.empty())) {
            lost.put(table.tableName().orElseThrow(), table.state());
        }
        return lost.buildOrThrow();
    }

    protected final boolean isStub(Location version)
            throws IOException
    {
        return JsonFrame.hasKind(JsonKind.EXPIRED, file(version.toString()));
    }

    protected final byte[] file(String location)
            throws IOException
    {
        return fileSystem.newInputFile(Location.of(location)).newStream().readAllBytes();
    }
}
