package io.albis.table.row;

import io.albis.table.model.TableVersion;
import io.albis.table.version.TableStorage;

import java.io.IOException;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * Reads the versions since the one from which a write started, each of them once.
 */
final class LaterVersions
{
    // If more versions were committed in the meantime, a write fails instead of reading all of them
    private static final long MAX_VERSIONS = 100;

    private final TableStorage storage;
    private final TableVersion base;
    private final Visitor visitor;

    // the last version that was read
    private TableVersion last;
    private boolean known = true;

    interface Visitor
    {
        void visit(TableVersion before, TableVersion version)
                throws IOException;
    }

    /**
     * @param base version from which a write started
     * @param visitor gets each version after it, with the version before that one
     */
    LaterVersions(TableStorage storage, TableVersion base, Visitor visitor)
    {
        this.storage = requireNonNull(storage, "storage is null");
        this.base = requireNonNull(base, "base is null");
        this.visitor = requireNonNull(visitor, "visitor is null");
        this.last = base;
    }

    /**
     * Passes the versions on that the visitor has not got yet.
     *
     * @param next copy of the newest version with the next number
     * @return false if some of the versions are not known, because they have expired or are too many
     */
    boolean readUntil(TableVersion next)
            throws IOException
    {
        known &= next.version() - base.version() <= MAX_VERSIONS;
        while (known && last.version() + 1 < next.version()) {
            if (next.isExpired(last.version() + 1)) {
                // an expiry deletes the manifests of a version before it replaces the version by a stub
                known = false;
                break;
            }
            Optional<TableVersion> version = storage.versions().read(last.version() + 1);
            // the version is empty if a stub has replaced it
            known = version.isPresent() && version.get().previous().equals(Optional.of(last.commitId()));
            if (known) {
                visitor.visit(last, version.get());
                last = version.get();
            }
        }
        return known;
    }
}
