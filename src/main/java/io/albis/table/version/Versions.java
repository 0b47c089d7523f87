package io.albis.table.version;

import io.albis.table.json.JsonFiles;
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
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

import static com.google.common.base.Preconditions.checkState;
import static io.albis.format.io.AlbisDataException.damaged;
import static io.albis.table.json.JsonKind.VERSION;
import static java.util.Objects.requireNonNull;

/**
 * The versions of one table: files that are numbered without a gap, each created exactly once. Whoever removes old ones
 * has to remove them from the oldest upwards and never the newest, as the search here counts on it.
 */
public final class Versions
{
    private static final long MAX_HINT_LAG = 8;

    private final TrinoFileSystem fileSystem;
    private final JsonFiles json;
    private final ExclusiveFiles exclusiveFiles;
    private final Hints hints;
    private final TablePaths layout;
    private final UUID uuid;
    private final boolean writable;

    /**
     * @param writable whether a wrong hint may be repaired
     */
    Versions(TrinoFileSystem fileSystem, JsonFiles json, ExclusiveFiles exclusiveFiles, TablePaths layout, UUID uuid, boolean writable)
    {
        this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
        this.json = requireNonNull(json, "json is null");
        this.exclusiveFiles = requireNonNull(exclusiveFiles, "exclusiveFiles is null");
        this.hints = new Hints(fileSystem, json);
        this.layout = requireNonNull(layout, "layout is null");
        this.uuid = requireNonNull(uuid, "uuid is null");
        this.writable = writable;
    }

    public Optional<TableVersion> read(long version)
            throws IOException
    {
        Location location = layout.version(version);
        Optional<byte[]> file = SmallFiles.read(fileSystem, location);
        if (file.isEmpty()) {
            return Optional.empty();
        }
        JsonFiles.Framed<TableVersion> framed = json.read(location, VERSION, TableVersion.class, file.get());
        TableVersion read = framed.body();
        if (!read.uuid().equals(uuid)) {
            throw damaged("Damaged Albis file %s: it belongs to table %s and not to %s", location, read.uuid(), uuid);
        }
        if (read.version() != version || !framed.id().equals(read.commitId())) {
            throw damaged("Damaged Albis file %s: it is version %s", location, read.version());
        }
        return Optional.of(read);
    }

    /**
     * @param knownVersion one that is known to be there, or 0
     * @throws AlbisDataException if there is none at all
     */
    public TableVersion newest(long knownVersion)
            throws IOException
    {
        OptionalLong hint = hints.read(layout.hint(), uuid);
        long start = Math.max(hint.orElse(0), knownVersion);
        if (start > 0) {
            long newest = searchFrom(start);
            // The hint itself was not looked for: if it was wrong, nothing follows it and it is not there
            Optional<TableVersion> version = read(newest);
            if (version.isPresent()) {
                repairHint(hint, newest);
                return version.get();
            }
        }
        long newest = searchFrom(listNewest());
        TableVersion version = read(newest).orElseThrow(() -> damaged("Damaged Albis table %s: version %s is missing", layout.folder(), newest));
        repairHint(hint, newest);
        return version;
    }

    /**
     * @return whether the version is now the newest one; if not, another one has its number
     */
    public boolean create(TableVersion version)
            throws IOException
    {
        checkState(writable, "table %s is not writable from here", uuid);
        boolean created = exclusiveFiles.create(layout.version(version.version()), json.write(VERSION, version.commitId(), version));
        if (created) {
            hints.write(layout.hint(), uuid, version.version());
        }
        return created;
    }

    /**
     * The greatest version from {@code start} on, by few looks even if {@code start} is old.
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
        return SmallFiles.exists(fileSystem, layout.version(version));
    }

    private long listNewest()
            throws IOException
    {
        long newest = 0;
        FileIterator files = fileSystem.listFiles(WarehousePaths.asDirectory(layout.versionsFolder()));
        while (files.hasNext()) {
            OptionalLong version = NumberedFiles.number(files.next().location().fileName());
            newest = Math.max(newest, version.orElse(0));
        }
        if (newest == 0) {
            throw damaged("Damaged Albis table %s: it has no versions", layout.folder());
        }
        return newest;
    }

    private void repairHint(OptionalLong hint, long newest)
    {
        if (!writable) {
            return;
        }
        if (hint.isEmpty() || hint.getAsLong() > newest || hint.getAsLong() < newest - MAX_HINT_LAG) {
            hints.write(layout.hint(), uuid, newest);
        }
    }
}
