package io.albis.table.version;

import io.airlift.log.Logger;
import io.albis.table.json.JsonFiles;
import io.albis.table.model.TableVersion;
import io.albis.table.put.SmallFiles;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;

import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

import static io.albis.table.json.JsonKind.HINT;
import static java.util.Objects.requireNonNull;

/**
 * Reads and writes the hint of a table, which is the number of a recent version. It saves the search for the newest
 * version a listing. Writing it is best effort: the hint may be missing, outdated, damaged, or belong to another table,
 * and the search then takes longer. It is written only after its version exists, so it is never ahead of the versions,
 * and it proves that the version existed.
 */
final class Hints
{
    private static final Logger log = Logger.get(Hints.class);

    private final TrinoFileSystem fileSystem;
    private final JsonFiles json;

    Hints(TrinoFileSystem fileSystem, JsonFiles json)
    {
        this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
        this.json = requireNonNull(json, "json is null");
    }

    /**
     * The content of the file.
     *
     * @param uuid id of the table
     * @param version number of a version that existed
     */
    record Hint(UUID uuid, long version)
    {
        Hint
        {
            requireNonNull(uuid, "uuid is null");
        }
    }

    /**
     * Returns the version in the hint, which existed but may have been deleted since; empty if there is no usable hint.
     */
    OptionalLong read(Location location, UUID uuid)
    {
        try {
            Optional<byte[]> file = SmallFiles.read(fileSystem, location);
            if (file.isPresent()) {
                Hint hint = json.read(location, HINT, Hint.class, file.get()).body();
                if (hint.uuid().equals(uuid) && hint.version() >= TableVersion.FIRST_VERSION && hint.version() < Long.MAX_VALUE / 4) {
                    return OptionalLong.of(hint.version());
                }
            }
        }
        catch (IOException | RuntimeException e) {
            log.debug(e, "Cannot read hint %s", location);
        }
        return OptionalLong.empty();
    }

    void write(Location location, UUID uuid, long version)
    {
        try {
            fileSystem.newOutputFile(location).createOrOverwrite(json.write(HINT, UUID.randomUUID(), new Hint(uuid, version)));
        }
        catch (IOException | RuntimeException e) {
            log.debug(e, "Cannot write hint %s", location);
        }
    }
}
