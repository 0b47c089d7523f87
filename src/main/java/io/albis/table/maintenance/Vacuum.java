package io.albis.table.maintenance;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Lists;
import io.albis.table.catalog.FolderLocations;
import io.albis.table.catalog.Tables;
import io.albis.table.manifest.ConcurrentReads;
import io.albis.table.model.ExpiredVersions;
import io.albis.table.model.TableVersion;
import io.albis.table.version.Commits;
import io.albis.table.version.ExpiredVersion;
import io.albis.table.version.TableStorage;
import io.albis.table.version.Versions;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;

import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import static io.albis.table.maintenance.StorageReads.BATCH_SIZE;
import static io.albis.table.maintenance.StorageReads.callAll;
import static io.albis.table.model.TableVersion.FIRST_VERSION;
import static java.util.Objects.requireNonNull;
import static java.util.function.Function.identity;

/**
 * Frees the space of dropped tables and of loads that have failed before their first version.
 * <p>
 * A table was dropped if its newest version has no name. No version follows, so all files except for the versions
 * are garbage for good. A load that has no version may still run. Vacuum therefore creates the first version itself,
 * without a name, before it deletes a file. The load is then refused when it creates that version. The files of
 * versions remain, so that no client uses a number again. Any number of vacuums can run at the same time.
 */
public final class Vacuum
{
    private final TrinoFileSystem fileSystem;
    private final WarehouseFolders folders;
    private final Tables tables;
    private final FolderLocations locations;
    private final GarbageSearch search;
    private final NamedTables named;
    private final Commits commits;
    private final ConcurrentReads reads;

    Vacuum(TrinoFileSystem fileSystem, WarehouseFolders folders, Tables tables, FolderLocations locations, GarbageSearch search, NamedTables named, Commits commits, ConcurrentReads reads)
    {
        this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
        this.folders = requireNonNull(folders, "folders is null");
        this.tables = requireNonNull(tables, "tables is null");
        this.locations = requireNonNull(locations, "locations is null");
        this.search = requireNonNull(search, "search is null");
        this.named = requireNonNull(named, "named is null");
        this.commits = requireNonNull(commits, "commits is null");
        this.reads = requireNonNull(reads, "reads is null");
    }

    private interface Action
    {
        /**
         * @return whether the garbage is that of this run
         */
        boolean run(Garbage garbage)
                throws IOException;
    }

    /**
     * Returns what {@link #run} would free, and changes nothing.
     */
    public VacuumResult dryRun(Optional<Location> location, Instant before)
            throws IOException
    {
        return forEach(location, before, _ -> true);
    }

    /**
     * Frees space.
     *
     * @param location a folder in which to look instead of the warehouse; empty for the warehouse
     * @param before tables that were dropped until this time, and loads that have written their last file until then
     * @throws IOException the first failure, after everything else was freed. The others are suppressed. The run stops
     *         early if it is canceled, and after ten failures
     * @throws io.albis.table.model.TableException OUTCOME_UNKNOWN or NOT_SUPPORTED, if that is the first failure
     */
    public VacuumResult run(Optional<Location> location, Instant before)
            throws IOException
    {
        return forEach(location, before, this::free);
    }

    private VacuumResult forEach(Optional<Location> location, Instant before, Action action)
            throws IOException
    {
        Failures failures = new Failures();
        ImmutableList.Builder<VacuumCandidate> freed = ImmutableList.builder();
        for (List<TableFolder> batch : Lists.partition(folders.find(location), BATCH_SIZE)) {
            for (GarbageSearch.Found found : callAll(reads, batch, folder -> search.search(folder, before))) {
                if (found.failure().isPresent()) {
                    failures.add(found.failure().get());
                }
                for (Garbage garbage : found.garbage()) {
                    if (failures.tryCall(() -> run(action, garbage)).orElse(false)) {
                        freed.add(garbage.candidate());
                    }
                }
            }
        }
        if (location.isEmpty()) {
            for (String schemaKey : failures.tryCall(folders::schemaKeys).orElse(ImmutableList.of())) {
                Optional<Garbage> garbage = failures.tryCall(() -> search.searchNames(schemaKey, before)).flatMap(identity());
                if (garbage.isPresent() && failures.tryCall(() -> run(action, garbage.get())).orElse(false)) {
                    freed.add(garbage.get().candidate());
                }
            }
        }
        failures.throwFirst();
        return new VacuumResult(freed.build());
    }

    private boolean run(Action action, Garbage garbage)
            throws IOException
    {
        // Its versions may have been lost, and can be restored
        if (garbage instanceof Garbage.FailedLoad load && named.mayReferTo(load.folder().uuid())) {
            return false;
        }
        return action.run(garbage);
    }

    private boolean free(Garbage garbage)
            throws IOException
    {
        return switch (garbage) {
            case Garbage.DroppedTable table -> freeTable(table);
            case Garbage.FailedLoad load -> freeLoad(load);
            case Garbage.Temporary temporary -> {
                fileSystem.deleteFiles(temporary.locations());
                yield true;
            }
        };
    }

    private boolean freeTable(Garbage.DroppedTable table)
            throws IOException
    {
        Versions versions = open(table.folder()).versions();
        // A power failure must not take back the DROP after the files are gone
        versions.makeDurable(table.dropped());
        if (table.lastName().isPresent()) {
            named.endQuietly(table.lastName().get());
        }
        table.files().delete();
        if (table.lastName().isPresent()) {
            replaceVersions(versions, table.dropped());
        }
        return true;
    }

    private boolean freeLoad(Garbage.FailedLoad load)
            throws IOException
    {
        TableFolder folder = load.folder();
        Optional<UUID> warehouse = locations.toStored(folder.location()).warehouse();
        TableVersion first = TableVersion.withoutTable(folder.uuid(), warehouse, Instant.now().truncatedTo(ChronoUnit.MILLIS), commits.summary());
        Versions versions = open(folder).versions();
        if (!versions.create(first)) {
            TableVersion newest = versions.newest(FIRST_VERSION);
            if (newest.name().isPresent() || newest.version() > FIRST_VERSION) {
                // The load was faster, so this is the folder of a table
                return false;
            }
            // Another vacuum was faster, which may have died
            versions.makeDurable(newest);
        }
        load.files().delete();
        return true;
    }

    /**
     * Replaces the versions before the one without a name. The last one is replaced last, and shows that all others
     * were replaced.
     */
    private void replaceVersions(Versions versions, TableVersion dropped)
            throws IOException
    {
        ExpiredVersions expired = dropped.expired().orElse(ExpiredVersions.NONE);
        List<Long> numbers = new ArrayList<>();
        for (long number : expired.except()) {
            if (number < expired.collected()) {
                numbers.add(number);
            }
        }
        for (long number = expired.collected(); number < dropped.version(); number++) {
            numbers.add(number);
        }
        for (List<Long> batch : Lists.partition(numbers, BATCH_SIZE)) {
            // A damaged version is not needed, and its number is taken
            for (Optional<TableVersion> version : callAll(reads, batch, versions::readUnlessDamaged)) {
                if (version.isPresent()) {
                    versions.replaceByStub(ExpiredVersion.of(version.get()));
                }
            }
        }
    }

    private TableStorage open(TableFolder folder)
    {
        return tables.open(folder.location(), folder.uuid());
    }
}
