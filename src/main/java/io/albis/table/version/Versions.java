package io.albis.table.version;

import io.airlift.log.Logger;
import io.albis.format.io.AlbisDataException;
import io.albis.table.json.JsonFiles;
import io.albis.table.json.JsonFrame;
import io.albis.table.model.TableException;
import io.albis.table.model.TableVersion;
import io.albis.table.path.NumberedFiles;
import io.albis.table.path.TablePaths;
import io.albis.table.path.WarehousePaths;
import io.albis.table.put.ExclusiveFiles;
import io.albis.table.put.SmallFiles;
import io.trino.filesystem.FileIterator;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

import static com.google.common.base.Preconditions.checkState;
import static io.albis.format.io.AlbisDataException.Reason.DAMAGED;
import static io.albis.format.io.AlbisDataException.damaged;
import static io.albis.table.json.JsonKind.EXPIRED;
import static io.albis.table.json.JsonKind.VERSION;
import static io.albis.table.model.TableException.Reason.OUTCOME_UNKNOWN;
import static java.util.Objects.requireNonNull;

/**
 * The versions of one table. They are files that are numbered without gaps, and each is created exactly once. No file
 * is ever deleted: a stub replaces a version that has expired, so that no writer can use its number again, and the
 * search for the newest version counts it.
 */
public final class Versions
{
    private static final Logger log = Logger.get(Versions.class);
    private static final long MAX_HINT_LAG = 8;
    // The writer of a version that is older writes no hint any more, or its hint was replaced by an older one
    private static final Duration MAX_HINT_DELAY = Duration.ofMinutes(1);

    private final TrinoFileSystem fileSystem;
    private final JsonFiles json;
    private final ExclusiveFiles exclusiveFiles;
    private final Hints hints;
    private final TablePaths paths;
    private final UUID uuid;
    private final boolean writable;

    /**
     * Creates an object for the versions of a table. It accesses no storage.
     *
     * @param writable whether versions may be created and a wrong hint may be repaired
     */
    Versions(TrinoFileSystem fileSystem, JsonFiles json, ExclusiveFiles exclusiveFiles, TablePaths paths, UUID uuid, boolean writable)
    {
        this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
        this.json = requireNonNull(json, "json is null");
        this.exclusiveFiles = requireNonNull(exclusiveFiles, "exclusiveFiles is null");
        this.hints = new Hints(fileSystem, json);
        this.paths = requireNonNull(paths, "paths is null");
        this.uuid = requireNonNull(uuid, "uuid is null");
        this.writable = writable;
    }

    /**
     * Reads a version.
     *
     * @return empty if the version does not exist, or if a stub has replaced it
     * @throws io.albis.format.io.AlbisDataException if the file is damaged or belongs to another table
     */
    public Optional<TableVersion> read(long version)
            throws IOException
    {
        Location location = paths.version(version);
        Optional<byte[]> file = SmallFiles.read(fileSystem, location);
        if (file.isEmpty()) {
            return Optional.empty();
        }
        if (JsonFrame.hasKind(EXPIRED, file.get())) {
            checkStub(version, location, file.get());
            return Optional.empty();
        }
        JsonFiles.Framed<TableVersion> framed = json.read(location, VERSION, TableVersion.class, file.get());
        TableVersion read = framed.body();
        if (!read.uuid().equals(uuid)) {
            throw damaged("Damaged Albis file %s: it belongs to table %s, but table %s was expected", location, read.uuid(), uuid);
        }
        if (read.version() != version || !framed.id().equals(read.commitId())) {
            throw damaged("Damaged Albis file %s: it contains version %s, or its ids differ", location, read.version());
        }
        return Optional.of(read);
    }

    /**
     * Checks that a stub is not that of another version, which somebody has put there. A stub that was not written
     * completely is one of this version, because its kind is enough.
     */
    private void checkStub(long version, Location location, byte[] file)
            throws AlbisDataException
    {
        ExpiredVersion stub;
        try {
            stub = json.read(location, EXPIRED, ExpiredVersion.class, file).body();
        }
        catch (AlbisDataException e) {
            return;
        }
        if (!stub.uuid().equals(uuid) || stub.version() != version) {
            throw damaged("Damaged Albis file %s: it is the stub of version %s of table %s", location, stub.version(), stub.uuid());
        }
    }

    /**
     * Reads a version as {@link #read} does, for a caller that does not need it if it is damaged. A stub that was not
     * written completely is damaged.
     *
     * @return empty if there is no such version, or if it is damaged
     */
    public Optional<TableVersion> readUnlessDamaged(long version)
            throws IOException
    {
        try {
            return read(version);
        }
        catch (AlbisDataException e) {
            if (e.reason() != DAMAGED) {
                throw e;
            }
            return Optional.empty();
        }
    }

    /**
     * Returns the error of a version that has not expired and does not exist.
     */
    AlbisDataException missing(long version)
    {
        return damaged("Damaged Albis table %s: version %s is missing. Restore the file %s", paths.folder(), version, paths.version(version));
    }

    /**
     * Returns whether neither a version nor a hint exists, so the folder does not contain a table.
     */
    public boolean isEmpty()
            throws IOException
    {
        return hints.read(paths.hint(), uuid).isEmpty() && findNewest() == 0;
    }

    /**
     * Finds and reads the newest version.
     * <p>
     * A version is put before it gets into the hint, and the newest version never expires. So if neither the version
     * of the hint nor a later one exists, the newest version was lost, and an older version would silently take back
     * commits.
     *
     * @param knownVersion number of a version that is known to have existed, or 0
     * @throws AlbisDataException if there is no version, or if the newest version was lost
     */
    public TableVersion newest(long knownVersion)
            throws IOException
    {
        OptionalLong hint = hints.read(paths.hint(), uuid);
        long start = Math.max(hint.orElse(0), knownVersion);
        if (start > 0) {
            // The search does not check that its first version exists. In a copy, it may be missing
            Optional<TableVersion> version = readFrom(searchFrom(start));
            if (version.isPresent()) {
                repairHint(hint, version.get());
                return version.get();
            }
        }
        long newest = searchFrom(listNewest());
        if (newest < start) {
            throw damaged(
                    "Damaged Albis table %s: version %s is missing, and the newest version that exists is %s. Restore the file %s. If this is a copy of a table that was written meanwhile, delete the file %s instead",
                    paths.folder(),
                    start,
                    newest,
                    paths.version(start),
                    paths.hint());
        }
        TableVersion version = readFrom(newest)
                .orElseThrow(() -> damaged("Damaged Albis table %s: version %s has expired, but no later version exists. Restore the file %s", paths.folder(), newest, paths.version(newest + 1)));
        repairHint(hint, version);
        return version;
    }

    /**
     * Reads a version that no later one followed when the search ended. If it has expired since, this reads the newest
     * version instead.
     *
     * @return empty if the version is missing or expired, and there is no later one
     */
    private Optional<TableVersion> readFrom(long found)
            throws IOException
    {
        while (true) {
            Optional<AlbisDataException> damage = Optional.empty();
            try {
                Optional<TableVersion> version = read(found);
                if (version.isPresent()) {
                    return version;
                }
            }
            catch (AlbisDataException e) {
                // Perhaps a stub is replacing it at this moment
                damage = Optional.of(e);
            }
            long later = searchFrom(found);
            if (later == found) {
                if (damage.isPresent()) {
                    throw damage.get();
                }
                return Optional.empty();
            }
            found = later;
        }
    }

    /**
     * Creates a version, which commits it.
     *
     * @return true if the version was created; false if another writer created the version of this number first
     * @throws io.albis.table.model.TableException OUTCOME_UNKNOWN, NOT_SUPPORTED
     * @throws IOException if the version was not created, and will not be created later
     */
    public boolean create(TableVersion version)
            throws IOException
    {
        checkState(writable, "table %s is not writable from this warehouse", uuid);
        boolean created = exclusiveFiles.create(paths.version(version.version()), json.write(VERSION, version.commitId(), version), file -> isOf(version, file));
        if (created) {
            hints.write(paths.hint(), uuid, version.version());
        }
        return created;
    }

    /**
     * Ensures that a version survives a power failure. The writer that has created it may have died before it did so.
     */
    public void makeDurable(TableVersion version)
            throws IOException
    {
        exclusiveFiles.forceExisting(paths.version(version.version()));
    }

    /**
     * Replaces an expired version by a stub. Call this only after its files were deleted.
     */
    public void replaceByStub(ExpiredVersion stub)
            throws IOException
    {
        checkState(writable, "table %s is not writable from this warehouse", uuid);
        fileSystem.newOutputFile(paths.version(stub.version())).createOrOverwrite(json.write(EXPIRED, stub.commitId(), stub));
    }

    /**
     * Returns whether a file that exists in place of a version is that version, or its stub. If it is the stub, the
     * response to the put was lost, and the version has expired before the writer has read it again.
     *
     * @throws TableException OUTCOME_UNKNOWN if the file is neither a version nor a stub, or if it is damaged. The
     *         storage may have returned other bytes than those of this version
     */
    private boolean isOf(TableVersion version, byte[] file)
    {
        Location location = paths.version(version.version());
        if (JsonFrame.hasKind(VERSION, file)) {
            try {
                return json.read(location, VERSION, TableVersion.class, file).body().commitId().equals(version.commitId());
            }
            catch (AlbisDataException e) {
                if (e.reason() != DAMAGED) {
                    // a newer version of Albis has committed it
                    return false;
                }
                throw new TableException(OUTCOME_UNKNOWN, "It is unknown who has committed version %s, because the file %s cannot be read".formatted(version.version(), location), e);
            }
        }
        try {
            return json.read(location, EXPIRED, ExpiredVersion.class, file).body().equals(new ExpiredVersion(uuid, version.version(), version.commitId()));
        }
        catch (AlbisDataException e) {
            throw new TableException(OUTCOME_UNKNOWN, "The commit took so long that version %s has expired, and the file %s does not say who has committed it".formatted(version.version(), location), e);
        }
    }

    /**
     * Returns when a version replaced the one before it: the later of the time by the clock of its writer and the time
     * at which the storage created its file.
     */
    public Instant replacementTime(TableVersion version)
            throws IOException
    {
        Instant stored = fileSystem.newInputFile(paths.version(version.version())).lastModified();
        return stored.isAfter(version.time()) ? stored : version.time();
    }

    /**
     * Returns the greatest version from {@code start} on with an exponential search and a binary search, so that an
     * outdated {@code start} takes only a logarithmic number of requests.
     */
    private long searchFrom(long start)
            throws IOException
    {
        long low = start;
        long step = 1;
        while (exists(low + step)) {
            low += step;
            step *= 2;
        }
        long high = low + step;
        while (high - low > 1) {
            long middle = low + (high - low) / 2;
            if (exists(middle)) {
                low = middle;
            }
            else {
                high = middle;
            }
        }
        return low;
    }

    private boolean exists(long version)
            throws IOException
    {
        return SmallFiles.exists(fileSystem, paths.version(version));
    }

    private long listNewest()
            throws IOException
    {
        long newest = findNewest();
        if (newest == 0) {
            throw damaged("Damaged Albis table %s: it has no versions", paths.folder());
        }
        return newest;
    }

    private long findNewest()
            throws IOException
    {
        long newest = 0;
        FileIterator files = fileSystem.listFiles(WarehousePaths.asDirectory(paths.versionsFolder()));
        while (files.hasNext()) {
            Location location = files.next().location();
            OptionalLong version = NumberedFiles.number(location.fileName());
            // Other folders do not belong to the table
            if (version.isPresent() && location.path().endsWith("/" + TablePaths.versionPath(version.getAsLong()))) {
                newest = Math.max(newest, version.getAsLong());
            }
        }
        return newest;
    }

    /**
     * Replaces an old hint, with which the loss of the newest version would go unnoticed. The writer of a new version
     * may be about to write the hint.
     */
    private void repairHint(OptionalLong hint, TableVersion version)
    {
        long newest = version.version();
        if (!writable || (hint.isPresent() && hint.getAsLong() >= newest)) {
            return;
        }
        boolean recent = version.time().isAfter(Instant.now().minus(MAX_HINT_DELAY));
        if (recent && hint.isPresent() && hint.getAsLong() >= newest - MAX_HINT_LAG) {
            return;
        }
        try {
            // The writer of the version may not have made it durable yet, and a power failure may then take it back.
            // The hint must not outlive it
            exclusiveFiles.forceExisting(paths.version(newest));
        }
        catch (IOException | RuntimeException e) {
            log.debug(e, "Cannot force version %s", paths.version(newest));
            return;
        }
        hints.write(paths.hint(), uuid, newest);
    }
}
