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
 * The file that says where to begin to look for the newest version. It is written without any care: it may be missing,
 * old, half written or about another table, and then the search takes longer.
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

    record Hint(UUID uuid, long version)
    {
        Hint
        {
            requireNonNull(uuid, "uuid is null");
        }
    }

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
            log.debug(e, "No hint in %s", location);
        }
        return OptionalLong.empty();
    }

    void write(Location location, UUID uuid, long version)
    {
        try {
            fileSystem.newOutputFile(location).createOrOverwrite(json.write(HINT, UUID.randomUUID(), new Hint(uuid, version)));
        }
        catch (IOException | RuntimeException e) {
            log.debug(e, "Could not write hint %s", location);
        }
    }
}
